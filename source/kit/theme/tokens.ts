/**
 * Colours and weights by what they mean. Only the 16 colours of the terminal, which its user has made readable on a light or a dark background;
 * the bright ones of red, blue and magenta, since most terminals come with others that are hard to read.
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
  /** Letters that a filter found. */
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
  /** The selected row of the pane that has the keys. */
  selected: { inverse: true },
} as const satisfies Record<string, TextStyle>;

export type Token = keyof typeof tokens;

interface TextStyle {
  readonly color?: string;
  readonly dimColor?: boolean;
  readonly bold?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

/** Signs that are drawn, each one column wide; the second one where a terminal has next to none beyond ASCII. */
const signs = {
  up: '↑^',
  down: '↓v',
  left: '←<',
  right: '→>',
  dot: '·-',
  ellipsis: '…~',
  /** At the start of a text of which more is at the left. */
  more: '‹<',
  /** In place of a line feed, and of a tab. */
  newline: '↵/',
  tab: '⇥>',
  pointer: '❯>',
  open: '▾v',
  closed: '▸>',
  tick: '✓+',
  cross: '✗x',
  warning: '▲!',
  live: '●*',
  line: '─-',
  bar: '│|',
  arrow: '→>',
  thumb: '┃#',
} as const;

export interface Symbols extends Readonly<Record<keyof typeof signs, string>> {
  /** Bars of a small chart, the lowest first. */
  readonly bars: readonly string[];
  /** Stands before the character that is typed at, where nothing can be drawn inverse; else empty. */
  readonly cursor: string;
  readonly spinner: readonly string[];
  /** Ink's name of a border. */
  readonly border: 'round' | 'classic';
}

/** The signs that a terminal can draw: the console of Linux, and that of older Windows, have next to none beyond ASCII. */
export function toSymbols(environment: Readonly<Record<string, string | undefined>>): Symbols {
  const { TERM, OS, WT_SESSION, TERM_PROGRAM, FORCE_COLOR } = environment;
  const isAscii = TERM === 'linux' || (OS === 'Windows_NT' && !WT_SESSION && !TERM_PROGRAM);
  const names = Object.keys(signs) as (keyof typeof signs)[];
  const chosen = Object.fromEntries(names.map((name) => [name, signs[name].charAt(isAscii ? 1 : 0)]));
  return {
    ...(chosen as Record<keyof typeof signs, string>),
    bars: [...(isAscii ? '_.-=+*%#' : '▁▂▃▄▅▆▇█')],
    cursor: FORCE_COLOR === '0' ? signs.bar.charAt(isAscii ? 1 : 0) : '',
    spinner: [...(isAscii ? '|/-\\' : '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏')],
    border: isAscii ? 'classic' : 'round',
  };
}

/** The token of an HTTP method: what it does to the data. */
export function toMethodToken(method: string): Token {
  if (method === 'GET' || method === 'HEAD') return 'reading';
  return method === 'DELETE' ? 'removing' : 'writing';
}
