import type { Key } from 'ink';
import { toCharacters } from '../text/text-width.ts';

/** A key as the key tables name it: `'a'`, `'G'`, `'enter'`, `'ctrl+p'`, `'shift+tab'`. */
export type KeyName = string;

/** Begins the keys of two strokes, as in readline: `ctrl+x e` is Ctrl-X Ctrl-E, and Ctrl-X E. */
export const LEADER = 'ctrl+x';

/** The keys in an input of the terminal: fast typing arrives as one text. Pasted text does not come here. */
export function toKeyNames(input: string, key: Key): readonly KeyName[] {
  const named = toNamedKey(key);
  if (named !== undefined) return [named];
  if (key.ctrl) return input === '' ? [] : [input === '`' || input === ' ' ? 'ctrl+space' : `ctrl+${input}`];
  if (key.meta) return input === '' ? [] : [`alt+${input}`];
  return toCharacters(input).flatMap(toTypedKey);
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
