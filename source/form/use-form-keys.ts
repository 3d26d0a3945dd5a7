import { useMemo } from 'react';
import { toBindings, toFormBindings } from '../kit/actions.ts';
import { keyPriority } from '../kit/key-stack.ts';
import { type TextFieldAction, textFieldBindings } from '../kit/text-field-state.ts';
import { useKeys } from '../kit/use-keys.ts';
import {
  cycleEmptyValue,
  editItem,
  editRow,
  movePick,
  resizeList,
  takesLines,
  typeIntoRow,
} from './edit-form.ts';
import type { FormRow } from './form-rows.ts';
import { type FormState, moveFocus } from './form-state.ts';

export interface FormKeysOptions {
  readonly state: FormState;
  readonly formRows: readonly FormRow[];
  /** `run`: changes of the same one are undone together. */
  readonly onState: (state: FormState, run?: string) => void;
  readonly isFocused: boolean;
  /** Whether null and empty values differ from no value. A form for names does not distinguish them. @default true */
  readonly takesNull?: boolean;
  /** Completes the path of a file that is typed in a row, or goes on to the next one. @default Tab goes on */
  readonly onComplete?: ((row: FormRow) => void) | undefined;
}

const formBindings = toFormBindings(['pane', 'down', 'up', 'nothing'], {
  pane: { help: 'Go to the next field; with Shift to the one before', hint: 'field' },
  down: { help: 'Go to the next field', hint: undefined },
  up: { help: 'Go to the field before' },
});
const plainBindings = formBindings.filter(({ action }) => action !== 'nothing');
const pickBindings = toFormBindings(['toggle', 'open', 'close'], {
  toggle: { help: 'The next value', hint: 'change' },
  open: { help: 'The next value' },
  close: { help: 'The previous value' },
});
// Nothing is typed into a list.
const sizeBindings = toBindings(['more', 'less', 'open', 'close'], {
  more: { help: 'Add an item', hint: 'add' },
  less: { help: 'Remove the last item', hint: 'remove' },
  open: { help: 'Add an item', keys: ['right'] },
  close: { help: 'Remove the last item', keys: ['left'] },
});
const itemBindings = toFormBindings(['insert', 'remove'], {
  insert: { help: 'Insert an item below this one', hint: undefined },
});
const lineBindings = toFormBindings(['line']);
const pathBindings = toFormBindings(['pane'], {
  pane: { keys: ['tab'], help: 'Complete the path, or go to the next field', hint: 'complete' },
});
const clearBindings = textFieldBindings.filter(
  ({ action }) => action === 'backspace' || action === 'delete',
);

/** The keys of a form, and of the row that is filled in. Letters are text: none of them is a command. */
export function useFormKeys(options: FormKeysOptions, focused: FormRow | undefined): void {
  const { state, formRows, onState, isFocused, takesNull = true } = options;
  useKeys<'pane' | 'down' | 'up' | 'nothing'>({
    title: 'Form',
    bindings: takesNull ? formBindings : plainBindings,
    priority: keyPriority.pane,
    isMovement: true,
    isActive: isFocused,
    onAction: (action, key) => {
      if (action === 'nothing') return focused && onState(cycleEmptyValue(state, focused));
      onState(moveFocus(formRows, state, action === 'up' || key === 'shift+tab' ? -1 : 1));
    },
  });
  const isTyped = focused?.role === 'typed' || focused?.role === 'name';
  useKeys<TextFieldAction>({
    title: 'Text',
    bindings: isTyped ? textFieldBindings : clearBindings,
    priority: keyPriority.field,
    isMovement: true,
    isActive: isFocused && focused !== undefined,
    onAction: (action) => {
      if (focused === undefined) return;
      const run =
        action === 'backspace' || action === 'delete' ? `deleting ${focused.id}` : undefined;
      onState(editRow(state, focused, action), run);
    },
    onText: (text) => {
      if (focused === undefined) return;
      onState(
        typeIntoRow(state, focused, text),
        /^\S$/.test(text) ? `typing ${focused.id}` : undefined,
      );
    },
  });
  useRowKeys(options, isTyped, focused);
}

/** The keys of the kind of value that a row has. */
function useRowKeys(
  { state, onState, isFocused, takesNull = true, onComplete }: FormKeysOptions,
  isTyped: boolean,
  focused: FormRow | undefined,
): void {
  const { role, item, field } = focused ?? {};
  const isPath = onComplete !== undefined && field?.kind.kind === 'file';
  const hasLines = isTyped && focused !== undefined && takesLines(focused);
  const isItem = item !== undefined;
  const bindings = useMemo(
    () => [
      ...(role === 'picked' ? pickBindings : []),
      ...(role === 'items' ? sizeBindings : []),
      ...(isPath ? pathBindings : []),
      ...(isItem ? itemBindings : []),
      ...(hasLines ? lineBindings : []),
    ],
    [role, isPath, isItem, hasLines],
  );
  useKeys<(typeof bindings)[number]['action']>({
    title: 'Value',
    bindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && bindings.length > 0,
    onAction: (action) => {
      if (focused === undefined) return;
      if (action === 'pane') return onComplete?.(focused);
      if (action === 'line') return onState(typeIntoRow(state, focused, '\n'));
      if (action === 'insert' || action === 'remove')
        return item && onState(editItem(state, { ...focused, item }, action));
      const step = action === 'close' || action === 'less' ? -1 : 1;
      onState(
        role === 'items'
          ? resizeList(state, focused, step)
          : movePick(state, focused, { step, takesNone: takesNull }),
      );
    },
  });
}
