import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { toApiSchema } from '../../../source/document/branch.ts';
import { type FormField } from '../../../source/document/form-field.ts';
import { toRootField } from '../../../source/document/root-field.ts';
import {
  cycleEmptyValue,
  editItem,
  editRow,
  type ItemAction,
  movePick,
  resizeList,
  typeIntoRow,
} from '../../../source/form/edit-form.ts';
import { type FormRow, toFormRows, toRowProblems } from '../../../source/form/form-rows.ts';
import {
  addStep,
  type FormState,
  findFocused,
  moveFocus,
  redoChange,
  toFilledForm,
  toFormHistory,
  undoChange,
} from '../../../source/form/form-state.ts';
import { toFormValue } from '../../../source/form/form-value.ts';

function toField(schema: z.ZodType): FormField {
  return toRootField(toApiSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
}

const order = toField(
  z.object({
    name: z.string(),
    note: z.string().nullable().optional(),
    count: z.number(),
    kind: z.enum(['lamp', 'chair']).nullable(),
    tags: z.array(z.string()),
    lines: z.array(z.object({ sku: z.string(), count: z.number().optional() })).optional(),
    filter: z.object({ a: z.string().optional() }),
    shape: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('circle'), r: z.number() }),
        z.object({ kind: z.literal('square'), side: z.number() }),
      ])
      .optional(),
    extra: z.record(z.string(), z.number()).optional(),
    pair: z.tuple([z.string(), z.number()]).optional(),
    'filter.a': z.string().optional(),
  }),
);

/** A form as a person has it in front of them. */
function open(field: FormField, first: FormState = toFilledForm(field, undefined)) {
  let state = first;
  const rows = () => toFormRows(field, state);
  const row = (at: string): FormRow => {
    const found = rows().find((each) => each.at === at);
    if (found === undefined) throw new Error(`The form has no row at ${at}.`);
    return found;
  };
  const set = (next: FormState) => {
    state = next;
  };
  return {
    rows,
    row,
    focus: () => findFocused(rows(), state)?.at,
    type: (at: string, text: string) => set(typeIntoRow(state, row(at), text)),
    erase: (at: string) => set(editRow(state, row(at), 'backspace')),
    pick: (at: string, step: 1 | -1 = 1) => set(movePick(state, row(at), { step })),
    say: (at: string) => set(cycleEmptyValue(state, row(at))),
    resize: (at: string, step: 1 | -1 = 1) => set(resizeList(state, row(at), step)),
    item: (at: string, action: ItemAction) => {
      const own = row(at);
      if (own.item === undefined) throw new Error(`${at} is in no list.`);
      set(editItem(state, { ...own, item: own.item }, action));
    },
    value: () => toFormValue(field, state).value as Record<string, unknown>,
    problems: () => [...toFormValue(field, state).problems.values()],
  };
}

describe('what is said of a field', () => {
  it('is nothing at first, but for what must be there and can be empty', () => {
    expect(open(order).value()).toEqual({ tags: [], filter: {} });
  });

  it('tells null, empty and left out apart', () => {
    const form = open(order);
    const seen: unknown[] = [];
    for (let step = 0; step < 4; step++) {
      form.say('note');
      seen.push(form.value()['note']);
    }
    expect(seen).toEqual([null, '', undefined, null]);
    form.say('kind');
    expect(form.value()['kind']).toBeNull();
    form.say('lines');
    expect(form.value()['lines']).toEqual([]);
    form.say('shape');
    expect(form.value()['shape']).toBeNull();
  });

  it('is a text as it was typed, with its lines, tabs and blanks', () => {
    const form = open(order);
    form.type('name', ' line one\r\n  indented\ttab ');
    expect(form.value()['name']).toBe(' line one\n  indented\ttab ');
    form.type('note', 'null');
    expect(form.value()['note']).toBe('null');
    form.erase('note');
    expect(form.value()['note']).toBe('nul');
  });

  it('is left out again when its last character is deleted', () => {
    const form = open(order);
    form.type('note', 'a');
    form.erase('note');
    expect('note' in form.value()).toBe(false);
  });

  it.each([
    ['12', 12],
    ['-0.5', -0.5],
    ['1e3', 1000],
    ['9007199254740992', 9007199254740992],
    ['0.1234567890123456', 0.1234567890123456],
  ])('is the number %s', (text, value) => {
    const form = open(order);
    form.type('count', text);
    expect(form.value()['count']).toBe(value);
    expect(form.problems()).toEqual([]);
  });

  it.each([
    '9007199254740993',
    '0x10',
    '0b11',
    'Infinity',
    '1e999',
    '1e-999',
    '0.12345678901234567890',
    'twelve',
    '1 2',
  ])('is no number where %s would be another one', (text) => {
    const form = open(order);
    form.type('count', text);
    expect(form.problems()).toHaveLength(1);
  });

  it('is refused as JSON where a number in it would be another one', () => {
    const form = open(toField(z.object({ any: z.any() })));
    form.type('any', '{"id": 9007199254740993}');
    expect(form.problems()).toEqual([expect.stringContaining('9007199254740993')]);
  });

  it('says where JSON that is half typed goes wrong', () => {
    const form = open(toField(z.object({ any: z.any() })));
    form.type('any', '{kind: "circle"}');
    expect(form.problems()[0]).toMatch(/not JSON: .* at column 2/);
  });

  it('is of its own field, whatever the names hold', () => {
    const form = open(order);
    const [inside, beside] = form.rows().filter(({ at }) => at === 'filter.a');
    expect(inside?.id).not.toBe(beside?.id);
    form.type('filter.a', 'zz');
    expect(form.value()).toMatchObject({ filter: { a: 'zz' } });
    expect(form.value()).not.toHaveProperty(['filter.a']);
  });
});

