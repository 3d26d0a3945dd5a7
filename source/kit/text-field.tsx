import { Text } from 'ink';
import { Keys } from './keys.tsx';
import { cutText, textWidth, toCharacters } from './text.ts';
import { editText, type TextFieldState, toTextKeys, typeText } from './text-field-state.ts';
import { signs } from './theme.ts';
import { useUi } from './use-ui.ts';

export interface TextFieldProps
  extends Pick<TextViewProps, 'columns' | 'isFocused' | 'placeholder' | 'mask'> {
  readonly state: TextFieldState;
  readonly onState: (state: TextFieldState) => void;
}

/** One line to type in. It has the keys, and draws the cursor, where it `isFocused`. */
export function TextField({ state, onState, isFocused = true, ...view }: TextFieldProps) {
  return (
    <Keys
      isForm
      isMovement
      isActive={isFocused}
      actions={toTextKeys((action) => onState(editText(state, action)))}
      onText={(text) => onState(typeText(state, text))}
    >
      <TextView {...view} text={state.text} cursor={state.cursor} isFocused={isFocused} />
    </Keys>
  );
}

export interface TextViewProps {
  readonly text: string;
  readonly cursor: number;
  readonly columns: number;
  readonly isFocused?: boolean;
  readonly placeholder?: string | undefined;
  /** Gives what is shown in place of the text, as many characters. */
  readonly mask?: ((text: string) => string) | undefined;
}

/** A text that is being typed, on one line; what is wider than the place scrolls under the cursor. */
export function TextView(props: TextViewProps) {
  const {
    text,
    cursor,
    columns,
    isFocused = true,
    placeholder = '',
    mask = (same: string) => same,
  } = props;
  // Where nothing can be inverse, a sign stands before the character that is typed at, and an example in brackets.
  const cursorSign = useUi().terminal.environment['FORCE_COLOR'] === '0' ? signs.bar : '';
  const isEmpty = text === '';
  const example = cursorSign === '' || placeholder === '' ? placeholder : `(${placeholder})`;
  const shown = toShown(isEmpty ? example : mask(text));
  if (!isFocused) {
    return (
      <Text wrap="truncate-end" dimColor={isEmpty}>
        {cutText(shown, columns)}
      </Text>
    );
  }
  const { before, at, after } = toVisible(
    toCharacters(shown),
    isEmpty ? 0 : cursor,
    columns - textWidth(cursorSign),
  );
  return (
    <Text wrap="truncate-end" dimColor={isEmpty}>
      {before}
      {cursorSign}
      <Text inverse>{at}</Text>
      {after}
    </Text>
  );
}

/** The text may hold anything: a default, a past call, what was pasted. */
function toShown(text: string): string {
  return text
    .replaceAll('\n', signs.newline)
    .replaceAll('\t', signs.tab)
    .replaceAll(/\p{Cc}/gu, '?');
}

/** The part of a long text that is drawn: the end of what precedes the cursor, and what has room behind it. */
function toVisible(characters: readonly string[], cursor: number, columns: number) {
  const at = characters[cursor] ?? ' ';
  let start = cursor;
  let used = textWidth(at);
  while (start > 0 && used + textWidth(characters[start - 1] ?? '') <= columns)
    used += textWidth(characters[--start] ?? '');
  const isCut = start > 0 && cursor - start > 1;
  const before =
    (isCut ? signs.more : '') + characters.slice(isCut ? start + 1 : start, cursor).join('');
  const room = Math.max(0, columns - textWidth(before) - textWidth(at));
  const rest = characters.slice(cursor + 1, cursor + 2 + room).join('');
  return { before, at, after: cutText(rest, room) };
}
