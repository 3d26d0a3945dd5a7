import type { ReactNode } from 'react';
import type { KeyHandlers } from '../kit/actions.ts';
import { Keys } from '../kit/keys.tsx';
import { type TextFieldAction, toTextKeys } from '../kit/text-field-state.ts';
import { isJsonObject } from '../values/json.ts';
import {
  cycleEmptyValue,
  editItem,
  editRow,
  movePick,
  openGroup,
  resizeList,
  takesLines,
  typeIntoRow,
} from './edit-form.ts';
import type { FormRow } from './form-rows.ts';
import { type FormState, moveFocus } from './form-state.ts';

export interface FormKeysProps {
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

interface FocusedProps extends FormKeysProps {
  readonly focused: FormRow | undefined;
  readonly children: ReactNode;
}

/** The keys of a form, and of the row that is filled in. Letters are text: none of them is a command. */
export function FormKeys(props: FocusedProps) {
  const { state, formRows, onState, isFocused, takesNull = true, focused } = props;
  const move = (step: 1 | -1): void => onState(moveFocus(formRows, state, step));
  const toNull = (): void => focused && onState(cycleEmptyValue(state, focused));
  return (
    <Keys
      isForm
      isMovement
      isActive={isFocused}
      // A line end inside a pasted text must not send the form.
      onLineEnd={() => move(1)}
      actions={{
        pane: {
          help: 'Go to the next field; with Shift to the one before',
          hint: 'field',
          run: (key) => move(key === 'shift+tab' ? -1 : 1),
        },
        down: { help: 'Go to the next field', hint: undefined, run: () => move(1) },
        up: { help: 'Go to the field before', run: () => move(-1) },
        nothing: takesNull ? toNull : undefined,
      }}
    >
      {focused === undefined ? props.children : <RowKeys {...props} row={focused} />}
    </Keys>
  );
}

interface RowProps extends FocusedProps {
  readonly row: FormRow;
}

/** The keys of the row that is filled in. */
function RowKeys(props: RowProps) {
  const { state, onState, isFocused, row, children } = props;
  const edit = (action: TextFieldAction): void => {
    const isDeleted = action === 'backspace' || action === 'delete';
    onState(editRow(state, row, action), isDeleted ? `deleting ${row.id}` : undefined);
  };
  const { backspace, delete: deleteNext, ...moves } = toTextKeys(edit);
  return (
    <Keys
      isForm
      isMovement
      isActive={isFocused}
      actions={{ backspace, delete: deleteNext, ...(isTyped(row) && moves) }}
      onText={(text) =>
        onState(typeIntoRow(state, row, text), /^\S$/.test(text) ? `typing ${row.id}` : undefined)
      }
    >
      <Keys isForm isActive={isFocused} actions={toValueKeys(props)}>
        {children}
      </Keys>
    </Keys>
  );
}

function isTyped({ role }: FormRow): boolean {
  return role === 'typed' || role === 'name';
}

/** The keys of the kind of value that a row has. */
function toValueKeys({ state, onState, row, ...options }: RowProps): KeyHandlers {
  const { takesNull = true, onComplete } = options;
  const { role, item, field, value } = row;
  const isFolded = field.kind.kind === 'group' && !isJsonObject(value);
  const openFields = (): void => onState(openGroup(state, row));
  const pick = (step: 1 | -1) => (): void =>
    onState(movePick(state, row, { step, takesNone: takesNull }));
  const resize = (step: 1 | -1) => (): void => onState(resizeList(state, row, step));
  const isPath = onComplete !== undefined && field.kind.kind === 'file';
  return {
    ...(role === 'picked' && {
      toggle: { help: 'The next value', hint: 'change', run: pick(1) },
      open: { help: 'The next value', run: pick(1) },
      close: { help: 'The previous value', run: pick(-1) },
    }),
    // Nothing is typed into a list.
    ...(role === 'items' && {
      more: { keys: ['+'], help: 'Add an item', hint: 'add', run: resize(1) },
      less: { keys: ['-'], help: 'Remove the last item', hint: 'remove', run: resize(-1) },
      open: { help: 'Add an item', run: resize(1) },
      close: { help: 'Remove the last item', run: resize(-1) },
    }),
    // An object that is not there has no fields below it.
    ...(isFolded && {
      toggle: { help: 'Fill in its fields', hint: 'fill in', run: openFields },
      open: { help: 'Fill in its fields', run: openFields },
    }),
    ...(isPath && {
      pane: {
        keys: ['tab'],
        help: 'Complete the path, or go to the next field',
        hint: 'complete',
        run: () => onComplete(row),
      },
    }),
    ...(item !== undefined && {
      insert: {
        help: 'Insert an item below this one',
        hint: undefined,
        run: () => onState(editItem(state, { ...row, item }, 'insert')),
      },
      remove: () => onState(editItem(state, { ...row, item }, 'remove')),
    }),
    ...(isTyped(row) && takesLines(row) && { line: () => onState(typeIntoRow(state, row, '\n')) }),
  };
}
