/** The time within which the rest of a report arrives, milliseconds. */
const REST_MS = 500;
const PASTE_BEGINS = '\u001B[200~';
const PASTE_ENDS = '\u001B[201~';

/**
 * Stdin for a screen: keys and pastes alone. Terminals write there, too, what they answer to programs, perhaps to one
 * that has ended already, and that they have got or lost the focus; a screen would take its characters for keys.
 */
export function keyInput(): NodeJS.ReadStream {
  const { stdin } = process;
  const take = createKeyFilter();
  const read = (): string | null => {
    const chunk = stdin.read() as Buffer | string | null;
    return chunk === null ? null : take(String(chunk));
  };
  return Object.create(stdin, { read: { value: read } }) as NodeJS.ReadStream;
}

/** Gives what of each text of a terminal is keys or pasted. `now`: the time in milliseconds. */
export function createKeyFilter(now = () => performance.now()): (text: string) => string {
  let rest = '';
  let restAt = 0;
  let isPasting = false;
  /** Takes pasted text as it is. */
  const takePaste = (text: string): string => {
    const end = text.indexOf(PASTE_ENDS);
    isPasting = end === -1;
    if (isPasting) {
      // The mark of its end may be cut in two.
      rest = /\u001B[[201~]*$/.exec(text)?.[0] ?? '';
      return text.slice(0, text.length - rest.length);
    }
    const after = end + PASTE_ENDS.length;
    return text.slice(0, after) + takeKeys(text.slice(after));
  };
  const takeKeys = (text: string): string => {
    const paste = text.indexOf(PASTE_BEGINS);
    if (paste !== -1) return dropReports(text.slice(0, paste)) + takePaste(text.slice(paste));
    rest = UNFINISHED.exec(text)?.[0] ?? '';
    return dropReports(text.slice(0, text.length - rest.length));
  };
  return (text) => {
    const isLate = !isPasting && now() - restAt > REST_MS;
    const whole = (isLate ? '' : rest) + text;
    rest = '';
    restAt = now();
    return isPasting ? takePaste(whole) : takeKeys(whole);
  };
}

/** The begin of a report at the end of a text. No key has so many characters of one, but for those of rxvt with `$`. */
const UNFINISHED =
  /\u001B(?:\[(?!\d\$$)[0-?]+[ -/]*|(?:\][\dlL]|P[\d!$+=>|]|_\w)[^\u0007\u001B]*\u001B?)$/;

/**
 * Whole sequences: reports with their end, and a mouse; keys of the Linux console and of rxvt; keys and reports with
 * numbers; keys of one letter.
 */
const SEQUENCE = new RegExp(
  [
    /\u001B(?<report>[\]P_^X][^\u0007\u001B]*(?:\u0007|\u001B\\)|\[M[^]{3})/,
    /\u001B(?<other>\[\[[A-E]|\[[2-8]\$(?![py]))/,
    /\u001B\[(?<numbers>[0-?]*)(?<between>[ -/]*)(?<final>[@-~])/,
    /\u001BO(?<letter>[@-~])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

function dropReports(text: string): string {
  return text.replaceAll(SEQUENCE, (whole: string, ...found: readonly unknown[]) => {
    const parts = found.at(-1) as Readonly<Record<string, string | undefined>>;
    const { report, other, numbers = '', between, final = '', letter } = parts;
    if (report !== undefined) return '';
    if (other !== undefined) return whole;
    if (letter === 'M') return '\r';
    if (letter !== undefined) return /[A-HP-Sa-e]/.test(letter) ? whole : '';
    // xterm's way to say that a key was pressed with others, in the way of kitty.
    const pressed = /^27;(?<modifiers>\d+);(?<code>\d+)$/.exec(numbers)?.groups;
    if (pressed !== undefined) return `\u001B[${pressed['code']};${pressed['modifiers']}u`;
    return between === '' && isKey(numbers, final) ? whole : '';
  });
}

function isKey(numbers: string, final: string): boolean {
  if (/[a-eZ]/.test(final)) return numbers === '';
  if (/[A-HPQS]/.test(final)) return /^(?:\d+(?:;[\d:]+)?)?$/.test(numbers);
  if (final === 'u') return /^\d[\d:;]*$/.test(numbers);
  return /[~^]/.test(final) && /^(?:[1-8]|1[1-57-9]|2[01345689]|3[1-4])(?:;[\d:]+)?$/.test(numbers);
}
