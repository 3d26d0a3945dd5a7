import type { Terminal } from '../terminal.ts';

/** Red, green and blue, from 0 to 255 each. */
export type Rgb = readonly [number, number, number];

/** The background that texts are drawn on. */
export interface Background {
  readonly isLight: boolean;
  /** Missing where the terminal does not say more than whether it is light. */
  readonly color?: Rgb;
}

/** The time after which a terminal that does not answer is taken for one that never does, milliseconds. */
const ANSWER_MS = 300;

/** Asks for the colour of the background (OSC 11), then who the terminal is (DA1): the second one is answered by all, and in that order. */
const QUESTION = '\u001B]11;?\u001B\\\u001B[c';

/**
 * Asks the terminal for its background. Keys that were typed meanwhile are left on stdin, which must be in raw mode. Undefined where nobody knows:
 * most terminals are dark then.
 */
export async function askBackground({ environment }: Pick<Terminal, 'environment'>): Promise<Background | undefined> {
  const { TERM, FORCE_COLOR, COLORFGBG } = environment;
  if (FORCE_COLOR === '0' || TERM === 'linux') return undefined;
  return parseBackground(await ask()) ?? parseColorPair(COLORFGBG);
}

/** The background in what a terminal has answered to OSC 11: `rgb:` and two to four hexadecimal digits for each part. */
export function parseBackground(answer: string): Background | undefined {
  const digits = '([\\da-f]{1,4})';
  const parts = new RegExp(`\\]11;rgba?:${digits}/${digits}/${digits}`, 'i').exec(answer);
  if (parts === null) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.slice(1).map(toByte);
  return { isLight: 0.2126 * red + 0.7152 * green + 0.0722 * blue > MIDDLE, color: [red, green, blue] };
}

/** `COLORFGBG` of rxvt, Konsole and iTerm2: the numbers of the text's colour and of the background's, `15;0`. */
export function parseColorPair(pair = ''): Background | undefined {
  const number = /;(\d+)$/.exec(pair)?.[1];
  return number === undefined ? undefined : { isLight: number === '7' || Number(number) > 8 };
}

const MIDDLE = 127;

function toByte(digits: string): number {
  return Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
}

/** The answers of the terminal; what else came goes back to stdin. */
async function ask(): Promise<string> {
  const { stdin, stdout } = process;
  const parts: Buffer[] = [];
  const toText = (): string => Buffer.concat(parts).toString('latin1');
  await new Promise<void>((resolve) => {
    // An answer that came while this process was busy is read before the end.
    const timer = setTimeout(() => setImmediate(end), ANSWER_MS);
    function read(): void {
      for (let part: unknown = stdin.read(); part !== null; part = stdin.read())
        parts.push(Buffer.from(part as Buffer));
      if (whoItIs.test(toText())) end();
    }
    function end(): void {
      clearTimeout(timer);
      stdin.off('readable', read);
      resolve();
    }
    stdin.on('readable', read);
    stdout.write(QUESTION);
  });
  const text = toText();
  const typed = text.replace(whoItIs, '').replace(background, '');
  if (typed !== '') stdin.unshift(Buffer.from(typed, 'latin1'));
  return text;
}

const whoItIs = /\u001B\[\?[\d;]*c/;
const background = /\u001B\]11;[^\u0007\u001B]*(?:\u0007|\u001B\\)/;
