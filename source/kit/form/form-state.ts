import type { FormField } from '../../shape/form-fields.ts';
import { type TextFieldState, toTextField } from '../field/text-field-state.ts';

/** What has been filled into a form, by path: `tags.0.name`. What was never touched is not in it. */
export interface FormState {
  readonly texts: Readonly<Record<string, TextFieldState>>;
  /** Index of the picked value; missing leaves the field out. */
  readonly picks: Readonly<Record<string, number>>;
  /** How many items a list has. */
  readonly counts: Readonly<Record<string, number>>;
  /** Path of the field that is being filled in. */
  readonly focus: string | undefined;
}

export const emptyForm: FormState = { texts: {}, picks: {}, counts: {}, focus: undefined };

/** A line of a form. */
export interface FormRow {
  readonly path: string;
  readonly label: string;
  readonly depth: number;
  readonly field: FormField;
  /** What can be picked; missing for a field that is typed, and for the heading of a group or list. */
  readonly values?: readonly unknown[];
  /** Whether it can be filled in. A list's heading can: it takes more and fewer items. */
  readonly isEditable: boolean;
}

/** The lines of a form, in order. Forms that share a state have paths of different prefixes. */
export function toFormRows(fields: readonly FormField[], state: FormState, prefix = ''): readonly FormRow[] {
  const rows: FormRow[] = [];
  const add = (field: FormField, { path, label, depth }: Pick<FormRow, 'path' | 'label' | 'depth'>): void => {
    const { kind } = field;
    const row = { path, label, depth, field };
    switch (kind.kind) {
      case 'text':
      case 'number':
      case 'file':
      case 'json':
        rows.push({ ...row, isEditable: true });
        return;
      case 'toggle':
        rows.push({ ...row, isEditable: true, values: [true, false] });
        return;
      case 'picker':
        rows.push({ ...row, isEditable: true, values: kind.values });
        return;
      case 'group':
        rows.push({ ...row, isEditable: false });
        for (const child of kind.fields)
          add(child, { path: `${path}.${child.name}`, label: child.name, depth: depth + 1 });
        return;
      case 'list':
        rows.push({ ...row, isEditable: true });
        for (let index = 0; index < (state.counts[path] ?? 0); index++)
          add(kind.item, { path: `${path}.${index}`, label: `${index + 1}`, depth: depth + 1 });
    }
  };
  for (const field of fields) add(field, { path: `${prefix}${field.name}`, label: field.name, depth: 0 });
  return rows;
}

/** The input that the form describes. Empty fields are left out; a text that is not a number or not JSON goes as it is, for the schema to refuse. */
export function toFormInput(
  fields: readonly FormField[],
  state: FormState,
  prefix = '',
): Readonly<Record<string, unknown>> {
  return toGroupValue(fields, { prefix, state }) ?? {};
}

