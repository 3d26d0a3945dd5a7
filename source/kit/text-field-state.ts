import { toBindings } from './actions.ts';
import { toCharacters } from './text.ts';

/** A line of text that is being typed. */
export interface TextFieldState {
  readonly text: string;
  /** Characters before the cursor. */
  readonly cursor: number;
}

export const textFieldBindings = toBindings([
  'backspace',
  'delete',
  'left',
  'right',
  'start',
  'end',
  'wordLeft',
  'wordRight',
  'deleteWord',
  'deleteLine',
  'deleteRest',
]);
export type TextFieldAction = (typeof textFieldBindings)[number]['action'];

export function toTextField(text: string): TextFieldState {
  return { text, cursor: toCharacters(text).length };
}

/** Puts text in at the cursor; it stays one line, unless it `hasLines`. */
export function typeText(
  state: TextFieldState,
  typed: string,
  { hasLines = false }: { readonly hasLines?: boolean } = {},
): TextFieldState {
  const { text, cursor } = state;
  const characters = toCharacters(text);
  const added = hasLines ? typed : typed.replace(/\s*[\r\n]+\s*/g, ' ');
  const before = characters.slice(0, cursor).join('') + added;
  return { text: before + characters.slice(cursor).join(''), cursor: toCharacters(before).length };
}

export function editText(state: TextFieldState, action: TextFieldAction): TextFieldState {
  const characters = toCharacters(state.text);
  const { cursor } = state;
  const without = (from: number, to: number): TextFieldState => ({
    text: [...characters.slice(0, from), ...characters.slice(to)].join(''),
    cursor: from,
  });
  const moved = (to: number): TextFieldState => ({ ...state, cursor: to });
  switch (action) {
    case 'backspace':
      return without(Math.max(0, cursor - 1), cursor);
    case 'delete':
      return without(cursor, cursor + 1);
    case 'left':
      return moved(Math.max(0, cursor - 1));
    case 'right':
      return moved(Math.min(characters.length, cursor + 1));
    case 'start':
      return moved(0);
    case 'end':
      return moved(characters.length);
    case 'wordLeft':
      return moved(toWordStart(characters, cursor));
    case 'wordRight':
      return moved(toWordEnd(characters, cursor));
    case 'deleteWord':
      return without(toWordStart(characters, cursor), cursor);
    case 'deleteLine':
      return without(0, cursor);
    case 'deleteRest':
      return without(cursor, characters.length);
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
