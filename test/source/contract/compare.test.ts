import { expect, test } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { withTimeout } from '../../../server-runtime/enhancers/with-timeout.ts';
import { defaultErrors } from '../../../server-runtime/errors/define-error.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import type { JobSettings } from '../../../server-runtime/server/job.ts';
import {
  type ContractChange,
  type ContractDiff,
  type RuleId,
  rules,
} from '../../../source/contract/changes/contract-change.ts';
import { compare } from '../../../source/contract/compare.ts';
import {
  compareSchemas,
  type SchemaPlace,
} from '../../../source/contract/schemas/compare-schemas.ts';
import { applySettings } from '../../../source/contract/summary/apply-settings.ts';
import { toApiSchema } from '../../../source/document/branch.ts';
import { findDocumentFacts, type GraphqlFacts } from '../../../source/document/facts.ts';
import { parseRestOptions } from '../../../source/document/parse-rest-options.ts';
import { toPublished } from '../../../source/document/to-published.ts';
import { toSchemaJson } from '../../../source/document/to-schema-json.ts';
import { describeApi } from '../../../source/manifest/describe-api.ts';
import type { LoadedRegistry } from '../../../source/manifest/loaded-registry.ts';
import { toLockText } from '../../../source/sides/lock-file.ts';
import { capabilityEdits } from './edits/capability-edits.ts';
import { schemaEdits } from './edits/schema-edits.ts';
import { silentEdits } from './edits/silent-edits.ts';

type Direction = SchemaPlace['direction'];

function findRules(
  direction: Direction,
  before: z.ZodType | undefined,
  after: z.ZodType | undefined,
): string {
  return findChanges(direction, before, after)
    .map((change) => `${change.class} ${change.rule.replace(`${direction}-`, '')}`)
    .join(', ');
}

function findChanges(
  direction: Direction,
  before: z.ZodType | undefined,
  after: z.ZodType | undefined,
) {
  const read = (schema: z.ZodType | undefined) =>
    schema && toApiSchema(toSchemaJson(schema, direction));
  return compareSchemas(read(before), read(after), { at: direction, direction });
}

test.each(schemaEdits)('of schemas: %s', (_, before, after, asInput, asOutput) => {
  expect([findRules('input', before, after), findRules('output', before, after)]).toEqual([
    asInput,
    asOutput,
  ]);
});

function toDocument(
  items: object,
  restOptions: unknown = {},
  jobs?: LoadedRegistry['jobs'],
): object {
  const registry = compileRegistry({ items } as never);
  const { document } = describeApi({ registry, restOptions: parseRestOptions(restOptions), jobs });
  return JSON.parse(JSON.stringify(document)) as object;
}

function toRules(diff: ContractDiff): readonly string[] {
  return toChanges(diff).map((change) => `${change.class} ${change.rule}`);
}

function toChanges({ added, removed, changed, server }: ContractDiff): readonly ContractChange[] {
  return [...[...removed, ...changed, ...added].flatMap((each) => each.changes), ...server];
}

/** Both documents of a schema that stands in an input, and in an output. */
function toDocuments(
  direction: Direction,
  schemas: readonly (z.ZodType | undefined)[],
): readonly object[] {
  return schemas.map((schema) => {
    const fields = schema === undefined ? {} : { field: schema };
    const output = schema ?? z.any();
    const one =
      direction === 'input'
        ? capability(z.object(fields), () => 1)
        : capability(() => 1 as never).output(output);
    return toDocument({ createOne: one });
  });
}

function isAlarm(rulesOfEdit: string): boolean {
  return /\b(breaking|risky)\b/.test(rulesOfEdit);
}

test.each(schemaEdits)(
  'documents are not silent where schemas are not: %s',
  (name, before, after, ...expected) => {
    for (const [index, direction] of (['input', 'output'] as const).entries()) {
      const [old = {}, now = {}] = toDocuments(direction, [before, after]);
      const found = toRules(compare(old, now)).join(', ');
      expect(
        !isAlarm(expected[index] ?? '') || isAlarm(found),
        `${name} as ${direction}: ${found}`,
      ).toBe(true);
      expect(compare(old, old).class).toBeUndefined();
    }
  },
);

