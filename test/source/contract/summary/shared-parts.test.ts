import { expect, test } from 'vitest';
import { compare } from '../../../../source/contract/compare.ts';
import { groupChanges } from '../../../../source/contract/summary/group-changes.ts';
import { toDiffRows } from '../../../../source/diff/diff-rows.ts';
import { toDiffMarkdown, toDiffText } from '../../../../source/diff/diff-text.ts';
import type { Compared } from '../../../../source/diff/load-compared.ts';
import type { ContractSide } from '../../../../source/sides/load-sides.ts';

const text = { type: 'string' };
const page = { type: 'object', properties: { items: { type: 'array' }, next: text } };
const toContent = (schema: object, type = 'application/json') => ({ [type]: { schema } });
const refersTo = (list: string, name: string) => ({ $ref: `#/components/${list}/${name}` });

/** The components as they were; a test changes one of them. */
const components = {
  parameters: {
    Limit: { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
    Tenant: { name: 'X-Tenant', in: 'header', schema: text },
  },
  requestBodies: {
    Thing: { content: toContent({ type: 'object', properties: { name: text } }) },
  },
  responses: {
    Page: {
      description: 'A page',
      content: toContent(page),
      headers: { 'X-Rate': refersTo('headers', 'Rate') },
      links: { next: refersTo('links', 'Next') },
    },
    Missing: { description: 'None', content: toContent({ properties: { code: text } }) },
  },
  headers: { Rate: { required: true, schema: { type: 'integer' } } },
  links: { Next: { operationId: 'thing0' } },
  callbacks: {
    Done: { '{$request.query.url}': { post: { requestBody: { content: toContent(page) } } } },
  },
  securitySchemes: {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    login: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://a.example' } } },
  },
};

type Components = typeof components;

/**
 * Six operations that have all their parts from components. In each other one the body has a field `limit` too, and the
 * parts stand at other statuses, so that messages of the operation name them in other words.
 */
function toDocument(change: (parts: Components) => void = () => {}, security: object[] = []) {
  const parts = JSON.parse(JSON.stringify(components)) as Components;
  change(parts);
  const paths = Array.from({ length: 6 }, (_, at) => {
    const isOther = at % 2 === 1;
    const field = { type: 'object', properties: { limit: text } };
    const operation = {
      operationId: `thing${at}`,
      parameters: [refersTo('parameters', 'Limit'), refersTo('parameters', 'Tenant')],
      requestBody: isOther ? { content: toContent(field) } : refersTo('requestBodies', 'Thing'),
      responses: {
        [isOther ? '200' : '202']: refersTo('responses', 'Page'),
        [isOther ? '404' : '410']: refersTo('responses', 'Missing'),
      },
      callbacks: { [isOther ? 'done' : 'ready']: refersTo('callbacks', 'Done') },
      ...(at === 5 ? { security: [{ key: [] }, { login: ['read'] }] } : {}),
      ...(at === 4 ? { security: [{ key: [] }] } : {}),
    };
    return [`/things-${at}`, { post: operation }];
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    security,
    paths: Object.fromEntries(paths) as object,
    components: parts,
  };
}

const edits: readonly [kind: string, edit: (parts: Components) => void, told: string[]][] = [
  [
    'a parameter has another limit',
    ({ parameters }) => {
      parameters.Limit.schema.maximum = 50;
    },
    ['breaking parameter Limit: parameter `limit` has the maximum 50, it was 100 (6)'],
  ],
  [
    'a parameter became required',
    ({ parameters }) => Object.assign(parameters.Tenant, { required: true }),
    ['breaking parameter Tenant: parameter `x-tenant` became required (6)'],
  ],
  [
    'a parameter became deprecated',
    ({ parameters }) => Object.assign(parameters.Limit, { deprecated: true }),
    ['safe parameter Limit: parameter `limit` became deprecated (6)'],
  ],
  [
    'a parameter has another name',
    ({ parameters }) => {
      parameters.Limit.name = 'max';
    },
    [
      'risky parameter Limit: parameter `limit` was removed (6)',
      'safe parameter Limit: parameter `max` was added, optional (6)',
    ],
  ],
  [
    'a parameter is sent elsewhere',
    ({ parameters }) => {
      parameters.Limit.in = 'header';
    },
    ['risky parameter Limit: place of `limit` is the header, it was the query (6)'],
  ],
  [
    'a field of a body became required',
    ({ requestBodies }) => Object.assign(toSchema(requestBodies.Thing), { required: ['name'] }),
    ['breaking body Thing: body `Thing.name` became required (3)'],
  ],
  [
    'a body became required',
    ({ requestBodies }) => Object.assign(requestBodies.Thing, { required: true }),
    ['breaking body Thing: the body `Thing` became required (3)'],
  ],
  [
    'a body is taken of another type, too',
    ({ requestBodies }) =>
      Object.assign(requestBodies.Thing.content, toContent(text, 'text/plain')),
    ['safe body Thing: a body `Thing` of text/plain was added (3)'],
  ],
  [
    'a field of an answer was removed',
    ({ responses }) => Reflect.deleteProperty(toSchema(responses.Page).properties, 'next'),
    ['breaking answer Page: answer `Page.next` was removed (6)'],
  ],
  [
    'an answer has another media type',
    ({ responses }) => {
      responses.Page.content = toContent(page, 'application/xml');
    },
    ['breaking answer Page: media type of `Page` is application/xml, it was application/json (6)'],
  ],
  [
    'an answer has a link fewer',
    ({ responses }) => Reflect.deleteProperty(responses.Page.links, 'next'),
    ['breaking answer Page: link `next` of `Page` was removed (6)'],
  ],
  [
    'an answer has a header fewer',
    ({ responses }) => Reflect.deleteProperty(responses.Page.headers, 'X-Rate'),
    ['breaking answer Page: answer `Page.headers.x-rate` was removed (6)'],
  ],
  [
    'the body of an error has a field fewer',
    ({ responses }) => Reflect.deleteProperty(toSchema(responses.Missing).properties, 'code'),
    ['breaking answer Missing: answer `Missing.code` was removed (6)'],
  ],
  [
    'a header may be missing',
    ({ headers }) => {
      headers.Rate.required = false;
    },
    ['breaking header Rate: header `x-rate` became optional (6)'],
  ],
  [
    'a header has another type',
    ({ headers }) => {
      headers.Rate.schema.type = 'string';
    },
    ['breaking header Rate: header `x-rate` changed from integer to string (6)'],
  ],
  [
    'a link leads elsewhere',
    ({ links }) => {
      links.Next.operationId = 'thing1';
    },
    [
      'risky link Next: target of link `next` is {"operationId":"thing1"}, it was {"operationId":"thing0"} (6)',
    ],
  ],
  [
    'what a callback sends has a field fewer',
    ({ callbacks }) =>
      Reflect.deleteProperty(
        toSchema(callbacks.Done['{$request.query.url}'].post.requestBody).properties,
        'next',
      ),
    ['breaking callback Done: callback `Done.next` was removed (6)'],
  ],
  [
    'a credential is sent in another header',
    ({ securitySchemes }) => {
      securitySchemes.key.name = 'X-Other';
    },
    [
      'breaking credential key: apiKey header x-key does not do any more: apiKey header x-other is asked for (6)',
    ],
  ],
];

function toSchema({ content }: { content: ReturnType<typeof toContent> }) {
  return content['application/json']?.schema as unknown as { properties: object };
}

const security = [{ key: [] }];

function toTold(before: object, after: object): readonly string[] {
  return groupChanges(compare(before, after)).map(
    ({ change, message, places }) =>
      `${change.class} ${change.component?.name}: ${message} (${places.length})`,
  );
}

test.each(edits)('tells once that %s', (_, edit, told) => {
  expect(toTold(toDocument(undefined, security), toDocument(edit, security))).toEqual(told);
});

test('tells once that the whole document asks for another credential', () => {
  const before = toDocument(undefined, security);
  expect(toTold(before, toDocument(undefined, [{ login: ['read'] }]))).toEqual([
    'breaking security: apiKey header x-key does not do any more: oauth2 and scope `read` of oauth2 is asked for (4)',
  ]);
});

test('tells what one operation refers to where it is, and of the operation alone', () => {
  const after = toDocument(undefined, security);
  const { paths } = after as unknown as {
    paths: Record<string, { post: { parameters: object[] } }>;
  };
  paths['/things-0']!.post.parameters[0] = {
    ...components.parameters.Limit,
    schema: { type: 'integer', maximum: 10 },
  };
  expect(toTold(toDocument(undefined, security), after)).toEqual([
    'breaking undefined: `limit` has the maximum 10, it was 100 (1)',
  ]);
});

test('tells a change of a component under another name as one of the component', () => {
  const renamed = JSON.stringify(
    toDocument(({ parameters }) => {
      parameters.Limit.schema.maximum = 50;
    }),
  ).replaceAll('"Limit"', '"Most"');
  const after = JSON.parse(renamed.replaceAll('parameters/Limit', 'parameters/Most')) as object;
  expect(toTold(toDocument(), after)).toEqual([
    'breaking parameter Most: parameter `limit` has the maximum 50, it was 100 (6)',
  ]);
});

test('text, Markdown and screen have one entry with what it reaches', () => {
  const [before, after] = [toDocument(), toDocument(edits[0]![1])];
  const toSide = (label: string, document: object) =>
    ({ label, manifest: { document }, notes: [], unread: [] }) as unknown as ContractSide;
  const sides = [toSide('a', before), toSide('b', after)] as const;
  const diff = compare(before, after);
  const compared: Compared = { diff, ignored: [], sides, notes: [], unread: [] };
  expect(toDiffText(compared)).toBe(`Shared (1)

    breaking  parameter \`limit\` has the maximum 50, it was 100: values that fitted may be refused (HTTP callers, typed client, agents)
              6 capabilities: thing0, thing1, thing2 and 3 more

1 breaking, 0 risky, 0 safe
`);
  expect(toDiffMarkdown(compared)).toContain('| 6: `thing0`, `thing1`, `thing2` and 3 more |');
  const [shared, ...others] = toDiffRows(compared, new Map());
  expect(others).toEqual([]);
  expect(shared?.children?.map(({ children }) => children?.length)).toEqual([6]);
});
