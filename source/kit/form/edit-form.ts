import { toCharacters } from '../text.ts';
import { editText, type TextFieldAction, type TextFieldState, typeText } from '../text-field-state.ts';
import { type FormRow, findChoices, findExtraNames, type ItemPlace, NAME_MARK } from './form-rows.ts';
import {
  type FormPath,
  type FormState,
  findValueAt,
  isJsonObject,
  putValue,
  readText,
  toEmptyValue,
  toExtraField,
  toInitialValue,
  toItemField,
  toPathId,
  toShownText,
  withValueAt,
} from './form-state.ts';

/** The text that is typed in a row; empty where its value is not a text. */
export function toTextState({ text = '', cursor }: Pick<FormRow, 'text' | 'cursor'>): TextFieldState {
  const end = toCharacters(text).length;
  return { text, cursor: Math.min(cursor ?? end, end) };
}

/** Whether a row takes a text of several lines. */
export function takesLines({ field: { kind }, isJson }: Pick<FormRow, 'field' | 'isJson'>): boolean {
  return isJson || kind.kind === 'json' || (kind.kind === 'text' && kind.isOneLine !== true);
}

/** Puts a text in at the cursor; on one line, line feeds become blanks. A picked row goes to the next such value. */
export function typeIntoRow(state: FormState, row: FormRow, typed: string): FormState {
  if (row.role === 'picked') return pickByText(state, row, typed);
  if (row.role !== 'typed' && row.role !== 'name') return state;
  const text = takesLines(row) ? typed.replace(/\r\n?/g, '\n') : typed.replace(/\s*[\r\n]+\s*/g, ' ');
  return withText(state, row, typeText(toTextState(row), text, { hasLines: true }));
}

/** Edits the text of a row. What is deleted to its end is left out; a null, a picked value or a list, too. */
export function editRow(state: FormState, row: FormRow, action: TextFieldAction): FormState {
  if (row.text !== undefined) return withText(state, row, editText(toTextState(row), action));
  return action === 'backspace' || action === 'delete' ? say(state, row, undefined) : state;
}

/** Puts the cursor of a text elsewhere. */
export function moveCursor(state: FormState, row: FormRow, cursor: number): FormState {
  return { ...state, focus: row.id, cursor };
}

function withText(state: FormState, row: FormRow, { text, cursor }: TextFieldState): FormState {
  if (text === row.text) return moveCursor(state, row, cursor);
  if (row.role === 'name') return { ...rename(state, row, text), cursor };
  const { field, isJson } = row;
  if (text === '')
    return say(state, row, field.isItem === true && field.kind.kind === 'text' && !isJson ? '' : undefined);
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
  const next = say(state, row, toVariantValue(toInitialValue({ ...variant, isRequired: true }), row.value, variant));
  return { ...next, picked: { ...next.picked, [row.id]: index } };
}

/** A variant begins with the texts and numbers of the one before in fields of equal names, but for its tags. */
function toVariantValue(initial: unknown, before: unknown, { kind }: FormRow['field']): unknown {
  if (!isJsonObject(initial) || !isJsonObject(before) || kind.kind !== 'group') return initial;
  const names = new Set(kind.fields().map(({ name }) => name));
  const kept = Object.entries(before).filter(([name, value]) => names.has(name) && typeof value !== 'object');
  return { ...Object.fromEntries(kept), ...initial };
}

/** Says next what a field can say beside a value of its own: null, its empty value, nothing at all. */
export function moveSaying(state: FormState, row: FormRow): FormState {
  if (row.role === 'name') return state;
  const { field, value } = row;
  const empty = toEmptyValue(field);
  const sayings = [
    ...(field.isNullable ? [null] : []),
    ...(empty === undefined ? [] : [empty]),
    ...(field.isNullable ? [] : [null]),
    undefined,
  ];
  const at =
    row.picked === undefined ? sayings.findIndex((each) => JSON.stringify(each) === JSON.stringify(value)) : -1;
  return say(state, row, sayings[(at + 1) % sayings.length]);
}

export type ItemAction = 'insert' | 'remove';

/** Items with what tells them apart: their names in an object, nothing in a list. */
interface Item {
  readonly name?: string;
  readonly value: unknown;
  /** The index that it had; undefined for one that is new. */
  readonly from?: number;
}

/** Adds an item at the end of a list, or takes the last one away; the list stays in focus. */
export function resizeList(state: FormState, row: FormRow, step: 1 | -1): FormState {
  const { path, field } = row;
  const place = { list: path, field, index: 0 };
  const items = readItems(state, place);
  const fixed = field.kind.kind === 'tuple' ? field.kind.items().length : 0;
  const less = items.length > fixed ? items.slice(0, -1) : items;
  const whole = [...items, ...Array.from({ length: Math.max(0, fixed - items.length) }, () => ({ value: undefined }))];
  const next = step === -1 ? less : [...whole, toFreshItem(place, whole.length)];
  return { ...withItems(withVariants(state, row), place, next), focus: row.id };
}