describe('a value that is picked', () => {
  it('goes round: none, each, none', () => {
    const form = open(order);
    const seen: unknown[] = [];
    for (let step = 0; step < 4; step++) {
      form.pick('kind');
      seen.push(form.value()['kind']);
    }
    expect(seen).toEqual(['lamp', 'chair', undefined, 'lamp']);
    form.pick('kind', -1);
    expect(form.value()['kind']).toBeUndefined();
  });

  it('is found by its first letter, and no letter does anything else', () => {
    const form = open(order);
    form.type('kind', 'c');
    expect(form.value()['kind']).toBe('chair');
    form.type('kind', 'q');
    expect(form.value()['kind']).toBe('chair');
  });

  it('is a variant with its fields, which begins with what the one before had in fields of the same names', () => {
    const sized = (kind: string) => z.object({ kind: z.literal(kind), size: z.number() });
    const form = open(
      toField(
        z.object({ shape: z.discriminatedUnion('kind', [sized('circle'), sized('square')]) }),
      ),
    );
    form.pick('shape');
    form.type('shape.size', '2');
    expect(form.value()['shape']).toEqual({ kind: 'circle', size: 2 });
    form.pick('shape');
    expect(form.value()['shape']).toEqual({ kind: 'square', size: 2 });
    form.type('shape.size', '3');
    expect(form.value()['shape']).toEqual({ kind: 'square', size: 23 });
  });
});

describe('a list', () => {
  it('has items that are inserted and removed where they are', () => {
    const form = open(order);
    for (const [index, text] of ['a', 'b', 'c'].entries()) {
      form.resize('tags');
      form.type(`tags.${index}`, text);
    }
    form.item('tags.0', 'insert');
    expect(form.value()['tags']).toEqual(['a', '', 'b', 'c']);
    expect(form.focus()).toBe('tags.1');
    form.item('tags.3', 'remove');
    expect(form.focus()).toBe('tags.2');
    form.item('tags.1', 'remove');
    expect(form.value()['tags']).toEqual(['a', 'b']);
  });

  it('keeps items that are empty where they are, so that each problem is told at its own', () => {
    const form = open(order);
    form.resize('lines');
    expect(form.focus()).toBe('lines.0.sku');
    form.resize('lines');
    form.type('lines.1.sku', 'ab');
    expect(form.value()['lines']).toEqual([{}, { sku: 'ab' }]);
  });

  it('cannot be sent with an item that says nothing', () => {
    const form = open(toField(z.object({ counts: z.array(z.number()) })));
    form.resize('counts');
    expect(form.problems()).toEqual([
      'Give the item a value, or make it null or empty with Ctrl-N.',
    ]);
    form.type('counts.0', '1');
    expect(form.problems()).toEqual([]);
  });

  it('of fixed places has each of them, and a hole cannot be sent', () => {
    const form = open(order);
    form.resize('pair');
    expect(form.focus()).toBe('pair.0');
    expect(form.rows().filter(({ at }) => at.startsWith('pair.'))).toHaveLength(2);
    form.resize('pair', -1);
    form.say('pair');
    form.type('pair.1', '2');
    expect(form.problems()).toHaveLength(1);
    form.type('pair.0', 'a');
    expect([form.value()['pair'], form.problems()]).toEqual([['a', 2], []]);
  });

  it('of names of one’s own takes each name once', () => {
    const form = open(order);
    form.resize('extra');
    expect(form.focus()).toBe('extra. ');
    form.type('extra. ', 'a');
    form.type('extra.a', '1');
    form.resize('extra');
    expect(form.value()['extra']).toMatchObject({ a: 1 });
    form.type('extra. ', 'a');
    expect(form.problems()).toContain('This name is there already.');
  });
});

