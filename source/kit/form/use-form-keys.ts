import { type TextFieldAction, textFieldBindings } from '../field/text-field-state.ts';
import type { KeyBinding } from '../keys/key-binding.ts';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { editItem, type ItemAction, resizeList } from './edit-item.ts';
import { editRow, moveCursor, movePick, moveSaying, takesLines, toTextState, typeIntoRow } from './edit-row.ts';
import { findLineMove } from './find-line-move.ts';
import type { FormRow, ItemPlace } from './form-rows.ts';
import { type Form, type FormState, moveFocus } from './form-state.ts';

export interface FormKeysOptions {
  readonly form: Form;
  readonly formRows: readonly FormRow[];
  /** `run`: changes of the same one are undone together. */
  readonly onState: (state: FormState, run?: string) => void;
  readonly isFocused: boolean;
  /** Whether null and empty values are told from none. A form that asks for names does not. @default true */
  readonly takesNull?: boolean;
  /** Completes the path of a file that is typed in a row, or goes on to the next one. @default Tab goes on */
  readonly onComplete?: ((row: FormRow) => void) | undefined;
}

type FormAction = 'next' | 'previous' | 'say';
type PickAction = 'pick' | 'pickBack';
type SizeAction = 'more' | 'fewer';

const formBindings: readonly KeyBinding<FormAction>[] = [
  { action: 'next', keys: ['tab', 'down', 'wheeldown'], help: 'Go to the next field', hint: 'field' },
  { action: 'previous', keys: ['shift+tab', 'up', 'wheelup'], help: 'Go to the previous field' },
  { action: 'say', keys: ['ctrl+n'], help: 'Make it null or empty, or leave it out', hint: 'null' },
];
const plainBindings = formBindings.filter(({ action }) => action !== 'say');
const pickBindings: readonly KeyBinding<PickAction>[] = [
  { action: 'pick', keys: ['space', 'right'], help: 'The next value', hint: 'change' },
  { action: 'pickBack', keys: ['left'], help: 'The previous value' },
];
const sizeBindings: readonly KeyBinding<SizeAction>[] = [
  { action: 'more', keys: ['+', 'right'], help: 'Add an item', hint: 'add' },
  { action: 'fewer', keys: ['-', 'left'], help: 'Remove the last item', hint: 'remove' },
];
const itemBindings: readonly KeyBinding<ItemAction>[] = [
  { action: 'insert', keys: ['ctrl+x i', 'alt+i'], help: 'Insert an item below this one' },
  { action: 'remove', keys: ['ctrl+x d', 'alt+d'], help: 'Remove this item', hint: 'remove item' },
  { action: 'moveUp', keys: ['ctrl+x p', 'alt+up'], help: 'Move this item up' },
  { action: 'moveDown', keys: ['ctrl+x n', 'alt+down'], help: 'Move this item down' },
  { action: 'duplicate', keys: ['ctrl+x c', 'alt+c'], help: 'Duplicate this item' },
];
const lineBindings: readonly KeyBinding<'line'>[] = [
  { action: 'line', keys: ['ctrl+x enter', 'alt+enter'], help: 'Begin a new line', hint: 'new line' },
];
const pathBindings: readonly KeyBinding<'complete'>[] = [
  { action: 'complete', keys: ['tab'], help: 'Complete the path, or go to the next field', hint: 'complete' },
];
const upBinding = { action: 'up', keys: ['up'], help: 'A line up' } as const satisfies KeyBinding;
const downBinding = { action: 'down', keys: ['down'], help: 'A line down' } as const satisfies KeyBinding;
const moveBindings = { up: [upBinding], down: [downBinding], both: [upBinding, downBinding] } as const;
/** The form undoes as a whole. */
const textBindings = textFieldBindings.filter(({ action }) => action !== 'undo');
const clearBindings = textBindings.filter(({ action }) => action === 'backspace' || action === 'delete');

/** The keys of a form, and of the row that is filled in. Letters go to it, whatever it is: none of them is a command. */
export function useFormKeys(options: FormKeysOptions, focused: FormRow | undefined): void {
  const { form, formRows, onState, isFocused, takesNull = true } = options;
  useKeys<FormAction>({
    title: 'Form',
    bindings: takesNull ? formBindings : plainBindings,
    priority: keyPriority.pane,
    isMovement: true,
    isActive: isFocused,
    onAction: (action) => {
      if (action !== 'say') onState(moveFocus(formRows, form.state, action === 'next' ? 1 : -1));
      else if (focused !== undefined) onState(moveSaying(form, focused));
    },
  });
  useKeys<PickAction>({
    title: 'Value',
    bindings: pickBindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && focused?.role === 'picked',
    onAction: (action) => focused && onState(movePick(form, focused, action === 'pick' ? 1 : -1)),
  });
  useKeys<SizeAction>({
    title: 'Items',
    bindings: sizeBindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && focused?.role === 'items',
    onAction: (action) => focused && onState(resizeList(form, focused, action === 'more' ? 1 : -1)),
  });
  useKeys({
    title: 'File',
    bindings: pathBindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && options.onComplete !== undefined && focused?.field.kind.kind === 'file',
    onAction: () => focused && options.onComplete?.(focused),
  });
  useItemKeys(options, focused);
  useTextKeys(options, focused);
}

function useItemKeys({ form, onState, isFocused }: FormKeysOptions, focused: FormRow | undefined): void {
  const item: ItemPlace | undefined = focused?.item;
  useKeys<ItemAction>({
    title: 'Items',
    bindings: itemBindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && item !== undefined,
    onAction: (action) => {
      if (focused !== undefined && item !== undefined) onState(editItem(form, { ...focused, item }, action));
    },
  });
}

function useTextKeys({ form, onState, isFocused }: FormKeysOptions, focused: FormRow | undefined): void {
  const isTyped = focused?.role === 'typed';
  const hasLines = isTyped && focused !== undefined && takesLines(focused);
  useKeys<TextFieldAction>({
    title: 'Text',
    bindings: isTyped ? textBindings : clearBindings,
    priority: keyPriority.field,
    isMovement: true,
    isActive: isFocused && focused !== undefined,
    onAction: (action) => {
      if (focused === undefined) return;
      const run = action === 'backspace' || action === 'delete' ? `deleting ${focused.id}` : undefined;
      onState(editRow(form, focused, action), run);
    },
    onText: (text) => {
      if (focused === undefined) return;
      onState(typeIntoRow(form, focused, text), /^\S$/.test(text) ? `typing ${focused.id}` : undefined);
    },
  });
  useKeys({
    title: 'Text',
    bindings: lineBindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && hasLines,
    onAction: () => focused && onState(typeIntoRow(form, focused, '\n')),
  });
  const text = focused === undefined ? undefined : toTextState(focused);
  const up = isTyped && text ? findLineMove(text, -1) : undefined;
  const down = isTyped && text ? findLineMove(text, 1) : undefined;
  useKeys<'up' | 'down'>({
    title: 'Text',
    bindings: moveBindings[up === undefined ? 'down' : down === undefined ? 'up' : 'both'],
    priority: keyPriority.field + 2,
    isMovement: true,
    isActive: isFocused && hasLines && (up ?? down) !== undefined,
    onAction: (action) => {
      const cursor = action === 'up' ? up : down;
      if (focused !== undefined && cursor !== undefined) onState(moveCursor(form, focused, cursor));
    },
  });
}