const narrower = 'breaking input-limit-narrower';
const unclear = ['risky input-unclear', 'risky output-unclear'] as const;
const less = ['breaking input-limit-narrower', 'safe output-limit-narrower'] as const;
const more = ['safe input-limit-wider', 'risky output-limit-wider'] as const;
const other = ['breaking input-limit-narrower', 'risky output-limit-wider'] as const;
const email = z.email({ pattern: /^[a-z]+@example\.org$/ });

/** What documents tell of the expressions behind formats, and of values that JSON Schema has no word for. */
// biome-ignore format: an edit a line.
const documentEdits: readonly (readonly [string, z.ZodType, z.ZodType, asInput: string, asOutput: string])[] = [
  ['offsets refused', z.iso.datetime({ offset: true }), z.iso.datetime(), ...less],
  ['offsets taken', z.iso.datetime(), z.iso.datetime({ offset: true }), ...more],
  ['local times refused', z.iso.datetime({ local: true }), z.iso.datetime(), ...less],
  ['local times taken', z.iso.datetime(), z.iso.datetime({ local: true }), ...more],
  ['seconds only', z.iso.datetime(), z.iso.datetime({ precision: 0 }), ...less],
  ['fractions of a second', z.iso.datetime({ precision: 3 }), z.iso.datetime(), ...more],
  ['uuid of one version', z.uuid(), z.uuidv7(), ...less],
  ['uuid of any version', z.uuidv4(), z.uuid(), ...more],
  ['a guid is a uuid', z.guid(), z.uuid(), ...less],
  ['email by a pattern of its own', z.email(), email, ...other],
  ['email by no pattern of its own', email, z.email(), ...unclear],
  ['email by a pattern of which no text is known', z.email({ pattern: /^qx@x$/ }), z.email({ pattern: /^qx@y$/ }), ...unclear],
  ['email and a pattern', z.email(), z.email().regex(/x/), narrower, 'safe output-limit-narrower'],
  ['a start and an email', z.string().email(), z.string().startsWith('a').email(), narrower, 'safe output-limit-narrower'],
  ['email as it was', z.email(), z.email().describe('x'), '', ''],
  ['read only, which our own servers take', z.string(), z.string().readonly(), '', ''],
  ['map to record', z.map(z.string(), z.int()), z.record(z.string(), z.int()), 'breaking client-type-changed, breaking input-type-narrower', 'breaking client-type-changed, safe output-type-narrower'],
  ['set to list', z.set(z.string()), z.array(z.string()), 'breaking client-type-changed, breaking input-type-narrower', 'breaking client-type-changed, safe output-type-narrower'],
  ['map to set', z.map(z.string(), z.int()).nullable(), z.set(z.string()).nullable(), 'breaking client-type-changed', 'breaking client-type-changed'],
];

test.each(documentEdits)('of documents: %s', (_, before, after, ...expected) => {
  const found = (['input', 'output'] as const).map((direction) => {
    const [old = {}, now = {}] = toDocuments(direction, [before, after]);
    return toRules(compare(old, now)).toSorted().join(', ');
  });
  expect(found).toEqual(expected.map((each) => each.split(', ').toSorted().join(', ')));
});

test.each(capabilityEdits)(
  'of capabilities: $name',
  ({ before, after, restOptions, rules: expected }) => {
    const [old, now] = [toDocument(before, restOptions?.[0]), toDocument(after, restOptions?.[1])];
    expect(toRules(compare(old, now, { today: '2026-11-21' })).toSorted()).toEqual(
      expected.toSorted(),
    );
  },
);

test.each(capabilityEdits)(
  'a document is the same as its lock file: $name',
  ({ before, restOptions }) => {
    const document = toDocument(before, restOptions?.[0]);
    expect(compare(JSON.parse(toLockText(document)) as object, document).class).toBeUndefined();
  },
);

test.each(silentEdits)(
  'whoever must hear of it hears of %s, and nobody else',
  (_, { before, after, restOptions, audience }) => {
    const [old, now] = [toDocument(before, restOptions?.[0]), toDocument(after, restOptions?.[1])];
    const { removed, changed, server } = compare(old, now);
    const changes = [...[...removed, ...changed].flatMap((each) => each.changes), ...server];
    const alarmed = changes.filter((change) => change.class !== 'safe');
    const told = new Set(alarmed.flatMap((change) => change.audience));
    expect(
      [...told].toSorted(),
      JSON.stringify(changes.map(({ rule, message }) => `${rule}: ${message}`)),
    ).toEqual([...audience].toSorted());
  },
);

