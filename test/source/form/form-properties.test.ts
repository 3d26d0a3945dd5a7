import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toApiSchema } from '../../../source/document/branch.ts';
import type { FormField } from '../../../source/document/form-field.ts';
import { toRootField } from '../../../source/document/root-field.ts';
import {
  cycleEmptyValue,
  editItem,
  editRow,
  movePick,
  resizeList,
  typeIntoRow,
} from '../../../source/form/edit-form.ts';
import { type FormRow, findChoices, toFormRows } from '../../../source/form/form-rows.ts';
import {
  addStep,
  type Form,
  type FormState,
  redoChange,
  toFilledForm,
  toFormHistory,
  undoChange,
} from '../../../source/form/form-state.ts';
import { toFormValue } from '../../../source/form/form-value.ts';
import { parseExactJson } from '../../../source/form/parse-exact-json.ts';
import { toEditorJson, withSecrets } from '../../../source/form/to-editor-json.ts';
import { isJsonObject } from '../../../source/values/json.ts';
import { jsonSchema, jsonValue } from '../document/arbitraries.ts';

const field = jsonSchema.map((schema) => toRootField(toApiSchema(schema)));
const value = fc.oneof(
  jsonValue,
  fc.jsonValue().map((each) => JSON.parse(JSON.stringify(each)) as unknown),
);

