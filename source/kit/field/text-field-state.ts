import { toBindings } from '../keys/actions.ts';
import { toCharacters } from '../text/text-width.ts';

/** A line of text that is being typed. */
export interface TextFieldState {
  readonly text: string;
  /** Characters before the cursor. */
  readonly cursor: number;
  /** The texts before each edit that can be undone, the last one last. */
  readonly past?: readonly Pick<TextFieldState, 'text' | 'cursor'>[];
  /** Edits of the same kind, one after the other, are undone as one: a word that is typed, letters that are deleted. */
  readonly run?: 'typing' | 'deleting' | undefined;
}

/** The number of edits that can be undone. */
const MAX_PAST = 100;

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
  'undo',
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
  const next = { text: before + characters.slice(cursor).join(''), cursor: toCharacters(before).length };
  return toEdited(state, next, /^\S$/.test(typed) ? 'typing' : undefined);
}

function toEdited(
  state: TextFieldState,
  next: Pick<TextFieldState, 'text' | 'cursor'>,
  run: TextFieldState['run'],
): TextFieldState {
  const { text, cursor, past = [] } = state;
  if (next.text === text) return state;
  const continues = run !== undefined && run === state.run;
  return { ...next, run, past: continues ? past : [...past, { text, cursor }].slice(-MAX_PAST) };
}

export function editText(state: TextFieldState, action: TextFieldAction): TextFieldState {
  const characters = toCharacters(state.text);
  const { cursor, past = [] } = state;
  const without = (from: number, to: number, run?: 'deleting'): TextFieldState =>
    toEdited(state, { text: [...characters.slice(0, from), ...characters.slice(to)].join(''), cursor: from }, run);
  const moved = (to: number): TextFieldState => ({ ...state, cursor: to, run: undefined });
  switch (action) {
    case 'backspace':
      return without(Math.max(0, cursor - 1), cursor, 'deleting');
    case 'delete':
      return without(cursor, cursor + 1, 'deleting');
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
    case 'undo': {
      const last = past.at(-1);
      return last === undefined ? state : { ...last, past: past.slice(0, -1) };
    }
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