const job: JobSettings = {
  maxJobs: 10,
  attempts: 5,
  backoffMs: 1000,
  rate: undefined,
  repeat: undefined,
};
const send = capability(() => 1);

function toJobs(
  settings: JobSettings | undefined,
  handler: unknown = send,
): LoadedRegistry['jobs'] {
  const registry = compileRegistry(
    (settings === undefined ? {} : { mails: { send: handler } }) as never,
  );
  return { registry, settings: new Map(settings && [['mails.send', settings]]) };
}

const jobEdits: readonly (readonly [
  string,
  JobSettings | undefined,
  JobSettings | undefined,
  readonly string[],
])[] = [
  ['one comes', undefined, job, ['safe job-added']],
  ['one goes', job, undefined, ['breaking job-removed']],
  [
    'another rate',
    job,
    { ...job, rate: { limit: 1, windowMs: 1000 } },
    ['safe job-settings-changed'],
  ],
  [
    'another schedule',
    job,
    { ...job, repeat: { cron: '0 3 * * *' } },
    ['risky job-settings-changed'],
  ],
];

test.each(jobEdits)('of jobs: %s', (_, before, after, expected) => {
  const [old, now] = [
    toDocument({ send }, {}, toJobs(before)),
    toDocument({ send }, {}, toJobs(after)),
  ];
  expect(toRules(compare(old, now))).toEqual(expected);
});

function toForeign(operation: object): object {
  const post = { operationId: 'addItem', responses: {}, ...operation };
  return {
    openapi: '3.1.0',
    info: { title: 'items', version: '1' },
    paths: { '/items': { post } },
  };
}

const content = { 'application/json': { schema: { type: 'object' } } };
const csv = { 'text/csv': { schema: { type: 'string' } } };
const oneType = { responses: { 200: { description: '', content } } };
const twoTypes = { responses: { 200: { description: '', content: { ...content, ...csv } } } };

const links = { next: { operationId: 'addItem' } };
const withLink = { responses: { 200: { description: '', content, links } } };
const callbacks = { paid: { '{$request.body#/url}': { post: { responses: {} } } } };

const foreignEdits: readonly (readonly [string, object, object, readonly string[]])[] = [
  [
    'a body that is required',
    { requestBody: { content } },
    { requestBody: { content, required: true } },
    ['breaking input-field-required'],
  ],
  ['a media type more', oneType, twoTypes, ['risky response-type-changed']],
  ['a media type less', twoTypes, oneType, ['breaking response-type-changed']],
  ['a link more', oneType, withLink, ['safe link-added']],
  ['a link less', withLink, oneType, ['breaking link-removed']],
  ['a callback more', {}, { callbacks }, ['safe callback-added']],
  ['a callback less', { callbacks }, {}, ['breaking callback-removed']],
  [
    'the `ETag` of an answer less',
    { responses: { 200: { description: '', headers: { ETag: { schema: { type: 'string' } } } } } },
    { responses: { 200: { description: '' } } },
    ['breaking output-field-removed'],
  ],
  ['another id', {}, { operationId: 'makeItem' }, ['breaking capability-renamed']],
];

const call = { requestBody: { content }, responses: { 200: { description: '' } } };
const webhooks = { made: { post: call } };
const [here, there] = ['https://a.example', 'https://b.example/v2'].map((url) => ({ url }));

/** What stands beside the paths of a document of others. */
const bearer = { type: 'http', scheme: 'bearer' };

function toWebSocket(about: object): object {
  const usual = { path: '/_call', protocols: ['a', 'b'], security: [], limits: {} };
  return { 'x-websockets': [{ ...usual, ...about }] };
}

