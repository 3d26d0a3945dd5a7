import { describe, expect, it } from 'vitest';
import { compare } from '../../../source/contract/compare.ts';

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const short = { type: 'string', maxLength: 3 };
const object = (properties: Json, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const bodyOf = (content: Json, more: Json = {}) => ({
  requestBody: {
    ...more,
    content: Object.fromEntries(
      Object.entries(content).map(([type, schema]) => [type, { schema }]),
    ),
  },
});
const json = 'application/json';
const ok = { 200: { description: 'Ok', content: { [json]: { schema: text } } } };
const answers = (more: Json) => ({ responses: { ...ok, ...more } });
const answer = (schema: unknown, type = json) => ({
  description: 'It',
  content: { [type]: { schema } },
});

/** An OpenAPI document that another program wrote, of one operation. */
function toDocument(operation: Json): object {
  return {
    openapi: '3.1.0',
    paths: { '/a': { post: { operationId: 'makeA', responses: ok, ...operation } } },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'x-key' },
      },
    },
  };
}

const changes: Readonly<
  Record<string, readonly [before: Json, after: Json, found: readonly string[]]>
> = {
  'a body that is required': [
    bodyOf({ [json]: object({ a: text }) }),
    bodyOf({ [json]: object({ a: text }) }, { required: true }),
    ['breaking input-field-required'],
  ],
  'a media type of bodies fewer': [
    bodyOf({ [json]: text, 'text/csv': text }),
    bodyOf({ [json]: text }),
    ['breaking input-limit-narrower'],
  ],
  'a narrower body of a second media type': [
    bodyOf({ [json]: text, 'text/csv': text }),
    bodyOf({ [json]: text, 'text/csv': short }),
    ['breaking input-limit-narrower'],
  ],
  'a wider response of a second media type': [
    answers({
      200: {
        description: 'Ok',
        content: { [json]: { schema: text }, 'text/csv': { schema: short } },
      },
    }),
    answers({
      200: {
        description: 'Ok',
        content: { [json]: { schema: text }, 'text/csv': { schema: text } },
      },
    }),
    ['risky output-limit-wider'],
  ],
  'a narrower body of a media type that is there with a charset, too': [
    bodyOf({ [json]: text, [`${json}; charset=utf-8`]: object({}) }),
    bodyOf({ [json]: short, [`${json}; charset=utf-8`]: object({}) }),
    ['breaking input-limit-narrower'],
  ],
  'a redirect more': [
    answers({}),
    answers({ 302: { description: 'Moved' } }),
    ['risky response-status-added'],
  ],
  'a redirect in the place of the response': [
    {},
    { responses: { 302: { description: 'Moved' } } },
    ['breaking response-status-changed', 'breaking response-type-changed'],
  ],
  'a range of errors more': [answers({}), answers({ '4XX': answer(text) }), ['risky error-added']],
  'a field of a range of errors fewer': [
    answers({ '4XX': answer(object({ code: text }, ['code'])) }),
    answers({ '4XX': answer(object({ code: text })) }),
    ['breaking output-field-optional'],
  ],
  'another body of all other responses': [
    answers({ default: answer(text) }),
    answers({ default: answer({ type: 'integer' }) }),
    ['breaking output-type-wider'],
  ],
  'a choice of credentials fewer': [
    { security: [{ token: [] }, { key: [] }] },
    { security: [{ token: [] }] },
    ['breaking credential-changed'],
  ],
  'a credential that had to be sent by nobody': [
    { security: [{ token: [] }, {}] },
    { security: [{ token: [] }] },
    ['breaking credential-changed'],
  ],
  'choices that both take what one took': [
    bodyOf({ [json]: object({ a: text }) }),
    bodyOf({ [json]: object({ a: { oneOf: [text, { ...text, minLength: 3 }] } }) }),
    ['breaking input-limit-narrower'],
  ],
  'a choice of nothing, which nobody can read': [
    bodyOf({ [json]: object({ a: text }) }),
    bodyOf({ [json]: object({ a: { oneOf: [] } }) }),
    ['risky input-unclear'],
  ],
  'an answer of any status that has one now': [
    { responses: { default: answer(object({ a: text })) } },
    { responses: { 200: answer(object({ a: text })) } },
    ['safe response-status-removed'],
  ],
  'an answer with a status that may have any now': [
    { responses: { 200: answer(object({ a: text }, ['a'])) } },
    { responses: { default: answer(object({})) } },
    ['breaking output-field-removed', 'risky response-status-added'],
  ],
  'an answer with a status that is no longer named beside others': [
    { responses: { ...ok, default: answer(object({ code: text })) } },
    { responses: { default: answer(object({ code: text })) } },
    ['risky response-status-added'],
  ],
  'a parameter that is no longer taken without a value': [
    { parameters: [{ name: 'all', in: 'query', schema: text, allowEmptyValue: true }] },
    { parameters: [{ name: 'all', in: 'query', schema: text }] },
    ['breaking input-limit-narrower'],
  ],
  'a parameter that is encoded now': [
    { parameters: [{ name: 'path', in: 'query', schema: text, allowReserved: true }] },
    { parameters: [{ name: 'path', in: 'query', schema: text }] },
    ['risky input-unclear'],
  ],
  'a link that leads elsewhere': [
    { responses: { 200: { ...answer(text), links: { next: { operationId: 'makeA' } } } } },
    { responses: { 200: { ...answer(text), links: { next: { operationId: 'makeB' } } } } },
    ['risky link-removed'],
  ],
};

