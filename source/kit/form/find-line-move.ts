import type { TextFieldState } from '../field/text-field-state.ts';
import { toCharacters } from '../text/text-width.ts';

/** The position of the cursor a line above or below, in the same column where that line is as long; undefined where there is no such line. */
export function findLineMove({ text, cursor }: TextFieldState, step: 1 | -1): number | undefined {
  if (!text.includes('\n')) return undefined;
  const lines = text.split('\n').map((line) => toCharacters(line).length);
  let at = 0;
  let start = 0;
  while (at < lines.length - 1 && start + (lines[at] ?? 0) < cursor) start += (lines[at++] ?? 0) + 1;
  const length = lines[at + step];
  if (length === undefined) return undefined;
  const next = step === 1 ? start + (lines[at] ?? 0) + 1 : start - length - 1;
  return next + Math.min(cursor - start, length);
}
