import { toCharacters } from '../kit/text.ts';
import {
  editText,
  type TextFieldAction,
  type TextFieldState,
  typeText,
} from '../kit/text-field-state.ts';
import { findValueAt, isJsonObject } from '../values/json.ts';
import {
  type FormRow,
  findChoices,
  findExtraNames,
  type ItemPlace,
  NAME_MARK,
} from './form-rows.ts';
import {
  type FormState,
  putValue,
  readText,
  toEmptyValue,
  toExtraField,
  toInitialValue,
  toItemField,
  toPathId,
  toShownText,
} from './form-state.ts';

/** The text that is typed in a row; empty where its value is not a text. */
export function toTextState({
  text = '',
  cursor,
}: Pick<FormRow, 'text' | 'cursor'>): TextFieldState {
  const end = toCharacters(text).length;
  return { text, cursor: Math.min(cursor ?? end, end) };
}

/** Whether a row takes a text of several lines. */
export function takesLines({
  field: { kind },
  isJson,
}: Pick<FormRow, 'field' | 'isJson'>): boolean {
  return isJson || kind.kind === 'json' || (kind.kind === 'text' && kind.isOneLine !== true);
}

/** Puts a text in at the cursor; on one line, line feeds become blanks. A picked row goes to the next such value. */
export function typeIntoRow(state: FormState, row: FormRow, typed: string): FormState {
  if (row.role === 'picked') return pickByText(state, row, typed);
  if (row.role !== 'typed' && row.role !== 'name') return state;
  const hasLines = takesLines(row);
  return withText(state, row, typeText(toTextState(row), typed, { hasLines }));
}

/** Edits the text of a row. What is deleted to its end is left out; a null, a picked value or a list, too. */
export function editRow(state: FormState, row: FormRow, action: TextFieldAction): FormState {
  if (row.text !== undefined) return withText(state, row, editText(toTextState(row), action));
  return action === 'backspace' || action === 'delete' ? say(state, row, undefined) : state;
}

function withText(state: FormState, row: FormRow, { text, cursor }: TextFieldState): FormState {
  if (text === row.text) return { ...state, focus: row.id, cursor };
  if (row.role === 'name') return { ...rename(state, row, text), cursor };
  const { field, isJson } = row;
  if (text === '')
    return say(
      state,
      row,
      field.isItem === true && field.kind.kind === 'text' && !isJson ? '' : undefined,
    );
  const { value } = readText(field, { text, isJson });
  const shown = toShownText(field, value);
  const isPlain = shown?.text === text && shown.isJson === isJson;
  const next = { ...say(state, row, value), cursor };
  return isPlain ? next : { ...next, texts: { ...next.texts, [row.id]: { text, isJson } } };
}

function say(state: FormState, row: FormRow, value: unknown): FormState {
  return putValue(withVariants(state, row), row, value);
}

/** The variants that a row is in stay picked, whatever others admit the new value. */
function withVariants(state: FormState, { variants }: FormRow): FormState {
  return { ...state, picked: { ...state.picked, ...variants } };
}

/** Picks the next value; after the last none, where the form tells none from a value: by default. */
export function movePick(
  state: FormState,
  row: FormRow,
  { step, takesNone = true }: { readonly step: 1 | -1; readonly takesNone?: boolean },
): FormState {
  const choices = findChoices(row.field) ?? [];
  const first = takesNone ? -1 : 0;
  const count = choices.length - first;
  const byDefault = choices.findIndex((choice) => JSON.stringify(choice) === row.field.default);
  const at = row.picked ?? (takesNone ? -1 : byDefault);
  return pick(state, row, ((at - first + step + count) % count) + first);
}

function pickByText(state: FormState, row: FormRow, typed: string): FormState {
  const texts = (findChoices(row.field) ?? []).map((value) => String(value).toLowerCase());
  const from = (row.picked ?? -1) + 1;
  const order = texts.map((_, index) => (from + index) % texts.length);
  const found = order.find((index) => texts[index]?.startsWith(typed.toLowerCase()));
  return found === undefined ? state : pick(state, row, found);
}

function pick(state: FormState, row: FormRow, index: number): FormState {
  const { kind } = row.field;
  if (kind.kind !== 'union') return say(state, row, findChoices(row.field)?.[index]);
  const variant = kind.variants[index]?.field();
  if (variant === undefined) return say(state, row, undefined);
  const next = say(
    state,
    row,
    toVariantValue(toInitialValue({ ...variant, isRequired: true }), row.value, variant),
  );
  return { ...next, picked: { ...next.picked, [row.id]: index } };
}

/** A variant begins with the texts and numbers of the one before in fields of equal names, but for its tags. */
function toVariantValue(initial: unknown, before: unknown, { kind }: FormRow['field']): unknown {
  if (!isJsonObject(initial) || !isJsonObject(before) || kind.kind !== 'group') return initial;
  const names = new Set(kind.fields().map(({ name }) => name));
  const carried = Object.entries(before).filter(
    ([name, value]) => names.has(name) && typeof value !== 'object',
  );
  return { ...Object.fromEntries(carried), ...initial };
}

/** Gives an object that is not there its fields, which are empty. */
export function openGroup(state: FormState, row: FormRow): FormState {
  return say(state, row, toEmptyValue(row.field));
}