describe('documents that other programs wrote', () => {
  it.each(Object.entries(changes))('tells %s', (_name, [before, after, found]) => {
    const { changed } = compare(toDocument(before), toDocument(after));
    const texts = changed.flatMap((each) =>
      each.changes.map((change) => `${change.class} ${change.rule}`),
    );
    expect(texts).toEqual(found);
  });
});

it('tells operations without an `operationId` apart by their routes', () => {
  const toPaths = (schema: Json) => ({
    openapi: '3.1.0',
    paths: {
      '/a': { get: { responses: ok } },
      '/b': { post: bodyOf({ [json]: schema }) },
      '/c': { get: { responses: ok } },
    },
  });
  const { removed, changed } = compare(toPaths(text), toPaths(short));
  expect(removed).toEqual([]);
  expect(
    changed.map(({ route, changes }) => `${route} ${changes.map(({ rule }) => rule).join()}`),
  ).toEqual(['POST /b input-limit-narrower']);
});

/** Operations whose inputs and responses refer to large components, one of which has another text on the other side. */
function toLarge(title: string): object {
  const schemas = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => {
      const fields = Object.fromEntries(
        Array.from({ length: 40 }, (_each, field) => [`f${field}`, text]),
      );
      return [`S${at}`, { ...object(fields), title: at === 0 ? title : 'same' }];
    }),
  );
  const schema = { $ref: '#/components/schemas/S1' };
  const operation = { ...bodyOf({ [json]: schema }), responses: { 200: answer(schema) } };
  const paths = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`/a${at}`, { post: operation }]),
  );
  return { openapi: '3.1.0', paths, components: { schemas } };
}

