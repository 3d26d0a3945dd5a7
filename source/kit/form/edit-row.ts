import { editText, type TextFieldAction, type TextFieldState, typeText } from '../field/text-field-state.ts';
import { type FormNode, findChoices, type TypedNode, toTypedNode, unset } from './form-node.ts';
import type { FormRow } from './form-rows.ts';
import { type Form, type FormState, withNodeAt } from './form-state.ts';

/** The text that is typed in a row; empty where its value is not a text. */
export function toTextState({ node }: Pick<FormRow, 'node'>): TextFieldState {
  return node.kind === 'text' || node.kind === 'json'
    ? { text: node.text, cursor: node.cursor }
    : { text: '', cursor: 0 };
}

/** Whether a row takes a text of several lines. */
export function takesLines({ field, node }: Pick<FormRow, 'field' | 'node'>): boolean {
  const { kind } = field;
  return node.kind === 'json' || kind.kind === 'json' || (kind.kind === 'text' && kind.isOneLine !== true);
}

/** Puts a text in at the cursor as it is; where a row has one line, line feeds become blanks. A row that is picked goes to the next value that begins so. */
export function typeIntoRow(form: Form, row: FormRow, typed: string): FormState {
  if (row.role === 'picked') return pickByText(form, row, typed);
  if (row.role !== 'typed') return form.state;
  const text = takesLines(row) ? typed.replace(/\r\n?/g, '\n') : typed.replace(/\s*[\r\n]+\s*/g, ' ');
  return withText(form, row, typeText(toTextState(row), text, { hasLines: true }));
}

/** Edits the text of a row. What is deleted to its end is left out again; deleting null, a value that was picked or a list does the same. */
export function editRow(form: Form, row: FormRow, action: TextFieldAction): FormState {
  const isTyped = row.node.kind === 'text' || row.node.kind === 'json';
  if (isTyped) return withText(form, row, editText(toTextState(row), action));
  return action === 'backspace' || action === 'delete' ? withNodeAt(form, row.path, () => unset) : form.state;
}

/** Puts the cursor of a text elsewhere. */
export function moveCursor(form: Form, row: FormRow, cursor: number): FormState {
  return withNodeAt(form, row.path, (node) =>
    node.kind === 'text' || node.kind === 'json' ? { ...node, cursor } : node,
  );
}

function withText(form: Form, row: FormRow, { text, cursor }: TextFieldState): FormState {
  const { node, field } = row;
  const kind: TypedNode['kind'] = node.kind === 'json' ? 'json' : 'text';
  const isGone = text === '' && (toTextState(row).text !== '' || node.kind === 'text');
  const isKept = isGone && field.isItem === true && field.kind.kind === 'text';
  const next: FormNode = isGone && !isKept ? unset : { kind: isGone ? 'text' : kind, text, cursor };
  return withNodeAt(form, row.path, () => next);
}

/** Picks the next value; after the last none, where the form tells none from a value. */
export function movePick(form: Form & { readonly takesNone?: boolean }, row: FormRow, step: 1 | -1): FormState {
  const { takesNone = true } = form;
  const choices = findChoices(row.field) ?? [];
  const first = takesNone ? -1 : 0;
  const count = choices.length - first;
  const byDefault = choices.findIndex((choice) => JSON.stringify(choice) === row.field.default);
  const at = findPicked(row) ?? (takesNone ? -1 : byDefault);
  return pick(form, row, ((at - first + step + count) % count) + first);
}

/** Index of the value that is picked, undefined where none is. */
export function findPicked({ node }: Pick<FormRow, 'node'>): number | undefined {
  return node.kind === 'pick' || node.kind === 'variant' ? node.index : undefined;
}

function pickByText(form: Form, row: FormRow, typed: string): FormState {
  const texts = (findChoices(row.field) ?? []).map((value) => String(value).toLowerCase());
  const from = (findPicked(row) ?? -1) + 1;
  const order = texts.map((_, index) => (from + index) % texts.length);
  const found = order.find((index) => texts[index]?.startsWith(typed.toLowerCase()));
  return found === undefined ? form.state : pick(form, row, found);
}

function pick(form: Form, { path, field }: FormRow, index: number): FormState {
  return withNodeAt(form, path, (node) => {
    if (field.kind.kind !== 'union') return index === -1 ? unset : { kind: 'pick', index };
    const nodes = node.kind === 'variant' ? node.nodes : {};
    return index === -1 ? unset : { kind: 'variant', index, nodes };
  });
}

/** Says next what a field can say beside a value of its own: null, its empty value, nothing at all. */
export function moveSaying(form: Form, { path, field, node }: FormRow): FormState {
  const empty = toEmptyNode(field.kind.kind);
  const nothing: FormNode = { kind: 'null' };
  const sayings = [
    ...(field.isNullable ? [nothing] : []),
    ...(empty ? [empty] : []),
    ...(field.isNullable ? [] : [nothing]),
    unset,
  ];
  const at = sayings.findIndex((each) => JSON.stringify(each) === JSON.stringify(node));
  return withNodeAt(form, path, () => sayings[(at + 1) % sayings.length] ?? unset);
}

function toEmptyNode(kind: FormRow['field']['kind']['kind']): FormNode | undefined {
  if (kind === 'text') return toTypedNode('');
  if (kind === 'list' || kind === 'tuple') return { kind: 'list', items: [] };
  return kind === 'group' ? { kind: 'object', isExplicit: true, fields: [], extras: [] } : undefined;
}
