import type { Background, Rgb } from '../../terminal/control/ask-background.ts';
import { toColorCount } from './color-count.ts';
import { toLightTheme } from './to-light-theme.ts';
import { type TextStyle, type Theme, tokens } from './tokens.ts';

interface ThemeOptions {
  /** The styles that the user has chosen. */
  readonly own: Partial<Theme> | undefined;
  readonly background: Background | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The styles that can be read on a background, and over them those of the user. */
export function toTheme({ own, background, environment }: ThemeOptions): Theme {
  const base: Theme = background?.isLight ? toLightTheme(toColorCount(environment)) : tokens;
  const selected = toSelected(background?.color, environment);
  return selected === undefined && own === undefined ? base : { ...base, ...(selected && { selected }), ...own };
}

/** The part of black or white in the background of the selected row: seen at a glance, and every colour is still read on it. */
const TINT = 0.13;

/** A background a little off that of the window, so that the row keeps its colours. Undefined where the terminal cannot say or show it. */
function toSelected(
  color: Rgb | undefined,
  { COLORTERM, FORCE_COLOR }: ThemeOptions['environment'],
): TextStyle | undefined {
  const hasAllColors = FORCE_COLOR === undefined ? /^(truecolor|24bit)$/.test(COLORTERM ?? '') : FORCE_COLOR === '3';
  if (color === undefined || !hasAllColors) return undefined;
  const isDark = color.every((part) => part < 128);
  const tint = color.map((part) => Math.round(part + ((isDark ? 255 : 0) - part) * TINT));
  return { backgroundColor: `#${tint.map((part) => part.toString(16).padStart(2, '0')).join('')}`, bold: true };
}
