import { toHandlers } from './actions.ts';
import { toCharacters } from './text.ts';

/** A line of text that is being typed. */
export interface TextFieldState {
  readonly text: string;
  /** Characters before the cursor. */
  readonly cursor: number;
}

const textFieldActions = [
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
] as const;
export type TextFieldAction = (typeof textFieldActions)[number];

/** The keys that move in a text and delete parts of it. */
export function toTextKeys(edit: (action: TextFieldAction) => void) {
  return toHandlers(textFieldActions, edit);
}

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
  const added = hasLines ? typed.replace(/\r\n?/g, '\n') : typed.replace(/\s*[\r\n]+\s*/g, ' ');
  const before = characters.slice(0, cursor).join('') + added;
  return { text: before + characters.slice(cursor).join(''), cursor: toCharacters(before).length };
}

export function editText(state: TextFieldState, action: TextFieldAction): TextFieldState {
  const { cursor } = state;
  const characters = toCharacters(state.text);
  const end = characters.length;
  const wordStart = toWordStart(characters, cursor);
  const moves: { readonly [Action in TextFieldAction]?: number } = {
    left: Math.max(0, cursor - 1),
    right: Math.min(end, cursor + 1),
    start: 0,
    end,
    wordLeft: wordStart,
    wordRight: toWordEnd(characters, cursor),
  };
  const moved = moves[action];
  if (moved !== undefined) return { ...state, cursor: moved };
  const cuts: { readonly [Action in TextFieldAction]?: readonly [from: number, to: number] } = {
    backspace: [Math.max(0, cursor - 1), cursor],
    delete: [cursor, cursor + 1],
    deleteWord: [wordStart, cursor],
    deleteLine: [0, cursor],
    deleteRest: [cursor, end],
  };
  const [from, to] = cuts[action] ?? [cursor, cursor];
  return { text: [...characters.slice(0, from), ...characters.slice(to)].join(''), cursor: from };
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
