import { toColorCount } from '../theme/color-count.ts';
import type { TextStyle, Theme } from '../theme/tokens.ts';
import type { Line } from './line.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A line with the escape sequences of its styles, for what is drawn before Ink is there. Undefined where Ink alone knows: of a terminal that is not
 * known to have colours, and of a colour that the terminal does not have.
 */
export function toAnsi(line: Line, theme: Theme, environment: Environment): string | undefined {
  const { FORCE_COLOR, COLORTERM, TERM = '' } = environment;
  if (FORCE_COLOR === '0') return line.map(({ text }) => text).join('');
  if (!(FORCE_COLOR === undefined ? COLORTERM !== undefined || colorful.test(TERM) : /^[123]$/.test(FORCE_COLOR)))
    return undefined;
  const hasAll = toColorCount(environment) === 'all';
  const parts = line.map(({ text, token }) => {
    const codes = toCodes(token === undefined ? {} : theme[token], hasAll);
    return codes?.length === 0 ? text : codes && `\u001B[${codes.join(';')}m${text}\u001B[0m`;
  });
  return parts.includes(undefined) ? undefined : parts.join('');
}

const colorful = /^(screen|xterm|vt100|vt220|rxvt)|color|ansi|cygwin|linux/i;

function toCodes(style: TextStyle, hasAll: boolean): readonly string[] | undefined {
  const { color, dimColor, bold, underline, inverse, backgroundColor } = style;
  const foreground = color === undefined ? [] : toColorCode(color, hasAll);
  if (backgroundColor !== undefined || foreground === undefined) return undefined;
  const flags = [bold && '1', dimColor && '2', underline && '4', inverse && '7'];
  return [...flags.filter((code) => typeof code === 'string'), ...foreground];
}

function toColorCode(color: string, hasAll: boolean): readonly string[] | undefined {
  const [, index] = /^ansi256\((\d+)\)$/.exec(color) ?? [];
  if (index !== undefined) return ['38', '5', index];
  if (color.startsWith('#')) {
    const parts = color.match(/[\da-f]{2}/gi) ?? [];
    return hasAll ? ['38', '2', ...parts.map((part) => String(Number.parseInt(part, 16)))] : undefined;
  }
  if (color === 'gray') return ['90'];
  const at = names.indexOf(color.replace('Bright', ''));
  return at === -1 ? undefined : [String((color.endsWith('Bright') ? 90 : 30) + at)];
}

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