/** Acts on the item that a row is in. Its row stays in focus, or the one that takes its place. */
export function editItem(state: FormState, row: FormRow & { readonly item: ItemPlace }, action: ItemAction): FormState {
  const { item } = row;
  const items = readItems(state, item);
  if (items[item.index] === undefined) return state;
  const fresh = toFreshItem(item, item.index + 1);
  const next = action === 'insert' ? items.toSpliced(item.index + 1, 0, fresh) : items.toSpliced(item.index, 1);
  const index = action === 'insert' ? item.index + 1 : Math.min(item.index, next.length - 1);
  const edited = withItems(withVariants(state, row), item, next);
  if (index < 0) return { ...edited, focus: toPathId(item.list) };
  const inside = row.path.slice(item.list.length + 1);
  const mark = row.id.slice(row.id.lastIndexOf(']') + 1);
  return { ...edited, focus: toPathId([...item.list, next[index]?.name ?? index, ...inside]) + mark };
}

function readItems(state: FormState, { list, field }: ItemPlace): readonly Item[] {
  const value = findValueAt(state.value, list);
  if (field.kind.kind !== 'group')
    return (Array.isArray(value) ? (value as readonly unknown[]) : []).map((inner, from) => ({ value: inner, from }));
  return findExtraNames(field, value).map((name, from) => ({ name, value: findValueAt(value, [name]), from }));
}

/** A new entry of an object has no name yet. */
function toFreshItem({ field }: ItemPlace, index: number): Item {
  return field.kind.kind === 'group'
    ? { name: '', value: toInitialValue(toExtraField(field)) }
    : { value: toInitialValue(toItemField(field, index)) };
}

/** Other items in a list or an object, with what was typed in them. There is one entry of a name. */
function withItems(state: FormState, { list, field }: ItemPlace, items: readonly Item[]): FormState {
  const before = readItems(state, { list, field, index: 0 });
  const names = items.map(({ name }) => name);
  if (names.some((name, index) => name !== undefined && names.indexOf(name) !== index))
    return { ...state, focus: toPathId([...list, '']) + NAME_MARK };
  const value = findValueAt(state.value, list);
  const own = isJsonObject(value)
    ? Object.entries(value).filter(([name]) => !before.some((item) => item.name === name))
    : [];
  const next =
    field.kind.kind === 'group'
      ? Object.fromEntries([...own, ...items.map((item) => [item.name ?? '', item.value] as const)])
      : items.map((item) => item.value);
  const toStep = (item: Item | undefined, index: number): string | number | undefined =>
    item === undefined ? undefined : (item.name ?? index);
  const steps = new Map(
    before.map((item, index) => {
      const at = items.findIndex(({ from }) => from === index);
      return [toStep(item, index), toStep(items[at], at)];
    }),
  );
  const moved = moveSaid(state, list, (step) => (steps.has(step) ? steps.get(step) : step));
  return { ...state, ...moved, value: withValueAt(state.value, list, next), cursor: undefined };
}

/** Another name for an entry of an object. One that is there already is typed, and names nothing. */
function rename(state: FormState, row: FormRow, text: string): FormState {
  const { item, path } = row;
  const before = path.at(-1);
  if (item === undefined) return state;
  const outer = path.slice(0, -1);
  const value = findValueAt(state.value, outer);
  const { [row.id]: _, ...texts } = state.texts;
  if (text !== before && isJsonObject(value) && Object.hasOwn(value, text))
    return { ...state, texts: { ...texts, [row.id]: { text, isJson: false } }, focus: row.id };
  const renamed = Object.entries(value ?? {}).map(([name, inner]) => [name === before ? text : name, inner] as const);
  const moved = moveSaid({ ...withVariants(state, row), texts }, outer, (step) => (step === before ? text : step));
  const next = withValueAt(state.value, outer, Object.fromEntries(renamed));
  return { ...state, ...moved, value: next, focus: toPathId([...outer, text]) + NAME_MARK };
}

type Step = FormPath[number];

/** Texts and picks, where a step behind a path has become another one; those of a step that is gone are gone. */
function moveSaid(
  { texts, picked }: FormState,
  outer: FormPath,
  toStep: (step: Step) => Step | undefined,
): Pick<FormState, 'texts' | 'picked'> {
  const toId = (id: string): string | undefined => {
    const end = id.lastIndexOf(']') + 1;
    const path = JSON.parse(id.slice(0, end)) as FormPath;
    const step = path[outer.length];
    if (step === undefined || outer.some((each, index) => each !== path[index])) return id;
    const next = toStep(step);
    return next === undefined ? undefined : toPathId([...outer, next, ...path.slice(outer.length + 1)]) + id.slice(end);
  };
  const move = <Said>(said: Readonly<Record<string, Said>>): Readonly<Record<string, Said>> =>
    Object.fromEntries(
      Object.entries(said).flatMap(([id, each]) => {
        const next = toId(id);
        return next === undefined ? [] : [[next, each] as const];
      }),
    );
  return { texts: move(texts), picked: move(picked) };
}