const wholeEdits: readonly (readonly [string, object, object, readonly string[]])[] = [
  ['a webhook more', {}, { webhooks }, ['safe webhook-added']],
  ['a webhook less', { webhooks }, {}, ['breaking webhook-removed']],
  ['a server more', { servers: [here] }, { servers: [here, there] }, ['safe server-added']],
  ['a server less', { servers: [here, there] }, { servers: [there] }, ['risky server-removed']],
  [
    'WebSockets at another path',
    toWebSocket({ path: '/_call' }),
    toWebSocket({ path: '/live' }),
    ['safe websocket-added', 'breaking websocket-removed'],
  ],
  [
    'a subprotocol more',
    toWebSocket({}),
    toWebSocket({ protocols: ['a', 'b', 'c'] }),
    ['safe websocket-protocol-changed'],
  ],
  [
    'a subprotocol less',
    toWebSocket({}),
    toWebSocket({ protocols: ['a'] }),
    ['breaking websocket-protocol-changed'],
  ],
  [
    'WebSockets for users',
    toWebSocket({}),
    toWebSocket({ security: [bearer] }),
    ['breaking websocket-security-changed'],
  ],
  [
    'WebSockets for everybody',
    toWebSocket({ security: [bearer] }),
    toWebSocket({}),
    ['safe websocket-security-changed'],
  ],
  [
    'a limit of WebSockets',
    toWebSocket({}),
    toWebSocket({ limits: { calls: 5 } }),
    ['risky websocket-limit-changed'],
  ],
  [
    'no limit of WebSockets',
    toWebSocket({ limits: { calls: 5 } }),
    toWebSocket({}),
    ['safe websocket-limit-changed'],
  ],
  ['WebSockets that one of them does not name', {}, toWebSocket({}), []],
  ['WebSockets in a form that is not ours', toWebSocket({ path: 7 }), toWebSocket({}), []],
  ['servers in another order', { servers: [here, there] }, { servers: [there, here] }, []],
];

test.each(wholeEdits)('of documents of others: %s', (_, before, after, expected) => {
  const read = (more: object) => ({ ...toForeign({}), ...more });
  expect(toRules(compare(read(before), read(after)))).toEqual(expected);
});

test.each(foreignEdits)('of documents of others: %s', (_, before, after, expected) => {
  expect(toRules(compare(toForeign(before), toForeign(after)))).toEqual(expected);
});

test('a class that the project gives to a rule is for changes of the class of the rule', () => {
  const [short, long] = [1000, 2000].map((ms) =>
    toDocument({ send: send.enhance(withTimeout(ms)) }),
  );
  const settings = { rules: { 'timeout-changed': 'breaking' } };
  const judge = (before = {}, after = {}) => applySettings(compare(before, after), settings).diff;
  expect(toRules(judge(long, short))).toEqual(['breaking timeout-changed']);
  expect(toRules(judge(short, long))).toEqual(['safe timeout-changed']);
});

test('another prefix of a queue strands the jobs that wait', () => {
  const document = toDocument({ send }, {}, toJobs(job));
  const withQueue = (prefix: string): object => {
    const facts = findDocumentFacts(document);
    return { ...document, 'x-capix': { ...facts, queuePrefixes: [prefix] } };
  };
  expect(toRules(compare(withQueue('old'), withQueue('new')))).toEqual(['risky queue-renamed']);
});

const toGraphqlDocument = (graphql: GraphqlFacts | undefined): object => {
  const document = toDocument({ send });
  return { ...document, 'x-capix': { ...findDocumentFacts(document), graphql } };
};
const toGraphql = (...schema: readonly string[]) => ({ path: '/graphql', schema });
const graphqlEdits: readonly (readonly [
  what: string,
  before: GraphqlFacts | undefined,
  after: GraphqlFacts | undefined,
  expected: readonly string[],
])[] = [
  ['a transport more', undefined, toGraphql('type Query { a: Int }'), ['safe graphql-added']],
  ['none any more', toGraphql('type Query { a: Int }'), undefined, ['breaking graphql-removed']],
  [
    'another path',
    { path: '/a', schema: ['type Query { a: Int }'] },
    { path: '/b', schema: ['type Query { a: Int }'] },
    ['breaking graphql-moved'],
  ],
  [
    'a field less, and one more',
    toGraphql('type Query { a: Int, b: Int }'),
    toGraphql('type Query { a: Int, c: Int }'),
    ['breaking graphql-breaking'],
  ],
  [
    'an argument that is needed',
    toGraphql('type Query { a(id: ID): Int }'),
    toGraphql('type Query { a(id: ID!): Int }'),
    ['breaking graphql-breaking'],
  ],
  [
    'a value of an enum more',
    toGraphql('type Query { a: A }', 'enum A { ONE }'),
    toGraphql('type Query { a: A }', 'enum A { ONE, TWO }'),
    ['risky graphql-dangerous'],
  ],
  [
    'a description alone',
    toGraphql('type Query { a: Int }'),
    toGraphql('type Query {', '"It counts."', 'a: Int }'),
    [],
  ],
  [
    'a schema that could not be written',
    toGraphql('type Query { a: Int }'),
    { path: '/graphql' },
    ['risky graphql-unread'],
  ],
  [
    'a text that is not a schema',
    toGraphql('type Query { a: Int }'),
    toGraphql('type Query {'),
    ['risky graphql-unread'],
  ],
  [
    'a number in place of a schema',
    toGraphql('type Query { a: Int }'),
    { path: '/graphql', schema: 5 as never },
    ['risky graphql-unread'],
  ],
  ['two of these', { path: '/graphql' }, { path: '/graphql' }, ['risky graphql-unread']],
];

