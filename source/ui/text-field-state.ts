import type { KeyBinding } from './key-table.ts';
import { toCharacters } from './text-width.ts';

/** A line of text that is being typed. */
export interface TextFieldState {
  readonly text: string;
  /** Characters before the cursor. */
  readonly cursor: number;
}

export type TextFieldAction =
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'start'
  | 'end'
  | 'wordLeft'
  | 'wordRight'
  | 'deleteWord'
  | 'deleteLine';

export const textFieldBindings: readonly KeyBinding<TextFieldAction>[] = [
  { action: 'backspace', keys: ['backspace', 'delete'], help: 'Delete backwards' },
  { action: 'delete', keys: ['ctrl+d'], help: 'Delete forwards' },
  { action: 'left', keys: ['left', 'ctrl+b'], help: 'Left' },
  { action: 'right', keys: ['right', 'ctrl+f'], help: 'Right' },
  { action: 'start', keys: ['home', 'ctrl+a'], help: 'To the start' },
  { action: 'end', keys: ['end', 'ctrl+e'], help: 'To the end' },
  { action: 'wordLeft', keys: ['alt+b', 'ctrl+left', 'alt+left'], help: 'A word left' },
  { action: 'wordRight', keys: ['alt+f', 'ctrl+right', 'alt+right'], help: 'A word right' },
  { action: 'deleteWord', keys: ['ctrl+w', 'alt+backspace'], help: 'Delete the word before' },
  { action: 'deleteLine', keys: ['ctrl+u'], help: 'Delete everything before' },
];

export function toTextField(text: string): TextFieldState {
  return { text, cursor: toCharacters(text).length };
}

/** Puts text in at the cursor; it stays one line. */
export function typeText({ text, cursor }: TextFieldState, typed: string): TextFieldState {
  const characters = toCharacters(text);
  const before = characters.slice(0, cursor).join('') + typed.replace(/\s*[\r\n]+\s*/g, ' ');
  return { text: before + characters.slice(cursor).join(''), cursor: toCharacters(before).length };
}

export function editText(state: TextFieldState, action: TextFieldAction): TextFieldState {
  const characters = toCharacters(state.text);
  const { cursor } = state;
  const without = (from: number, to: number): TextFieldState => ({
    text: [...characters.slice(0, from), ...characters.slice(to)].join(''),
    cursor: from,
  });
  switch (action) {
    case 'backspace':
      return cursor === 0 ? state : without(cursor - 1, cursor);
    case 'delete':
      return without(cursor, cursor + 1);
    case 'left':
      return { ...state, cursor: Math.max(0, cursor - 1) };
    case 'right':
      return { ...state, cursor: Math.min(characters.length, cursor + 1) };
    case 'start':
      return { ...state, cursor: 0 };
    case 'end':
      return { ...state, cursor: characters.length };
    case 'wordLeft':
      return { ...state, cursor: toWordStart(characters, cursor) };
    case 'wordRight':
      return { ...state, cursor: toWordEnd(characters, cursor) };
    case 'deleteWord':
      return without(toWordStart(characters, cursor), cursor);
    case 'deleteLine':
      return without(0, cursor);
  }
}

function toWordStart(characters: readonly string[], cursor: number): number {
  let at = cursor;
  while (at > 0 && !isWord(characters[at - 1])) at--;
  while (at > 0 && isWord(characters[at - 1])) at--;
  return at;
}

function toWordEnd(characters: readonly string[], cursor: number): number {
  let at = cursor;
  while (at < characters.length && !isWord(characters[at])) at++;
  while (at < characters.length && isWord(characters[at])) at++;
  return at;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
