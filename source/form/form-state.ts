import { isDeepStrictEqual } from 'node:util';
import type { FormField, FormGroup } from '../document/form-field.ts';
import type { JsonPath } from '../values/json.ts';
import { isJsonObject, withValueAt } from '../values/json.ts';
import type { FormRow } from './form-rows.ts';
import { findNumberProblem, parseExactJson } from './parse-exact-json.ts';

export interface Form {
  readonly field: FormField;
  readonly state: FormState;
}

/** The contents of a form: the value that it sends, and the words that JSON lacks. */
export interface FormState {
  /** Undefined is left out; so is an item or an entry that has no value yet. */
  readonly value: unknown;
  /** Texts that say their value in another way, or no value yet, by the ids of their rows: `1.50`, `12a`, `{"a":`. */
  readonly texts: Readonly<Record<string, TypedText>>;
  /** Indexes of picked variants by the ids of their rows: several may admit the same value. */
  readonly picked: Readonly<Record<string, number>>;
  /** Id of the row that is being filled in. */
  readonly focus: string | undefined;
  /** Characters before the cursor in that row. @default all */
  readonly cursor?: number | undefined;
}

export interface TypedText {
  readonly text: string;
  /** Whether it is JSON: a value that the field has no other way to say. */
  readonly isJson: boolean;
}

/** As unique as the path. The ids of rows begin with it. */
export function toPathId(path: JsonPath): string {
  return JSON.stringify(path);
}

/** A form that says a value: a replayed call, the words of the command line. Undefined is what a form says at first. */
export function toFilledForm(field: FormField, value: unknown): FormState {
  return {
    value: value === undefined ? toInitialValue(field) : value,
    texts: {},
    picked: {},
    focus: undefined,
  };
}

/** The value of a field that nobody has touched: what must be there and can be empty, is. */
export function toInitialValue({
  kind,
  isRequired,
  isNullable = false,
  isItem = false,
}: FormField): unknown {
  if (!isRequired || isNullable) return undefined;
  if (kind.kind === 'picker') return kind.values.length === 1 ? kind.values[0] : undefined;
  return kind.kind === 'text' && !isItem ? undefined : toEmptyValue({ kind });
}

/** The empty value of a field that has one. */
export function toEmptyValue({ kind }: Pick<FormField, 'kind'>): unknown {
  if (kind.kind === 'text') return '';
  if (kind.kind === 'list' || kind.kind === 'tuple') return [];
  return kind.kind === 'group' ? toInitialGroup(kind) : undefined;
}

function toInitialGroup({ fields }: FormGroup): object {
  const entries = fields().map((field) => {
    const isDeep = field.kind.kind === 'group' && field.kind.isFolded === true && field.isRequired;
    return [field.name, isDeep ? {} : toInitialValue(field)] as const;
  });
  return Object.fromEntries(entries.filter((entry) => entry[1] !== undefined));
}

export function toItemField({ kind }: FormField, index: number): FormField {
  if (kind.kind === 'list') return kind.item();
  return (kind.kind === 'tuple' ? (kind.items()[index] ?? kind.rest?.()) : undefined) ?? jsonItem;
}

/** The field of what an object has beside its own. */
export function toExtraField({ kind }: FormField): FormField {
  return (kind.kind === 'group' ? kind.extra?.() : undefined) ?? jsonItem;
}

const jsonItem: FormField = {
  name: '',
  kind: { kind: 'json' },
  type: 'JSON',
  isRequired: true,
  isItem: true,
  note: '',
};

/** Another value at a path by itself: nothing typed or picked inside of it stays. Its row gets the focus. */
export function putValue(
  state: FormState,
  { path, id = toPathId(path) }: { readonly path: JsonPath; readonly id?: string },
  value: unknown,
): FormState {
  const outside = <Value>(
    byRow: Readonly<Record<string, Value>>,
  ): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.entries(byRow).filter(([each]) => !isWithin(each, id)));
  return {
    value: withValueAt(state.value, path, value),
    texts: outside(state.texts),
    picked: outside(state.picked),
    focus: id,
  };
}

/** Whether a row is another one, or inside of it: of rows of one path, the one with more marks is inside. */
export function isWithin(id: string, outer: string): boolean {
  const inner = parseRowId(id);
  const around = parseRowId(outer);
  if (!around.path.every((step, at) => step === inner.path[at])) return false;
  return inner.path.length > around.path.length || inner.mark.startsWith(around.mark);
}

/** The id of a row is its path as JSON, `["lines",0]`, and its mark. */
function parseRowId(id: string): { readonly path: JsonPath; readonly mark: string } {
  const end = id.lastIndexOf(']') + 1;
  return { path: JSON.parse(id.slice(0, end)) as JsonPath, mark: id.slice(end) };
}