test.each(graphqlEdits)('of GraphQL: %s', (_, before, after, expected) => {
  const [old, now] = [toGraphqlDocument(before), toGraphqlDocument(after)];
  expect(toRules(compare(old, now))).toEqual(expected);
  expect(toChanges(compare(old, now)).flatMap(({ audience }) => audience)).toEqual(
    expected.map(() => 'graphql'),
  );
});

test('every rule is shown by an edit', () => {
  const ofSchemas = schemaEdits.flatMap(([, before, after]) =>
    (['input', 'output'] as const).flatMap((direction) => findChanges(direction, before, after)),
  );
  const ofCapabilities = [...capabilityEdits, ...silentEdits.map(([, edit]) => edit)].flatMap(
    ({ before, after, restOptions }) => {
      const [old, now] = [
        toDocument(before, restOptions?.[0]),
        toDocument(after, restOptions?.[1]),
      ];
      return toChanges(compare(old, now, { today: '2026-11-21' }));
    },
  );
  const ofJobs = jobEdits.flatMap(([, before, after]) =>
    toChanges(
      compare(toDocument({ send }, {}, toJobs(before)), toDocument({ send }, {}, toJobs(after))),
    ),
  );
  const ofOthers = foreignEdits.flatMap(([, before, after]) =>
    toChanges(compare(toForeign(before), toForeign(after))),
  );
  const ofDocuments = wholeEdits.flatMap(([, before, after]) =>
    toChanges(compare({ ...toForeign({}), ...before }, { ...toForeign({}), ...after })),
  );
  const ofGraphql = graphqlEdits.flatMap(([, before, after]) =>
    toChanges(compare(toGraphqlDocument(before), toGraphqlDocument(after))),
  );
  const all = [
    ...ofSchemas,
    ...ofCapabilities,
    ...ofJobs,
    ...ofOthers,
    ...ofDocuments,
    ...ofGraphql,
  ];
  const shown = new Set(['queue-renamed', ...all.map(({ rule }) => rule)]);
  expect(Object.keys(rules).filter((rule) => !shown.has(rule as RuleId))).toEqual([]);
});

test('errors and timeouts of jobs are for the code that adds them', () => {
  const old = toDocument({ send }, {}, toJobs(job, send.errors(defaultErrors.NotFound)));
  const other = send.errors(defaultErrors.Conflict).enhance(withTimeout(1_000));
  const [changed] = compare(old, toDocument({ send }, {}, toJobs(job, other))).changed;
  expect(changed?.changes.map(({ rule, audience }) => [rule, audience])).toEqual([
    ['error-added', ['jobs']],
    ['timeout-changed', ['jobs']],
    ['error-removed', ['jobs']],
  ]);
});

test('whoever sees no key hears nothing of a new one on the same route', () => {
  const { removed } = compare(toDocument({ createOne: send }), toDocument({ addOne: send }));
  expect(removed.flatMap(({ changes }) => changes)).toMatchObject([
    { rule: 'capability-renamed', audience: ['client', 'agents'] },
  ]);
});

test('published documents tell of a pattern that only one of them has', () => {
  const [before, after] = toDocuments('input', [
    z.email(),
    z.email().regex(/^[a-z]+@example\.org$/),
  ]).map((each) => toPublished(each as never));
  expect(toRules(compare(before as object, after as object))).toEqual([
    'breaking input-limit-narrower',
  ]);
  expect(toRules(compare(after as object, before as object))).toEqual(['risky input-unclear']);
});

test('a document without what only capix writes is compared as it is published', () => {
  const own = toDocument({ createOne: send });
  const published = toPublished(own as never);
  expect(compare(published, own).class).toBeUndefined();
  expect(compare(own, published).class).toBeUndefined();
});
