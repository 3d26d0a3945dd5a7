/**
 * Colours and weights by what they mean, on a dark background. Only the 16 colours of the terminal, which its user has made readable; the bright
 * ones of red, blue and magenta, since most terminals come with others that are hard to read.
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

/** On a light background green, yellow and cyan of most terminals cannot be read, so that colours are given here: those of the 256 that differ least from them. */
export const lightTokens: Theme = {
  ...tokens,
  muted: { color: '#5f5f5f' },
  accent: { color: '#005f87' },
  key: { color: '#005f87', bold: true },
  success: { color: '#007000' },
  warning: { color: '#875f00' },
  danger: { color: '#d70000' },
  match: { color: '#af00af', bold: true, underline: true },
  added: { color: '#007000' },
  removed: { color: '#d70000' },
  changed: { color: '#875f00' },
  reading: { color: '#007000' },
  writing: { color: '#005fd7' },
  removing: { color: '#d70000' },
  string: { color: '#007000' },
  number: { color: '#875f00' },
  keyword: { color: '#af00af' },
};

/** The style of each token. */
export type Theme = Readonly<Record<Token, TextStyle>>;

export interface TextStyle {
  readonly color?: string;
  readonly dimColor?: boolean;
  readonly bold?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
  readonly backgroundColor?: string;
}

/** Signs that are drawn; each is one column wide. */
export interface Symbols {
  readonly up: string;
  readonly down: string;
  readonly dot: string;
  readonly ellipsis: string;
  /** At the start of a text of which more is at the left. */
  readonly more: string;
  /** In place of a line feed, and of a tab. */
  readonly newline: string;
  readonly tab: string;
  readonly pointer: string;
  readonly open: string;
  readonly closed: string;
  readonly tick: string;
  readonly cross: string;
  readonly warning: string;
  readonly live: string;
  readonly line: string;
  readonly bar: string;
  readonly arrow: string;
  readonly thumb: string;
  /** Bars of a small chart, the lowest first. */
  readonly bars: readonly string[];
  /** Stands before the character that is typed at, where nothing can be drawn inverse; else empty. */
  readonly cursor: string;
  readonly spinner: readonly string[];
  /** Ink's name of a border. */
  readonly border: 'round' | 'classic';
}

const unicode: Symbols = {
  up: '↑',
  down: '↓',
  dot: '·',
  ellipsis: '…',
  more: '‹',
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
  bars: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  cursor: '',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  border: 'round',
};

const ascii: Symbols = {
  up: '^',
  down: 'v',
  dot: '-',
  ellipsis: '~',
  more: '<',
  newline: '/',
  tab: '>',
  pointer: '>',
  open: 'v',
  closed: '>',
  tick: '+',
  cross: 'x',
  warning: '!',
  live: '*',
  line: '-',
  bar: '|',
  arrow: '>',
  thumb: '#',
  bars: ['_', '.', '-', '=', '+', '*', '%', '#'],
  cursor: '',
  spinner: ['|', '/', '-', '\\'],
  border: 'classic',
};

/** The signs that a terminal can draw: the console of Linux, and that of older Windows, have next to none beyond ASCII. */
export function toSymbols(environment: Readonly<Record<string, string | undefined>>): Symbols {
  const { TERM, OS, WT_SESSION, TERM_PROGRAM, FORCE_COLOR } = environment;
  const isAscii = TERM === 'linux' || (OS === 'Windows_NT' && !WT_SESSION && !TERM_PROGRAM);
  const symbols = isAscii ? ascii : unicode;
  return FORCE_COLOR === '0' ? { ...symbols, cursor: symbols.bar } : symbols;
}

/** The token of an HTTP method: what it does to the data. */
export function toMethodToken(method: string): Token {
  if (method === 'GET' || method === 'HEAD') return 'reading';
  return method === 'DELETE' ? 'removing' : 'writing';
}
