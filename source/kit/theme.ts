import type { TextProps } from 'ink';

/**
 * Colours and weights by what they mean. Only the 16 colours of the terminal, which its user has made readable on a
 * light or a dark background; the bright ones of red, blue and magenta, since most terminals have others that are hard
 * to read.
 */
export const tokens = {
  text: {},
  title: { bold: true },
  muted: { dimColor: true },
  accent: { color: 'cyan' },
  /** The name of a key in a key line. */
  key: { color: 'cyan', bold: true },
  success: { color: 'green' },
  warning: { color: 'yellow' },
  danger: { color: 'redBright' },
  match: { color: 'magentaBright', bold: true, underline: true },
  added: { color: 'green' },
  removed: { color: 'redBright' },
  changed: { color: 'yellow' },
  reading: { color: 'green' },
  writing: { color: 'blueBright' },
  removing: { color: 'redBright' },
  string: { color: 'green' },
  number: { color: 'yellow' },
  keyword: { color: 'magentaBright' },
} as const satisfies Record<string, TextProps>;

export type Token = keyof typeof tokens;

/** Signs that are drawn, each one column wide. `source/terminal/screen-output.ts` has one of ASCII for each. */
export const signs = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  dot: '·',
  /** At the start of a text of which more is at the left. */
  more: '‹',
  /** In place of a line feed, and of a tab. */
  newline: '↵',
  tab: '⇥',
  pointer: '❯',
  open: '▾',
  closed: '▸',
  tick: '✓',
  cross: '✗',
  warning: '▲',
  live: '●',
  line: '─',
  bar: '│',
  arrow: '→',
  thumb: '┃',
  /** Of a bar: a whole column, and half of one. */
  block: '█',
  blockLeft: '▌',
  blockRight: '▐',
  times: '×',
  spinner: [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'],
} as const;

export function toMethodToken(method: string): Token {
  if (['GET', 'HEAD', 'query', 'subscription'].includes(method)) return 'reading';
  return method === 'DELETE' ? 'removing' : 'writing';
}

/** `'200'`; of a request whose caller has left before the answer, `'left'`. */
export function toStatusText(status: number): string {
  return status === 0 ? 'left' : String(status);
}

export function toStatusToken(status: number): Token {
  if (status === 0 || status >= 500) return 'danger';
  return status >= 400 ? 'warning' : 'success';
}