/** The row that is filled in: the one with the focus, else the first that can be inside of it, or of all. */
export function findFocused(rows: readonly FormRow[], { focus }: FormState): FormRow | undefined {
  const editable = rows.filter(({ isEditable }) => isEditable);
  if (focus === undefined) return editable[0];
  return (
    editable.find(({ id }) => id === focus) ??
    editable.find(({ id }) => isWithin(id, focus)) ??
    editable[0]
  );
}

/** Goes to the next field, or to the one before; from the last to the first. */
export function moveFocus(rows: readonly FormRow[], state: FormState, step: 1 | -1): FormState {
  const editable = rows.filter(({ isEditable }) => isEditable);
  const at = editable.findIndex(({ id }) => id === findFocused(rows, state)?.id);
  const focus = editable[(at + step + editable.length) % Math.max(1, editable.length)]?.id;
  return { ...state, focus, cursor: undefined };
}

/** Whether two forms say the same. The focus and the cursor do not count. */
function isSameForm(one: FormState, other: FormState): boolean {
  return (
    isDeepStrictEqual(one.value, other.value) &&
    isDeepStrictEqual(one.texts, other.texts) &&
    isDeepStrictEqual(one.picked, other.picked)
  );
}

/** A form, and what it was before each change that can be undone. */
export interface FormHistory {
  readonly past: readonly FormState[];
  readonly present: FormState;
  /** The states that were undone, the last one first. */
  readonly future: readonly FormState[];
  /** Changes of one run, such as the letters of a word, are undone as one. */
  readonly run: string | undefined;
}

/** The number of changes that can be undone. */
const MAX_PAST = 500;

export function toFormHistory(present: FormState): FormHistory {
  return { past: [], present, future: [], run: undefined };
}

/** The form after a change. A move of the focus is not a change of the form, and ends the run. */
export function addStep(history: FormHistory, next: FormState, run?: string): FormHistory {
  const { past, present } = history;
  if (isSameForm(present, next)) return { ...history, present: next, run: undefined };
  const continues = run !== undefined && run === history.run;
  return {
    past: continues ? past : [...past, present].slice(-MAX_PAST),
    present: next,
    future: [],
    run,
  };
}

/** The history before the last change; itself where there is none. */
export function undoChange({ past, present, future }: FormHistory): FormHistory {
  const before = past.at(-1);
  return before === undefined
    ? { past, present, future, run: undefined }
    : { past: past.slice(0, -1), present: before, future: [present, ...future], run: undefined };
}

/** The history before the last undo. */
export function redoChange({ past, present, future }: FormHistory): FormHistory {
  const [next, ...rest] = future;
  return next === undefined
    ? { past, present, future, run: undefined }
    : { past: [...past, present], present: next, future: rest, run: undefined };
}

/**
 * The text in the row of a value. Undefined for no value, and for one whose parts have rows of their own. A value that
 * its kind of field cannot show, such as a number in a text field, is shown as JSON.
 */
export function toShownText({ kind }: FormField, value: unknown): TypedText | undefined {
  if (value === undefined || value === null || hasRowsInside(kind, value)) return undefined;
  const text = toOwnText(kind, value);
  if (text !== undefined) return { text, isJson: false };
  return { text: JSON.stringify(value), isJson: true };
}

function hasRowsInside(kind: FormField['kind'], value: unknown): boolean {
  if (kind.kind === 'group') return isJsonObject(value);
  if (!Array.isArray(value)) return false;
  if (kind.kind === 'tuple') return kind.rest !== undefined || value.length <= kind.items().length;
  return kind.kind === 'list';
}

/** The text of a value as its field writes it: what is picked is not typed. */
function toOwnText({ kind }: FormField['kind'], value: unknown): string | undefined {
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'number') return typeof value === 'number' ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (kind === 'text' || (kind === 'file' && isTrimmed(value))) return value;
  return undefined;
}

function isTrimmed(text: string): boolean {
  return text !== '' && text.trim() === text;
}

/** The value that a text says, or itself and why it says none. */
export function readText(
  { kind }: FormField,
  { text, isJson }: TypedText,
): { readonly value: unknown; readonly problem?: string | undefined } {
  if (isJson || kind.kind === 'json') {
    const parsed = parseExactJson(text);
    return 'problem' in parsed ? { value: text, problem: parsed.problem } : parsed;
  }
  if (kind.kind !== 'number') return { value: kind.kind === 'file' ? text.trim() : text };
  const problem = findNumberProblem(text);
  return problem === undefined ? { value: Number(text) } : { value: text, problem };
}
