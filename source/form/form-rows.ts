import { isSameJson } from '../document/fits-branch.ts';
import type { FormField } from '../document/form-field.ts';
import { findValueAt, isJsonObject, type JsonPath } from '../values/json.ts';
import { type FormState, toExtraField, toItemField, toPathId, toShownText } from './form-state.ts';

export interface FormRow {
  /** The id of the path, and a mark where several rows have the same path. */
  readonly id: string;
  readonly path: JsonPath;
  /** The place of its value in the input, as the schema's own problems say it: `lines.0.sku`. */
  readonly at: string;
  readonly label: string;
  readonly depth: number;
  readonly field: FormField;
  /** Undefined where it is left out. */
  readonly value: unknown;
  readonly text: string | undefined;
  /** Characters before the cursor. @default all */
  readonly cursor: number | undefined;
  /** Whether the text is JSON, because the field has no other way to say the value. */
  readonly isJson: boolean;
  readonly picked: number | undefined;
  /** The way to fill it in; `items`: others are added below; `name`: the name of an entry with a row of its own. */
  readonly role: 'typed' | 'picked' | 'items' | 'group' | 'name';
  /** Whether it can be filled in: what is always there has nothing to say but what is inside of it. */
  readonly isEditable: boolean;
  /** The item that it is in, or is. */
  readonly item: ItemPlace | undefined;
  /** The variants that it is in, by the ids of their pickers: they stay picked while it is edited. */
  readonly variants: Readonly<Record<string, number>>;
}

export interface ItemPlace {
  /** The path of the list, or of the object with names of one's own, and its field. */
  readonly list: JsonPath;
  readonly field: FormField;
  /** The index of the item, among the entries for an object. */
  readonly index: number;
}

/** The values that can be picked; undefined for a field of another kind. A union has the names of its variants. */
export function findChoices({ kind }: Pick<FormField, 'kind'>): readonly unknown[] | undefined {
  if (kind.kind === 'toggle') return [true, false];
  if (kind.kind === 'picker') return kind.values;
  return kind.kind === 'union' ? kind.variants.map(({ label }) => label) : undefined;
}

/** The names that an object has beside its fields. */
export function findExtraNames({ kind }: FormField, value: unknown): readonly string[] {
  const names = new Set(kind.kind === 'group' ? kind.fields().map(({ name }) => name) : []);
  return isJsonObject(value) ? Object.keys(value).filter((name) => !names.has(name)) : [];
}

interface Place
  extends Pick<
    FormRow,
    'path' | 'at' | 'label' | 'depth' | 'item' | 'field' | 'value' | 'variants'
  > {
  /** Behind the id of the path: of the value of a variant `#`, because its picker has the same path. */
  readonly mark: string;
}

/** The lines of a form, or its part at `path`. A whole that is an object has none of its own; `label` names another. */
export function toFormRows(
  field: FormField,
  state: FormState,
  { path = [], label = 'input' }: { readonly path?: JsonPath; readonly label?: string } = {},
): readonly FormRow[] {
  const value = findValueAt(state.value, path);
  const place = {
    field,
    value,
    path,
    at: '',
    label,
    depth: 0,
    item: undefined,
    variants: {},
    mark: '',
  };
  const isWhole = field.kind.kind === 'group' && (value === undefined || isJsonObject(value));
  if (!isWhole) return toRows(place, state);
  const inside = toInsideRows(place, state);
  const takesExtras = field.kind.kind === 'group' && field.kind.extra !== undefined;
  return takesExtras ? [{ ...toRow(place, state), label: 'others' }, ...inside] : inside;
}

function toRows(place: Place, state: FormState): readonly FormRow[] {
  return [toRow(place, state), ...toInsideRows({ ...place, depth: place.depth + 1 }, state)];
}

function toRow({ mark, ...place }: Place, state: FormState): FormRow {
  const { field, value } = place;
  const id = toPathId(place.path) + mark;
  const picked = findPicked(field, value, state.picked[id]);
  const typed = state.texts[id] ?? (picked === undefined ? toShownText(field, value) : undefined);
  const role = typed?.isJson === true ? 'typed' : toRole(field);
  const isAlwaysThere = field.isRequired && field.isNullable !== true && isJsonObject(value);
  return {
    ...place,
    id,
    text: typed?.text,
    isJson: typed?.isJson === true,
    cursor: state.focus === id ? state.cursor : undefined,
    picked,
    role,
    isEditable: role !== 'group' || !isAlwaysThere,
  };
}

/** Index of the value that is picked. `picked`: the variant that was, whatever the others admit. */
export function findPicked(
  { kind }: FormField,
  value: unknown,
  picked: number | undefined,
): number | undefined {
  if (kind.kind === 'union' && picked !== undefined && picked < kind.variants.length) return picked;
  if (value === undefined || value === null) return undefined;
  const index =
    kind.kind === 'union'
      ? kind.variants.findIndex(({ admits }) => admits(value))
      : findChoices({ kind })?.findIndex((one) => isSameJson(one, value));
  return index === -1 ? undefined : index;
}

