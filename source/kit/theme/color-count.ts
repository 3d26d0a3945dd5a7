/** The number of colours that Ink draws with: 16, 256, or all of them. It reads the same variables. */
export type ColorCount = 16 | 256 | 'all';

type Environment = Readonly<Record<string, string | undefined>>;

export function toColorCount(environment: Environment): ColorCount {
  const { FORCE_COLOR, COLORTERM, TERM = '', TERM_PROGRAM, OS } = environment;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR === '3' ? 'all' : FORCE_COLOR === '2' ? 256 : 16;
  if (COLORTERM === 'truecolor' || /^(xterm-kitty|xterm-ghostty|wezterm)$/.test(TERM)) return 'all';
  if (OS === 'Windows_NT' || TERM_PROGRAM === 'iTerm.app') return 'all';
  return TERM_PROGRAM === 'Apple_Terminal' || /-256(color)?$/i.test(TERM) ? 256 : 16;
}