/**
 * Gives a field the next of the values that nobody types: null, the empty value of its kind, none at all. A field that
 * is not nullable has null after its empty value, for an API whose document does not say that it takes null.
 */
export function cycleEmptyValue(state: FormState, row: FormRow): FormState {
  if (row.role === 'name') return state;
  const { field, value } = row;
  const empty = toEmptyValue(field);
  const order = field.isNullable ? [null, empty, undefined] : [empty, null, undefined];
  const values = empty === undefined ? [null, undefined] : order;
  const isNow = (each: unknown): boolean => JSON.stringify(each) === JSON.stringify(value);
  const at = row.picked === undefined ? values.findIndex(isNow) : -1;
  return say(state, row, values[(at + 1) % values.length]);
}

export type ItemAction = 'insert' | 'remove';

/** An item; one of an object has a name. */
interface Item {
  readonly name?: string;
  readonly value: unknown;
}

/** Adds an item at the end of a list, which gets the focus, or takes the last one away. */
export function resizeList(state: FormState, row: FormRow, step: 1 | -1): FormState {
  const { path, field } = row;
  const place = { list: path, field, index: 0 };
  const items = readItems(state, place);
  const fixed = field.kind.kind === 'tuple' ? field.kind.items().length : 0;
  const less = items.length > fixed ? items.slice(0, -1) : items;
  const whole: readonly Item[] = [
    ...items,
    ...Array.from({ length: Math.max(0, fixed - items.length) }, () => ({ value: undefined })),
  ];
  // The places of a tuple that lacks some come before more items.
  const more = items.length < fixed ? whole : [...items, toFreshItem(place, items.length)];
  const next = step === -1 ? less : more;
  const edited = withVariants(withItems(state, place, next), row);
  if (step === -1) return { ...edited, focus: row.id };
  const name = next[items.length]?.name;
  const added = toPathId([...path, name ?? items.length]);
  return { ...edited, focus: name === undefined ? added : added + NAME_MARK };
}

/** Acts on the item that a row is in. Its row stays in focus, or the one that takes its place. */
export function editItem(
  state: FormState,
  row: FormRow & { readonly item: ItemPlace },
  action: ItemAction,
): FormState {
  const { item } = row;
  const items = readItems(state, item);
  if (items[item.index] === undefined) return state;
  const fresh = toFreshItem(item, item.index + 1);
  const next =
    action === 'insert'
      ? items.toSpliced(item.index + 1, 0, fresh)
      : items.toSpliced(item.index, 1);
  const index = action === 'insert' ? item.index + 1 : Math.min(item.index, next.length - 1);
  const edited = withVariants(withItems(state, item, next), row);
  if (index < 0) return edited;
  const inside = row.path.slice(item.list.length + 1);
  const mark = row.id.slice(row.id.lastIndexOf(']') + 1);
  return {
    ...edited,
    focus: toPathId([...item.list, next[index]?.name ?? index, ...inside]) + mark,
  };
}

function readItems(state: FormState, { list, field }: ItemPlace): readonly Item[] {
  const value = findValueAt(state.value, list);
  if (field.kind.kind !== 'group')
    return (Array.isArray(value) ? (value as readonly unknown[]) : []).map((inner) => ({
      value: inner,
    }));
  return findExtraNames(field, value).map((name) => ({ name, value: findValueAt(value, [name]) }));
}

/** A new entry of an object has no name yet. */
function toFreshItem({ field }: ItemPlace, index: number): Item {
  return field.kind.kind === 'group'
    ? { name: '', value: toInitialValue(toExtraField(field)) }
    : { value: toInitialValue(toItemField(field, index)) };
}

/** Other items in a list or an object, where one name is there once. Texts that are not values yet become JSON. */
function withItems(
  state: FormState,
  { list, field }: ItemPlace,
  items: readonly Item[],
): FormState {
  if (field.kind.kind !== 'group')
    return putValue(
      state,
      { path: list },
      items.map(({ value }) => value),
    );
  if (items.filter(({ name }) => name === '').length > 1)
    return { ...state, focus: toPathId([...list, '']) + NAME_MARK };
  const value = findValueAt(state.value, list);
  const extra = new Set(findExtraNames(field, value));
  const own = isJsonObject(value) ? Object.entries(value).filter(([name]) => !extra.has(name)) : [];
  const entries = items.map((item) => [item.name ?? '', item.value] as const);
  return putValue(state, { path: list }, Object.fromEntries([...own, ...entries]));
}

/** Another name for an entry of an object. One that is there already is typed, and names nothing. */
function rename(state: FormState, row: FormRow, text: string): FormState {
  const { path } = row;
  const before = path.at(-1);
  const outer = path.slice(0, -1);
  const value = findValueAt(state.value, outer);
  if (text !== before && isJsonObject(value) && Object.hasOwn(value, text))
    return {
      ...state,
      texts: { ...state.texts, [row.id]: { text, isJson: false } },
      focus: row.id,
    };
  const renamed = Object.entries(value ?? {}).map(
    ([name, inner]) => [name === before ? text : name, inner] as const,
  );
  const next = putValue(state, { path: outer }, Object.fromEntries(renamed));
  return { ...withVariants(next, row), focus: toPathId([...outer, text]) + NAME_MARK };
}
