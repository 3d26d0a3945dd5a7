import type { Key } from 'ink';
import { segmenter } from '../text/segmenter.ts';

/** A key as the key tables name it: `'a'`, `'G'`, `'enter'`, `'ctrl+p'`, `'shift+tab'`, `'wheelup'`. */
export type KeyName = string;

/** The keys in an input of the terminal: fast typing arrives as one text. Pasted text does not come here. */
export function toKeyNames(input: string, key: Key): readonly KeyName[] {
  const named = toNamedKey(key);
  if (named !== undefined) return [named];
  const wheel = /^\[<(6[45]);\d+;\d+M$/.exec(input);
  if (wheel) return [wheel[1] === '64' ? 'wheelup' : 'wheeldown'];
  if (/^\[<\d+;\d+;\d+[Mm]$/.test(input) || lateAnswer.test(input)) return [];
  if (key.ctrl) return input === '' ? [] : [input === '`' || input === ' ' ? 'ctrl+space' : `ctrl+${input}`];
  if (key.meta) return input === '' ? [] : [`alt+${input}`];
  return [...segmenter.segment(input)].flatMap(({ segment }) => toTypedKey(segment));
}

/** An answer to what `askBackground` has asked, of a terminal that took longer than it waits. */
const lateAnswer = /^(?:\[\?[\d;]*c|11;rgba?:[\da-f/]*\u0007?)$/i;

/** A place in the window, from its top left corner on. */
export interface Point {
  readonly column: number;
  readonly row: number;
}

/** The place where the left button of the mouse was pressed, as the terminal says it (SGR); undefined for anything else. */
export function toClickedPoint(input: string): Point | undefined {
  const [, column, row] = /^\[<0;(\d+);(\d+)M$/.exec(input) ?? [];
  return column === undefined || row === undefined ? undefined : { column: Number(column) - 1, row: Number(row) - 1 };
}

/** Whether a text names a key that can arrive: `'c'`, `'G'`, `'enter'`, `'ctrl+x'`, `'alt+shift+up'`. */
export function isKeyName(name: string): boolean {
  const [, modifiers = '', key = ''] = /^((?:(?:ctrl|alt|shift)\+)*)(.+)$/s.exec(name) ?? [];
  if (namedKeys.some(([, known]) => known === key) || key === 'space') return key !== 'esc' || modifiers === '';
  return !modifiers.includes('shift') && [...segmenter.segment(key)].length === 1 && toTypedText(key) !== undefined;
}

/** Characters that nobody types before the tool reads them. */
const MIN_PASTED = 12;

/**
 * A text that a terminal without bracketed paste has put in, as `tmux paste-buffer` does: many characters at once, with a line feed between
 * them, which no one meant as Enter. Undefined for what was typed.
 */
export function toPastedText(input: string, key: Key): string | undefined {
  if (key.ctrl || key.meta || input.length < MIN_PASTED || !/[^\r\n][\r\n]+[^\r\n]/.test(input)) return undefined;
  return /^\P{Cc}[\P{Cc}\r\n\t]*$/u.test(input) ? input : undefined;
}

/** The text that a key types, undefined where it types none. */
export function toTypedText(name: KeyName): string | undefined {
  if (name === 'space') return ' ';
  return name.length > 1 && /^[\u0020-\u007E]+$/.test(name) ? undefined : name;
}

function toNamedKey(key: Key): KeyName | undefined {
  const name = namedKeys.find(([flag]) => key[flag])?.[1];
  if (name === undefined) return undefined;
  const modifiers = [key.ctrl && 'ctrl+', key.meta && name !== 'esc' && 'alt+', key.shift && 'shift+'];
  return modifiers.filter(Boolean).join('') + name;
}

const namedKeys = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'esc'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const satisfies readonly (readonly [keyof Key, string])[];

function toTypedKey(character: string): readonly KeyName[] {
  switch (character) {
    case '\r':
    case '\n':
    case '\r\n':
      return ['enter'];
    case '\t':
      return ['tab'];
    case ' ':
      return ['space'];
    case '\u007F':
    case '\b':
      return ['backspace'];
  }
  const code = character.charCodeAt(0);
  if (code > 0 && code < 27) return [`ctrl+${String.fromCharCode(code + 96)}`];
  return code < 32 ? [] : [character];
}