it('reads the components of a document once, however many operations refer to them', () => {
  const [before, after] = [toLarge('one'), toLarge('two')];
  let reads = 0;
  const schemas = Reflect.get(Reflect.get(after, 'components') as object, 'schemas') as Record<
    string,
    object
  >;
  const counted = new Proxy(schemas['S1'] as object, {
    get: (target, name) => {
      if (name === 'properties') reads += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  schemas['S1'] = counted;
  expect(compare(before, after).class).toBeUndefined();
  expect(reads).toBeLessThan(10);
});

const inPath = (name: string, schema: Json) => ({ name, in: 'path', required: true, schema });

function toRules({ added, removed, changed }: ReturnType<typeof compare>): readonly string[] {
  return [...added, ...removed, ...changed].flatMap(({ changes: found }) =>
    found.map((change) => `${change.class} ${change.rule}`),
  );
}

it('compares parameters of a path by their positions, since their names are not sent', () => {
  const parameters = [inPath('a-x', text), inPath('b-x', { type: 'integer' })];
  const toPaths = (path: string) => ({
    openapi: '3.1.0',
    paths: { [path]: { get: { operationId: 'get', parameters, responses: ok } } },
  });
  expect(toRules(compare(toPaths('/{a-x}/{b-x}'), toPaths('/{b-x}/{a-x}')))).toEqual([
    'breaking sent-field-renamed',
    'breaking sent-field-renamed',
    'breaking input-type-narrower',
    'breaking input-type-narrower',
  ]);
});

it.each([
  ['on', { enum: ['on', 'off'] }, true],
  ['new', { enum: ['on', 'off'] }, false],
  ['12', { type: 'integer' }, true],
  ['new', { type: 'integer' }, false],
  ['new', text, true],
])('a new path `/a/%s` beside a parameter of %j takes its requests: %s', (word, schema, takes) => {
  const one = { '/a/{b}': { get: { parameters: [inPath('b', schema)], responses: ok } } };
  const two = { ...one, [`/a/${word}`]: { get: { responses: ok } } };
  const found = toRules(
    compare({ openapi: '3.1.0', paths: one }, { openapi: '3.1.0', paths: two }),
  );
  expect(found).toEqual(['safe capability-added', ...(takes ? ['risky route-shadowed'] : [])]);
});

it('reads nothing beside a reference before OpenAPI 3.1', () => {
  const toPaths = (openapi: string, more: Json) => ({
    ...toDocument(bodyOf({ [json]: object({ a: { $ref: '#/components/schemas/A', ...more } }) })),
    openapi,
    components: { schemas: { A: text } },
  });
  const find = (openapi: string, more: Json) =>
    toRules(compare(toPaths(openapi, {}), toPaths(openapi, more)));
  expect(find('3.0.3', { maxLength: 3 })).toEqual([]);
  expect(find('3.0.3', { nullable: true })).toEqual([]);
  expect(find('3.1.0', { maxLength: 3 })).toEqual(['breaking input-limit-narrower']);
});

it('tells the same change of two variants of a union by the name of each', () => {
  const toVariants = (fields: Json) => ({
    ...toDocument({
      responses: {
        200: answer({
          oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
        }),
      },
    }),
    components: {
      schemas: { A: object({ a: text, ...fields }), B: object({ b: text, ...fields }) },
    },
  });
  const { changed } = compare(toVariants({ x: text }), toVariants({}));
  expect(
    changed.flatMap(({ changes: found }) => found.map((each) => each.component?.message)),
  ).toEqual(['`A.x` was removed', '`B.x` was removed']);
});

describe('the words of a discriminator', () => {
  const schemas = {
    Mail: object({ kind: text, to: text }),
    Phone: object({ kind: text, no: text }),
  };
  const toUnion = (propertyName: string, mapping: Json, names = ['Mail', 'Phone']) => ({
    oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
    discriminator: { propertyName, mapping },
  });
  const toVariants = (union: Json) => ({
    ...toDocument({ ...bodyOf({ [json]: union }), responses: { 200: answer(union) } }),
    components: { schemas },
  });
  const mail = '#/components/schemas/Mail';
  const find = (before: Json, after: Json) =>
    compare(toVariants(before), toVariants(after)).changed.flatMap(({ changes: found }) =>
      found.map((change) => `${change.class} ${change.message}`),
    );

  it('are values that are sent', () => {
    expect(find(toUnion('kind', { mail }), toUnion('kind', { post: mail }))).toEqual([
      'breaking `kind` of Mail lost "mail"',
      'risky `200.kind` of Mail gained "post"',
      'safe `kind` of Mail gained "post"',
      'safe `200.kind` of Mail lost "mail"',
    ]);
  });

  it('say nothing by their order, or by the form in which they name a variant', () => {
    const phone = '#/components/schemas/Phone';
    expect(
      find(toUnion('kind', { mail, phone }), toUnion('kind', { phone: 'Phone', mail: 'Mail' })),
    ).toEqual([]);
  });

  it('stand in one field', () => {
    expect(find(toUnion('kind', { mail }), toUnion('sort', { mail }))).toEqual([
      'breaking `input` has its variants told apart by `sort`, it was `kind`',
      'risky `200` has its variants told apart by `sort`, it was `kind`',
    ]);
  });

  it('are told with the variant that came', () => {
    expect(find(toUnion('kind', { mail }, ['Mail']), toUnion('kind', { mail }))).toEqual([
      'breaking `200` changed from Mail to Mail | Phone',
      'safe `input` changed from Mail to Mail | Phone',
    ]);
  });
});
