import { guardScreen } from './screen-guard.ts';

/**
 * Stdout for what fills the whole window:
 * - It keeps the lines above the window, which are the user's and which Ink would erase where it draws after a resize.
 * - Ink itself, the first that asks, hears of no resize: it would draw before the screens have their new size.
 * - Long rows do not wrap: terminals do not agree how wide an emoji is, and one row that wraps would move all others.
 *   The cursor then stays on the last column, which Ink would erase, so a row is erased before it is written.
 * - A terminal that has no alternate screen gets a line end after the last row: the prompt would stand on it.
 * - On a console that has next to no signs beyond ASCII, those of the screens are signs of ASCII.
 */
export function screenOutput(): NodeJS.WriteStream {
  const { stdout, env } = process;
  const isAscii =
    env['TERM'] === 'linux' ||
    (process.platform === 'win32' && !env['WT_SESSION'] && !env['TERM_PROGRAM']);
  const toPart = isAscii ? (part: string) => toAscii(toScreenPart(part)) : toScreenPart;
  const write = (part: unknown, ...rest: unknown[]): boolean => {
    if (typeof part !== 'string') return Reflect.apply(stdout.write, stdout, [part, ...rest]);
    if (part.includes(leaveScreen)) guardScreen(false);
    const isWritten: boolean = Reflect.apply(stdout.write, stdout, [toPart(part), ...rest]);
    if (part.includes(enterScreen)) guardScreen(true);
    return isWritten;
  };
  let hasListener = false;
  const on = (...[event, listener]: Parameters<typeof stdout.on>): NodeJS.WriteStream => {
    if (event === 'resize' && !hasListener) hasListener = true;
    else stdout.on(event, listener);
    return stdout;
  };
  return new Proxy(stdout, {
    get: (target, name) => {
      if (name === 'write') return write;
      if (name === 'on') return on;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function toScreenPart(part: string): string {
  return part
    .replaceAll(eraseScrollback, '')
    .replaceAll(writtenRow, `$1${eraseRest}$2`)
    .replace(enterScreen, `${enterScreen}${wrapOff}${wheelOn}`)
    .replace(leaveScreen, `${wheelBack}${wrapOn}\r\n${leaveScreen}`);
}

/** A text with a sign of ASCII for each sign of the screens. */
export function toAscii(part: string): string {
  return part.replaceAll(beyondAscii, (sign) => asciiSigns[sign] ?? sign);
}

/** The sign of ASCII for each that the screens draw (`source/kit/theme.ts`), as wide as it is. */
const asciiSigns: Readonly<Record<string, string>> = {
  '↑': '^',
  '↓': 'v',
  '←': '<',
  '→': '>',
  '·': '-',
  '…': '~',
  '‹': '<',
  '↵': '/',
  '⇥': '>',
  '❯': '>',
  '▾': 'v',
  '▸': '>',
  '✓': '+',
  '✗': 'x',
  '▲': '!',
  '●': '*',
  '─': '-',
  '│': '|',
  '┃': '#',
  '█': '#',
  '▌': '#',
  '▐': '#',
  '×': 'x',
  // The steps of what turns while something runs.
  '⠋': '|',
  '⠙': '/',
  '⠹': '-',
  '⠸': '\\',
  '⠼': '|',
  '⠴': '/',
  '⠦': '-',
  '⠧': '\\',
  '⠇': '|',
  '⠏': '/',
};
const beyondAscii = new RegExp(`[${Object.keys(asciiSigns).join('')}]`, 'g');

const eraseRest = '\u001B[K';
/** The move to the first column, the row, and the erasing of what is left of it. */
const writtenRow = /(\u001B\[1G)([^\n]*?)\u001B\[K/g;
const eraseScrollback = '\u001B[3J';
const enterScreen = '\u001B[?1049h';
const leaveScreen = '\u001B[?1049l';
const wrapOff = '\u001B[?7l';
const wrapOn = '\u001B[?7h';
/** The wheel sends arrows for as long as the alternate screen is shown; then it does what it did before. */
const wheelOn = '\u001B[?1007s\u001B[?1007h';
const wheelBack = '\u001B[?1007r';

export const eraseScreen = '\u001B[2J\u001B[H';

/** Calls the listener when the window may have another size, until the returned function is called. */
export function onWindowSignal(listener: () => void): () => void {
  process.on('SIGWINCH', listener);
  return () => void process.off('SIGWINCH', listener);
}
