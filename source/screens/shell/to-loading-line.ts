import type { Line } from '../../kit/line/line.ts';
import type { Symbols } from '../../kit/theme/tokens.ts';

/** The body of a screen until the project is loaded for the first time. */
export function toLoadingLine(symbols: Symbols): Line {
  return [{ text: `  Loading the project ${symbols.ellipsis}`, token: 'muted' }];
}
