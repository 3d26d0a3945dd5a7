import type { FormField } from '../../shape/form-field.ts';
import type { FormNode } from './form-node.ts';
import { type FormPath, toPathId, withNode } from './form-path.ts';
import type { FormRow } from './form-rows.ts';
import { toFilledNode } from './value/to-filled-node.ts';

/** The fields of a form, and what has been said. */
export interface Form {
  readonly field: FormField;
  readonly state: FormState;
}

/** The contents of a form. */
export interface FormState {
  readonly root: FormNode;
  /** Id of the row that is being filled in. */
  readonly focus: string | undefined;
}

/** A form that says a value: a replayed call, the words of the command line. Undefined leaves it empty. */
export function toFilledForm(field: FormField, value: unknown): FormState {
  return { root: toFilledNode(field, value), focus: undefined };
}

/** The form with another node at a path, and the row there in focus. */
export function withNodeAt(
  { field, state }: Form,
  path: FormPath,
  update: (node: FormNode, field: FormField) => FormNode,
): FormState {
  const root = withNode({ field, node: state.root }, path, (place) => update(place.node, place.field));
  return { root, focus: toPathId(path) };
}

/** The row that is being filled in: the one with the focus, else the first inside of it that can be, else the first of all. */
export function findFocused(rows: readonly FormRow[], { focus }: FormState): FormRow | undefined {
  const editable = rows.filter(({ isEditable }) => isEditable);
  if (focus === undefined) return editable[0];
  const inside = `${focus.slice(0, -1)},`;
  return editable.find(({ id }) => id === focus) ?? editable.find(({ id }) => id.startsWith(inside)) ?? editable[0];
}

/** Goes to the next field, or to the one before; from the last to the first. */
export function moveFocus(rows: readonly FormRow[], state: FormState, step: 1 | -1): FormState {
  const editable = rows.filter(({ isEditable }) => isEditable);
  const at = editable.findIndex(({ id }) => id === findFocused(rows, state)?.id);
  return { ...state, focus: editable[(at + step + editable.length) % Math.max(1, editable.length)]?.id };
}