function toGroupValue(
  fields: readonly FormField[],
  { prefix, state }: { readonly prefix: string; readonly state: FormState },
): Readonly<Record<string, unknown>> | undefined {
  const entries = fields
    .map((field) => [field.name, toValue(field, `${prefix}${field.name}`, state)] as const)
    .filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function toValue({ kind }: FormField, path: string, state: FormState): unknown {
  const text = state.texts[path]?.text ?? '';
  switch (kind.kind) {
    case 'text':
      return text === '' ? undefined : text === '""' ? '' : text;
    case 'number':
      return text.trim() === '' ? undefined : Number.isNaN(Number(text)) ? text : Number(text);
    case 'file':
      return text.trim() === '' ? undefined : /^\s*[{["]/.test(text) ? parseJson(text) : text.trim();
    case 'json':
      return text.trim() === '' ? undefined : parseJson(text);
    case 'toggle':
      return [true, false][state.picks[path] ?? -1];
    case 'picker':
      return kind.values[state.picks[path] ?? -1];
    case 'group':
      return toGroupValue(kind.fields, { prefix: `${path}.`, state });
    case 'list': {
      const count = state.counts[path] ?? 0;
      if (count === 0) return undefined;
      return Array.from({ length: count }, (_, index) => toValue(kind.item, `${path}.${index}`, state)).filter(
        (value) => value !== undefined,
      );
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A form that describes an input: a replayed call, the words of the command line. What has no field is lost. */
export function toFilledForm(fields: readonly FormField[], input: unknown, prefix = ''): FormState {
  const texts: Record<string, TextFieldState> = {};
  const picks: Record<string, number> = {};
  const counts: Record<string, number> = {};
  const fill = (field: FormField, path: string, value: unknown): void => {
    if (value === undefined) return;
    const { kind } = field;
    switch (kind.kind) {
      case 'text':
      case 'number':
      case 'file':
        texts[path] = toTextField(value === '' ? '""' : typeof value === 'string' ? value : JSON.stringify(value));
        return;
      case 'json':
        texts[path] = toTextField(JSON.stringify(value));
        return;
      case 'toggle':
        picks[path] = value === true ? 0 : 1;
        return;
      case 'picker':
        picks[path] = kind.values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
        return;
      case 'group':
        for (const child of kind.fields) fill(child, `${path}.${child.name}`, parseField(value, child.name));
        return;
      case 'list':
        if (!Array.isArray(value)) return;
        counts[path] = value.length;
        value.forEach((item, index) => fill(kind.item, `${path}.${index}`, item));
    }
  };
  for (const field of fields) fill(field, `${prefix}${field.name}`, parseField(input, field.name));
  return { texts, picks, counts, focus: undefined };
}

function parseField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/**
 * What is wrong with each row, by its path; under `''` what is wrong with the whole. A problem of a value that has no row is told at the row
 * that it is in.
 */
export function toRowProblems(
  rows: readonly FormRow[],
  problems: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const paths = new Set(rows.map(({ path }) => path));
  const told = new Map<string, string>();
  for (const [path, message] of problems) {
    const steps = path.split('.');
    let length = steps.length;
    while (length > 0 && !paths.has(steps.slice(0, length).join('.'))) length--;
    const at = steps.slice(0, length).join('.');
    const inside = steps.slice(length).join('.');
    if (!told.has(at) || inside === '') told.set(at, inside === '' ? message : `${inside}: ${message}`);
  }
  return told;
}

/** The row that is being filled in: the one with the focus, else the first that can be. */
export function findFocused(rows: readonly FormRow[], { focus }: FormState): FormRow | undefined {
  return rows.find(({ path, isEditable }) => isEditable && path === focus) ?? rows.find(({ isEditable }) => isEditable);
}

/** Goes to the next field, or to the one before; from the last to the first. */
export function moveFocus(rows: readonly FormRow[], state: FormState, step: 1 | -1): FormState {
  const editable = rows.filter(({ isEditable }) => isEditable);
  const at = editable.findIndex(({ path }) => path === findFocused(rows, state)?.path);
  return { ...state, focus: editable[(at + step + editable.length) % Math.max(1, editable.length)]?.path };
}

/** Picks the next value, after the last none: the default, which is therefore passed over among the values. */
export function movePick(state: FormState, { path, values = [], field }: FormRow, step: 1 | -1): FormState {
  const all = values.map((_, index) => index);
  const choices = [-1, ...all.filter((index) => JSON.stringify(values[index]) !== field.default)];
  const at = Math.max(0, choices.indexOf(state.picks[path] ?? -1));
  return { ...state, picks: { ...state.picks, [path]: choices.at((at + step) % choices.length) ?? -1 } };
}

/** Adds an item to a list, or takes the last one away. */
export function resizeList(state: FormState, { path }: FormRow, step: 1 | -1): FormState {
  const count = Math.max(0, (state.counts[path] ?? 0) + step);
  return { ...state, counts: { ...state.counts, [path]: count }, focus: path };
}