function toRole({ kind }: FormField): FormRow['role'] {
  if (kind.kind === 'tuple') return kind.rest === undefined ? 'group' : 'items';
  if (kind.kind === 'group') return kind.extra === undefined ? 'group' : 'items';
  return roles[kind.kind];
}

const roles = {
  text: 'typed',
  number: 'typed',
  file: 'typed',
  json: 'typed',
  toggle: 'picked',
  picker: 'picked',
  union: 'picked',
  list: 'items',
} as const;

/** The rows of what is in a value, at its own depth. */
function toInsideRows(place: Place, state: FormState): readonly FormRow[] {
  const { field, value, path } = place;
  const { kind } = field;
  if (kind.kind === 'group') return toFieldRows(place, state);
  if (kind.kind === 'union') return toVariantRows(place, state);
  if ((kind.kind !== 'list' && kind.kind !== 'tuple') || toShownText(field, value) !== undefined)
    return [];
  if (!Array.isArray(value)) return [];
  const fixed = kind.kind === 'tuple' ? kind.items().length : 0;
  return Array.from({ length: Math.max(fixed, value.length) }, (_, index) => index).flatMap(
    (index) => {
      const inside = {
        path: [...path, index],
        at: toAt(place.at, `${index}`),
        label: `${index + 1}`,
        mark: '',
      };
      const item = index < fixed ? place.item : { list: path, field, index };
      return toRows(
        {
          ...place,
          ...inside,
          field: toItemField(field, index),
          value: value[index] as unknown,
          item,
        },
        state,
      );
    },
  );
}

function toFieldRows(place: Place, state: FormState): readonly FormRow[] {
  const { field, value, path } = place;
  const { kind } = field;
  if (kind.kind !== 'group' || (place.depth > 0 && !isJsonObject(value))) return [];
  const toInner = (name: string, more: Pick<Place, 'field' | 'label'>): Place => ({
    ...place,
    path: [...path, name],
    at: toAt(place.at, name),
    mark: '',
    value: isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
    ...more,
  });
  const own = kind
    .fields()
    .flatMap((each) => toRows(toInner(each.name, { field: each, label: each.name }), state));
  const extras = findExtraNames(field, value).flatMap((name, index) => {
    const item = { list: path, field, index };
    const inner = { ...toInner(name, { field: toExtraField(field), label: 'value' }), item };
    return [toNameRow(inner, name, state), ...toRows({ ...inner, depth: place.depth + 1 }, state)];
  });
  return [...own, ...extras];
}

/** Marks the id of the row of a name. */
export const NAME_MARK = ' name';

function toNameRow(inner: Place, name: string, state: FormState): FormRow {
  const row = toRow(
    { ...inner, field: nameField, value: name, label: 'name', mark: NAME_MARK },
    state,
  );
  return { ...row, at: `${inner.at} `, role: 'name' };
}

const nameField: FormField = {
  name: 'name',
  kind: { kind: 'text', isOneLine: true },
  type: 'name',
  isRequired: true,
  isItem: true,
  note: '',
};

function toVariantRows(place: Place, state: FormState): readonly FormRow[] {
  const { kind } = place.field;
  const id = toPathId(place.path) + place.mark;
  const picked = findPicked(place.field, place.value, state.picked[id]);
  const variant = kind.kind === 'union' && picked !== undefined ? kind.variants[picked] : undefined;
  if (variant === undefined || picked === undefined) return [];
  const variants = { ...place.variants, [id]: picked };
  const inner = {
    ...place,
    field: variant.field(),
    label: 'value',
    mark: `${place.mark}#`,
    variants,
  };
  if (inner.field.kind.kind !== 'group' || !isJsonObject(place.value)) return toRows(inner, state);
  // The fields of an object stand right below the picker, which says what its tag would.
  const isTag = ({ path, picked: tag }: FormRow): boolean =>
    tag !== undefined && path.length === place.path.length + 1 && path.at(-1) === variant.tag;
  return toFieldRows(inner, state).filter((row) => !isTag(row));
}

function toAt(outer: string, name: string): string {
  return outer === '' ? name : `${outer}.${name}`;
}

/**
 * The problem of each row, by its id; under `''` that of the whole. The problems of the schema are listed by the place
 * of the value in the input. A problem of a value without a row stands at the row around it.
 */
export function toRowProblems(
  rows: readonly FormRow[],
  fieldProblems: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  // The first of several: one that is inside of another comes behind it.
  const ids = new Map(rows.toReversed().map(({ at, id }) => [at, id]));
  const byRow = new Map<string, string>();
  for (const [path, message] of fieldProblems) {
    const steps = path.split('.');
    let length = steps.length;
    while (length > 0 && !ids.has(steps.slice(0, length).join('.'))) length--;
    const id =
      length === 0 ? (ids.get('') ?? '') : (ids.get(steps.slice(0, length).join('.')) ?? '');
    const inside = steps
      .slice(length)
      .filter((step) => step !== '')
      .join('.');
    if (!byRow.has(id) || inside === '')
      byRow.set(id, inside === '' ? message : `${inside}: ${message}`);
  }
  return byRow;
}
