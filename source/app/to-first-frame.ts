import type { ScreenProps } from '../cli/command.ts';
import type { Line } from '../kit/line/line.ts';
import { toAnsi } from '../kit/line/to-ansi.ts';
import { toTheme } from '../kit/theme/to-theme.ts';
import { toSymbols } from '../kit/theme/tokens.ts';
import type { Location } from '../screens/location.ts';
import { toHeaderLines } from '../screens/shell/header-lines.ts';
import { minSize } from '../screens/shell/min-size.ts';
import { toLoadingLine } from '../screens/shell/to-loading-line.ts';
import { readOpenSettings } from './read-open-settings.ts';

type FirstFrameOptions = Pick<ScreenProps, 'terminal' | 'options' | 'background'>;

/**
 * The rows that the screen draws first while its project is loaded, without what draws it. Undefined where they are others, or where it draws none: its
 * settings are refused, or the window is too small.
 */
export function toFirstFrame(start: Location, props: FirstFrameOptions): readonly string[] | undefined {
  const { environment, size } = props.terminal;
  const { columns, rows } = size();
  if (columns < minSize.columns || rows < minSize.rows) return undefined;
  const settings = readOpenSettings(props);
  if (settings instanceof Error) return undefined;
  const symbols = toSymbols(environment);
  const screen = toTitle(start);
  if (screen === undefined) return undefined;
  const lines: readonly Line[] = [
    ...toHeaderLines({ screen, status: { kind: 'loading' }, columns }, symbols),
    toLoadingLine(symbols),
  ];
  const theme = toTheme({ own: settings.ui.theme, background: settings.ui.background, environment });
  const texts = lines.map((line) => toAnsi(line, theme, environment));
  return texts.includes(undefined) ? undefined : (texts as readonly string[]);
}

/** The title of a screen that waits for the project: the others have something to show before. */
function toTitle(route: Location): string | readonly string[] | undefined {
  if (route.screen === 'list' || route.screen === 'check') return route.screen;
  return route.screen === 'show' || route.screen === 'call' ? [route.screen, route.key] : undefined;
}
