/** Colours and weights by what they mean. Only the 16 colours of the terminal, which its user has made readable on their background. */
export const tokens = {
  text: {},
  title: { bold: true },
  muted: { dimColor: true },
  accent: { color: 'cyan' },
  /** The name of a key in a key line. */
  key: { color: 'cyan', bold: true },
  success: { color: 'green' },
  warning: { color: 'yellow' },
  danger: { color: 'red' },
  /** Letters that a filter found. */
  match: { color: 'magenta', bold: true, underline: true },
  added: { color: 'green' },
  removed: { color: 'red' },
  changed: { color: 'yellow' },
  reading: { color: 'green' },
  writing: { color: 'blue' },
  removing: { color: 'red' },
  string: { color: 'green' },
  number: { color: 'yellow' },
  keyword: { color: 'magenta' },
} as const satisfies Record<string, TextStyle>;

export type Token = keyof typeof tokens;

/** The style of each token. */
export type Theme = Readonly<Record<Token, TextStyle>>;

export interface TextStyle {
  readonly color?: string;
  readonly dimColor?: boolean;
  readonly bold?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
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