it('goes through the fields and around', () => {
  const rows = toFormRows(order, toFilledForm(order, undefined));
  let state = toFilledForm(order, undefined);
  const seen = rows
    .filter(({ isEditable }) => isEditable)
    .map(() => {
      state = moveFocus(rows, state, 1);
      return findFocused(rows, state)?.at;
    });
  expect(seen.at(-1)).toBe('name');
  expect(seen).not.toContain('filter');
  expect(findFocused(rows, moveFocus(rows, state, -1))?.label).toBe('filter.a');
});

it('tells each problem at the row that it is about, else at the row that it is in, else of the whole', () => {
  const rows = toFormRows(order, toFilledForm(order, { lines: [{}] }));
  const said = new Map([
    ['lines.0.sku', 'required'],
    ['lines.3.sku', 'is not there'],
    ['extra.a', 'no number'],
    ['extra', 'no record'],
    ['unknown', 'is no field'],
  ]);
  const told = [...toRowProblems(rows, said)].map(([id, text]) => [
    rows.find((row) => row.id === id)?.at ?? '',
    text,
  ]);
  expect(told).toEqual([
    ['lines.0.sku', 'required'],
    ['lines', '3.sku: is not there'],
    ['extra', 'no record'],
    ['', 'unknown: is no field'],
  ]);
});

it('ends where a schema contains itself', () => {
  const node: z.ZodType = z.object({ name: z.string(), child: z.lazy(() => node.optional()) });
  const field = toField(node);
  expect(toFormRows(field, toFilledForm(field, undefined)).map(({ at }) => at)).toEqual([
    'name',
    'child',
  ]);
  const form = open(field);
  form.say('child');
  form.type('child.name', 'a');
  expect(form.value()).toEqual({ child: { name: 'a' } });
});

describe('undo', () => {
  it('brings back everything, one step after the other, and redo takes it again', () => {
    const states: FormState[] = [toFilledForm(order, undefined)];
    let history = toFormHistory(states[0]!);
    const step = (edit: (state: FormState) => FormState) => {
      history = addStep(history, edit(history.present));
      states.push(history.present);
    };
    const row = (at: string, state: FormState) =>
      toFormRows(order, state).find((each) => each.at === at)!;
    step((state) => typeIntoRow(state, row('name', state), 'Ada'));
    step((state) => resizeList(state, row('lines', state), 1));
    step((state) => typeIntoRow(state, row('lines.0.sku', state), 'A-1'));
    step((state) => resizeList(state, row('lines', state), -1));
    step((state) => movePick(state, row('kind', state), { step: 1 }));
    step(() => toFilledForm(order, { name: 'Grace' }));
    step(() => toFilledForm(order, undefined));
    for (const state of states.toReversed().slice(1)) {
      history = undoChange(history);
      expect(history.present.value).toEqual(state.value);
    }
    for (const state of states.slice(1)) {
      history = redoChange(history);
      expect(history.present.value).toEqual(state.value);
    }
  });

  it('takes the letters of a word as one, and moving between fields as nothing', () => {
    let history = toFormHistory(toFilledForm(order, undefined));
    const type = (letter: string) => {
      const row = toFormRows(order, history.present)[0]!;
      history = addStep(history, typeIntoRow(history.present, row, letter), 'typing name');
    };
    for (const letter of 'Ada') type(letter);
    history = addStep(history, { ...history.present, focus: undefined });
    expect(history.past).toHaveLength(1);
    history = undoChange(history);
    expect(toFormValue(order, history.present).value).toEqual({ tags: [], filter: {} });
  });
});