it('sends every value that it was filled with, whatever the schema', () => {
  fc.assert(
    fc.property(field, value, (asked, given) => {
      const said = toFormValue(asked, toFilledForm(asked, given));
      expect(said.value).toEqual(given);
      expect([...said.problems]).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it('sends what it shows', () => {
  fc.assert(
    fc.property(field, value, edits(), (asked, given, steps) => {
      const { present } = toEdited({ field: asked, state: toFilledForm(asked, given) }, steps);
      const said = toFormValue(asked, present);
      if (said.problems.size > 0) return;
      const shown = toShownValue(toFormRows(asked, present), asked, present.value);
      expect(shown).toEqual(toWritten(said.value));
    }),
    { numRuns: 500 },
  );
});

it('shows nothing for what a tuple does not have, also where it could be one value alone', () => {
  const asked = toRootField(
    toApiSchema({ type: 'array', prefixItems: [{ const: -1 }], minItems: 1 }),
  );
  const state = toFilledForm(asked, []);
  expect(toShownValue(toFormRows(asked, state), asked, state.value)).toEqual([]);
  expect(toFormValue(asked, state).value).toEqual([]);
});

it('is as it was after every change is undone, and as it became after every one is made again', () => {
  fc.assert(
    fc.property(field, edits(), (asked, steps) => {
      const first = toFilledForm(asked, undefined);
      let history = toEdited({ field: asked, state: first }, steps);
      const last = toFormValue(asked, history.present);
      const count = history.past.length;
      for (let step = 0; step < count; step++) history = undoChange(history);
      expect(toFormValue(asked, history.present)).toEqual(toFormValue(asked, first));
      for (let step = 0; step < count; step++) history = redoChange(history);
      expect(toFormValue(asked, history.present)).toEqual(last);
    }),
  );
});

it('comes back from the editor as it went', () => {
  fc.assert(
    fc.property(field, value, (asked, given) => {
      const rows = toFormRows(asked, toFilledForm(asked, given));
      const { text, secrets } = toEditorJson(given, { rows, problems: new Map(), path: [] });
      const read = parseExactJson(text, { isCommented: true });
      expect(read).toHaveProperty('value');
      expect(withSecrets('value' in read ? read.value : undefined, secrets)).toEqual(given);
    }),
  );
});

type Step = readonly [row: number, what: number, text: string];

function edits(): fc.Arbitrary<readonly Step[]> {
  return fc.array(
    fc.tuple(
      fc.nat({ max: 40 }),
      fc.nat({ max: 9 }),
      fc.constantFrom('a', '1', '[1]', '{"a":1}', 'true\n'),
    ),
    {
      maxLength: 12,
    },
  );
}

/** A form after keys in rows here and there. */
function toEdited({ field: asked, state }: Form, steps: readonly Step[]) {
  let history = toFormHistory(state);
  for (const [at, what, text] of steps) {
    const rows = toFormRows(asked, history.present).filter(({ isEditable }) => isEditable);
    const row = rows[at % Math.max(1, rows.length)];
    if (row === undefined) break;
    history = addStep(history, edit(history.present, row, [what, text]));
  }
  return history;
}

function edit(state: FormState, row: FormRow, [what, text]: readonly [number, string]): FormState {
  const { item } = row;
  if (what < 3 && (row.role === 'typed' || row.role === 'name'))
    return typeIntoRow(state, row, text);
  if (what < 4 && row.role === 'picked') return movePick(state, row, { step: 1 });
  if (what < 5 && row.role === 'items') return resizeList(state, row, 1);
  if (what === 5) return cycleEmptyValue(state, row);
  if (what === 6) return editRow(state, row, 'backspace');
  if (item === undefined) return state;
  return editItem(state, { ...row, item }, what % 2 === 0 ? 'insert' : 'remove');
}

/** As JSON writes it: an item of a list that nobody has set, and that a row of JSON shows after another choice, is null. */
function toWritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toWritten(item) ?? null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toWritten(each)]));
}

/** The value as a reader of the rows would write it down. */
function toShownValue(rows: readonly FormRow[], asked: FormField, whole: unknown): unknown {
  const [first] = rows;
  if (first?.path.length === 0 && (first.role !== 'items' || asked.kind.kind !== 'group'))
    return read(rows, 0).value;
  // The whole has no row of its own.
  if (whole === null) return null;
  const said = readMembers(
    rows.filter(({ path }) => path.length > 0),
    0,
    0,
  );
  const isThere =
    whole !== undefined && (asked.isRequired || Object.keys(whole as object).length === 0);
  return Object.keys(said.value as object).length > 0 || isThere ? said.value : undefined;
}

interface Read {
  readonly value: unknown;
  readonly next: number;
}

/** What the row at an index says, with those below it that are deeper. */
function read(rows: readonly FormRow[], at: number): Read {
  const { value, text, isJson, picked, field: own, depth, role } = rows[at]!;
  if (text !== undefined) return { value: toTyped(own, text, isJson), next: at + 1 };
  if (value === null && picked === undefined) return { value: null, next: at + 1 };
  if (own.kind.kind === 'union') return readVariant(rows, at);
  if (picked !== undefined) return { value: findChoices(own)?.[picked], next: at + 1 };
  if (role === 'typed' || role === 'picked') return { value: undefined, next: at + 1 };
  if (own.kind.kind === 'group') {
    const said = readMembers(rows, at + 1, depth + 1);
    const isEmpty = Object.keys(said.value as object).length === 0;
    const isThere =
      value !== undefined && (own.isRequired || Object.keys(value as object).length === 0);
    return isEmpty && !isThere ? { ...said, value: undefined } : said;
  }
  if (!Array.isArray(value)) return { value: undefined, next: at + 1 };
  const values: unknown[] = [];
  let next = at + 1;
  while ((rows[next]?.depth ?? -1) > depth) {
    const item = read(rows, next);
    values.push(item.value);
    next = item.next;
  }
  return { value: values.slice(0, values.findLastIndex((item) => item !== undefined) + 1), next };
}

function readVariant(rows: readonly FormRow[], at: number): Read {
  const { picked, field: own, depth } = rows[at]!;
  if (picked === undefined || own.kind.kind !== 'union') return { value: undefined, next: at + 1 };
  const variant = own.kind.variants[picked];
  const group = variant?.field().kind;
  if (group?.kind !== 'group' || rows[at + 1]?.label === 'value') return read(rows, at + 1);
  const { value: said, next } = readMembers(rows, at + 1, depth + 1);
  // The picker says it.
  const told = group.fields().find(({ name }) => name === variant?.tag);
  const isSaid =
    told === undefined ||
    rows.slice(at + 1, next).some((row) => row.label === told.name && row.depth === depth + 1);
  return {
    value: isSaid ? said : { [told.name]: findChoices(told)?.[0], ...(said as object) },
    next,
  };
}

function readMembers(rows: readonly FormRow[], from: number, depth: number): Read {
  const entries: [string, unknown][] = [];
  let next = from;
  while ((rows[next]?.depth ?? -1) >= depth) {
    const row = rows[next]!;
    const isName = row.role === 'name';
    const said = read(rows, isName ? next + 1 : next);
    if (said.value !== undefined) entries.push([isName ? (row.text ?? '') : row.label, said.value]);
    next = said.next;
  }
  return { value: Object.fromEntries(entries), next };
}

function toTyped(own: FormField, text: string, isJson: boolean): unknown {
  if (isJson || own.kind.kind === 'json') return JSON.parse(text) as unknown;
  if (own.kind.kind === 'number') return Number(text);
  return own.kind.kind === 'file' ? text.trim() : text;
}
