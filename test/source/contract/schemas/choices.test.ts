import { expect, it } from 'vitest';
import { compare } from '../../../../source/contract/compare.ts';
import { groupChanges } from '../../../../source/contract/summary/group-changes.ts';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const toObject = (properties: Json) => ({ type: 'object', properties });
const refersTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const schemas = { Cat: toObject({ meows: text }), Dog: toObject({ barks: text }) };

const ofBoth = { ...toObject({ a: text, b: text }), required: ['a', 'b'] };
const ofEither = { ...toObject({ a: text, b: text }), anyOf: needs('a', 'b') };

function needs(...names: readonly string[]) {
  return names.map((name) => ({ required: [name] }));
}

/** An API that takes or gives one value. */
function toDocument(
  direction: 'input' | 'output',
  schema: unknown,
  components: Json = schemas,
): object {
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'Ok', ...(direction === 'output' && { content }) } };
  const operation = { responses, ...(direction === 'input' && { requestBody: { content } }) };
  return {
    openapi: '3.1.0',
    paths: { '/a': { post: operation } },
    components: { schemas: components },
  };
}

function find(before: object, after: object): readonly string[] {
  return groupChanges(compare(before, after)).map(
    ({ change, message }) => `${change.class} ${message}`,
  );
}

const both = [refersTo('Cat'), refersTo('Dog')];
const either = { anyOf: both };
const one = { oneOf: both };
const asPart = (schema: object) => ({ allOf: [schema, { description: 'A pet' }] });

const choices: Readonly<
  Record<string, readonly [before: Json, after: Json, found: readonly string[]]>
> = {
  'any choice, and one alone': [
    either,
    one,
    ['risky `input` is refused where two of its choices fit, if there is such a value'],
  ],
  'any choice, and one alone, in a part': [
    asPart(either),
    asPart(one),
    ['risky `input` is refused where two of its choices fit, if there is such a value'],
  ],
  'one choice alone, and any': [
    one,
    either,
    ['safe `input` is taken where two of its choices fit'],
  ],
  'one choice alone, and any, in a part': [
    toObject({ pet: asPart(one) }),
    toObject({ pet: asPart(either) }),
    ['safe `pet` is taken where two of its choices fit'],
  ],
  'one choice alone, in a part and as a whole': [asPart(one), one, []],
};

it.each(Object.entries(choices))('tells %s', (_name, [before, after, found]) => {
  expect(find(toDocument('input', before), toDocument('input', after))).toEqual(found);
});

const fields: Readonly<
  Record<string, readonly [before: unknown, after: unknown, found: readonly string[]]>
> = {
  'may be null': [
    refersTo('Cat'),
    { anyOf: [refersTo('Cat'), { type: 'null' }] },
    ['breaking `200.pet` changed from Cat to Cat | null'],
  ],
  'is a list of it': [
    refersTo('Cat'),
    { type: 'array', items: refersTo('Cat') },
    ['breaking `200.pet` changed from Cat to Cat[]'],
  ],
  'is a component': [text, refersTo('Cat'), ['breaking `200.pet` changed from string to Cat']],
  'is another component': [
    refersTo('Cat'),
    refersTo('Dog'),
    ['breaking `200.pet.meows` was removed', 'safe `200.pet.barks` was added, optional'],
  ],
};

it.each(Object.entries(fields))(
  'tells that a field %s, and no change of the component',
  (_name, [before, after, found]) => {
    const toAnswer = (pet: unknown) => toDocument('output', toObject({ pet }));
    expect(find(toAnswer(before), toAnswer(after))).toEqual(found);
  },
);

it('tells a change of a component that was renamed as one of it', () => {
  const renamed = { Puss: toObject({}), Dog: schemas.Dog };
  const after = toDocument('output', refersTo('Puss'), renamed);
  expect(find(toDocument('output', refersTo('Cat')), after)).toEqual([
    'breaking `Puss.meows` was removed',
  ]);
});

const wider = 'gained object with `a`, object with `b`';
const narrower = 'lost object with `a`, object with `b`';
const needed: Readonly<
  Record<string, readonly [before: Json, after: Json, input: string[], output: string[]]>
> = {
  'both fields, and either': [
    ofBoth,
    ofEither,
    [`safe \`input\` ${wider}`],
    [`breaking \`200\` ${wider}`],
  ],
  'either field, and both': [
    ofEither,
    ofBoth,
    [`breaking \`input\` ${narrower}`],
    [`safe \`200\` ${narrower}`],
  ],
  'both fields, and either in a part of a field': [
    toObject({ it: ofBoth }),
    toObject({ it: { allOf: [toObject({ a: text, b: text }), { anyOf: needs('a', 'b') }] } }),
    [`safe \`it\` ${wider}`],
    [`breaking \`200.it\` ${wider}`],
  ],
  'any fields, and either': [
    toObject({ a: text, b: text }),
    ofEither,
    ['breaking `input` lost object without a required field'],
    ['safe `200` lost object without a required field'],
  ],
  'either field, with one field more beside them': [
    ofEither,
    { ...ofEither, properties: { ...ofEither.properties, c: text } },
    ['safe `c` was added, optional'],
    ['safe `200.c` was added, optional'],
  ],
  'either field, of which one has another type': [
    ofEither,
    { ...ofEither, properties: { ...ofEither.properties, a: { type: 'integer' } } },
    ['breaking `a` changed from string to integer'],
    ['breaking `200.a` changed from string to integer'],
  ],
};

it.each(Object.entries(needed))(
  'tells which fields are needed: %s',
  (_name, [before, after, input, output]) => {
    expect(find(toDocument('input', before), toDocument('input', after))).toEqual(input);
    expect(find(toDocument('output', before), toDocument('output', after))).toEqual(output);
  },
);

const never: Readonly<Record<string, readonly [after: Json, output: string[], input: string[]]>> = {
  'whose schema is false': [
    toObject({ a: text, b: false }),
    ['breaking `200.b` was removed'],
    ['breaking `b` was removed'],
  ],
  'whose parts exclude each other': [
    toObject({ a: text, b: { allOf: [text, { type: 'integer' }] } }),
    ['breaking `200.b` was removed'],
    ['breaking `b` was removed'],
  ],
  'that another part refuses': [
    {
      allOf: [
        toObject({ a: text, b: text }),
        { ...toObject({ a: text }), additionalProperties: false },
      ],
    },
    ['breaking `200.b` was removed', 'safe `200` has the unknown fields refused, it was none'],
    ['breaking `b` was removed', 'breaking `input` has the unknown fields refused, it was none'],
  ],
};

it.each(Object.entries(never))('tells a field as removed %s', (_name, [after, output, input]) => {
  const before = toObject({ a: text, b: text });
  expect(find(toDocument('output', before), toDocument('output', after)).toSorted()).toEqual(
    output,
  );
  expect(find(toDocument('input', before), toDocument('input', after)).toSorted()).toEqual(input);
});
