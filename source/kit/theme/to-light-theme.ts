import type { ColorCount } from './color-count.ts';
import { lightTokens, type TextStyle, type Theme } from './tokens.ts';

/**
 * The styles for a light background. Where there are not all colours, each one is named: Ink would take the next brighter one of 256, and one red
 * for warnings and errors of sixteen.
 */
export function toLightTheme(count: ColorCount): Theme {
  if (count === 'all') return lightTokens;
  if (count === 16) return sixteenTokens;
  const styles = Object.entries(lightTokens).map(([token, style]) => [token, toIndexed(style)]);
  return Object.fromEntries(styles) as Theme;
}

/** Green, yellow and cyan of most terminals cannot be read on a light background: what has them elsewhere is black here, or has another colour. */
const sixteenTokens: Theme = {
  ...lightTokens,
  muted: { dimColor: true },
  accent: { color: 'blue' },
  key: { color: 'blue', bold: true },
  success: {},
  warning: { color: 'magenta' },
  danger: { color: 'red' },
  match: { color: 'magenta', bold: true, underline: true },
  added: {},
  removed: { color: 'red' },
  changed: { color: 'magenta' },
  reading: {},
  writing: { color: 'blue' },
  removing: { color: 'red' },
  string: {},
  number: { color: 'blue' },
  keyword: { color: 'magenta' },
};

function toIndexed(style: TextStyle): TextStyle {
  const { color } = style;
  return color?.startsWith('#') ? { ...style, color: `ansi256(${toIndex(color)})` } : style;
}

/** The brightness of each part of a colour that the cube of 216 colours has. */
const LEVELS = [0, 95, 135, 175, 215, 255];

/** `#875f00` gives 94: the nearest of the cube. */
function toIndex(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\da-f]{2}/gi) ?? []).map((part) => {
    const value = Number.parseInt(part, 16);
    const distances = LEVELS.map((level) => Math.abs(level - value));
    return distances.indexOf(Math.min(...distances));
  });
  return 16 + 36 * red + 6 * green + blue;
}
