import { Text } from 'ink';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { cutText, textWidth, toCharacters } from '../text/text-width.ts';
import type { Symbols } from '../theme/tokens.ts';
import { useUi } from '../theme/use-ui.ts';
import { editText, type TextFieldState, textFieldBindings, typeText } from './text-field-state.ts';

export interface TextFieldProps {
  readonly state: TextFieldState;
  readonly onState: (state: TextFieldState) => void;
  readonly columns: number;
  /** Whether it has the keys; only then the cursor is drawn. @default true */
  readonly isFocused?: boolean;
  readonly placeholder?: string;
  /** Gives what is shown in place of the text, as many characters. */
  readonly mask?: ((text: string) => string) | undefined;
  /** @default keyPriority.field */
  readonly priority?: number;
}

/** One line to type in; a text that is wider than the place scrolls under the cursor. */
export function TextField({
  state,
  onState,
  columns,
  isFocused = true,
  placeholder = '',
  mask = (text) => text,
  priority = keyPriority.field,
}: TextFieldProps) {
  const { symbols } = useUi();
  useKeys({
    title: 'Text',
    bindings: textFieldBindings,
    priority,
    isMovement: true,
    isActive: isFocused,
    onAction: (action) => onState(editText(state, action)),
    onText: (text) => onState(typeText(state, text)),
  });
  // A default or a past call may hold anything.
  const withoutControl = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?');
  const hint = withoutControl(placeholder);
  const shown = withoutControl(mask(state.text));
  if (state.text === '' && !isFocused) return <Text dimColor>{cutText(hint, columns, symbols.ellipsis)}</Text>;
  if (!isFocused) return <Text wrap="truncate-end">{cutText(shown, columns, symbols.ellipsis)}</Text>;
  const room = columns - textWidth(symbols.cursor);
  if (state.text === '') {
    const [at = ' ', ...after] = toCharacters(cutText(hint, room, symbols.ellipsis));
    return (
      <Text wrap="truncate-end" dimColor>
        {symbols.cursor}
        <Text inverse>{at}</Text>
        {after.join('')}
      </Text>
    );
  }
  const { before, at, after } = toVisible({ text: shown, cursor: state.cursor }, room, symbols);
  return (
    <Text wrap="truncate-end">
      {before}
      {symbols.cursor}
      <Text inverse>{at}</Text>
      {after}
    </Text>
  );
}

/** What of a long text is drawn: the end of what is before the cursor, and as much of the rest as there is room for. */
function toVisible({ text, cursor }: TextFieldState, columns: number, symbols: Symbols) {
  const characters = toCharacters(text);
  const at = characters[cursor] ?? ' ';
  let start = cursor;
  let used = textWidth(at);
  while (start > 0 && used + textWidth(characters[start - 1] ?? '') <= columns)
    used += textWidth(characters[--start] ?? '');
  const isCut = start > 0 && cursor - start > 1;
  const before = (isCut ? symbols.more : '') + characters.slice(isCut ? start + 1 : start, cursor).join('');
  const room = Math.max(0, columns - textWidth(before) - textWidth(at));
  return {
    before,
    at,
    after: cutText(characters.slice(cursor + 1, cursor + 2 + room).join(''), room, symbols.ellipsis),
  };
}
