import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createClient } from '../../../server-runtime/client/index.ts';
import {
  capability,
  createServer,
  defaultErrors,
  defineMiddleware,
  generateOpenAPI,
  group,
  type MiddlewareCall,
  noContent,
  reply,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';

const OrgId = z.object({ orgId: z.string() });
const Invoice = z.object({ id: z.string(), lines: z.array(z.string()).default([]) });
const Saved = z.object({ id: z.string(), orgId: z.string(), member: z.string() });

const member = defineMiddleware(({ input, next }: MiddlewareCall<unknown, { orgId: string }>) => {
  if (input.orgId === 'closed') throw defaultErrors.Forbidden();
  return next({ member: `member of ${input.orgId}` });
});
const orgCap = capability.input(OrgId).use(member);

const createInvoice = orgCap
  .input(Invoice)
  .errors(defaultErrors.Forbidden)
  .output(Saved, { status: 201 })
  .output(z.object({ job: z.string() }), { status: 202 })(async ({ orgId, id, lines }, ctx) =>
  lines.length > 1
    ? reply({ job: id }, { status: 202 })
    : { id, orgId, member: ctx.member, secret: 1 },
);
const listInvoices = orgCap(({ orgId }) => [orgId]);
const getInvoice = orgCap(z.object({ id: z.string() }), ({ orgId, id }) => ({ orgId, id }));
const payInvoice = orgCap
  .input(z.object({ number: z.number() }))
  .route('PUT', '/paid/:number')
  .output(noContent)(() => {});
const getStats = orgCap(({ orgId }) => ({ orgId }));

const capabilities = {
  orgs: group('/orgs/:orgId', {
    invoices: { createInvoice, listInvoices, getInvoice, payInvoice },
    getStats,
  }),
};

it('has its path in place of its name, over HTTP, in the document and for clients', async () => {
  const api = await testServer({ capabilities, rest: { calls: true, prefix: '/v1' } });
  onTestFinished(api.stop);
  const ask = async (path: string, init?: Parameters<typeof api.fetch>[1]) => {
    const response = await api.fetch(`/v1${path}`, init);
    return `${response.status} ${await response.text()}`;
  };
  expect(await ask('/orgs/acme/invoices')).toBe('200 {"data":["acme"]}');
  expect(await ask('/orgs/acme/invoices/7')).toBe('200 {"data":{"orgId":"acme","id":"7"}}');
  expect(await ask('/orgs/acme/stats')).toBe('200 {"data":{"orgId":"acme"}}');
  expect(await ask('/orgs/acme/paid/7', { method: 'PUT' })).toBe('204 ');
  expect(await ask('/orgs/acme/invoices', { json: { id: '7', orgId: 'other' } })).toBe(
    '201 {"data":{"id":"7","orgId":"acme","member":"member of acme"}}',
  );
  expect(await ask('/orgs/acme/invoices', { json: { id: '7', lines: ['a', 'b'] } })).toBe(
    '202 {"data":{"job":"7"}}',
  );
  expect(await ask('/orgs/acme/invoices', { json: {} })).toContain('400 {"error":"BadRequest"');
  expect(await ask('/orgs/closed/invoices', { json: { id: '7' } })).toContain(
    '403 {"error":"Forbidden"',
  );

  const { paths } = generateOpenAPI(capabilities);
  expect(
    Object.entries(paths).flatMap(([path, at]) =>
      Object.keys(at).map((method) => `${method} ${path}`),
    ),
  ).toEqual([
    'post /orgs/{orgId}/invoices',
    'get /orgs/{orgId}/invoices',
    'get /orgs/{orgId}/invoices/{id}',
    'put /orgs/{orgId}/paid/{number}',
    'get /orgs/{orgId}/stats',
  ]);
  const create = paths['/orgs/{orgId}/invoices']?.['post'];
  expect(Object.keys(create?.responses ?? {})).toEqual(
    expect.arrayContaining(['201', '202', '403']),
  );
  expect(create?.parameters).toMatchObject([{ name: 'orgId', in: 'path', required: true }]);
  expect(JSON.stringify(create?.requestBody)).toContain('"lines"');

  const client = createClient<typeof capabilities>({ baseUrl: `${api.url}/v1` });
  expect(await client.orgs.invoices.createInvoice({ orgId: 'acme', id: '7' })).toEqual({
    id: '7',
    orgId: 'acme',
    member: 'member of acme',
  });
});

it('stands in another one, whose name or path comes before', () => {
  const inner = group('/invoices/:id', {
    lines: { listLines: orgCap(z.object({ id: z.string() }), () => []) },
  });
  const toPaths = (tree: object): readonly string[] =>
    Object.keys(generateOpenAPI(tree as never).paths);
  expect(toPaths({ v2: { invoices: inner } })).toEqual(['/v2/invoices/{id}/lines']);
  expect(toPaths({ orgs: group('/orgs/:orgId', { invoices: inner }) })).toEqual([
    '/orgs/{orgId}/invoices/{id}/lines',
  ]);
  expect(
    toPaths({ orgs: group('/orgs/:orgId', group('/other/:orgId', { invoices: inner })) }),
  ).toEqual(['/orgs/{orgId}/invoices/{id}/lines']);
  const users = group('/people/:id', { getUser: orgCap(z.object({ id: z.string() }), () => 1) });
  expect(toPaths({ users })).toEqual(['/people/{id}']);
});

it('stands before all, where it is all capabilities of a server', async () => {
  const getUser = capability(
    z.object({ orgId: z.string(), id: z.string() }),
    (input) => input,
    'query',
  );
  const rename = capability(z.object({ orgId: z.string() }), (input) => input).route(
    'POST',
    '/rename',
  );
  const capabilities = group('/orgs/:orgId', { users: { getUser, rename } });
  expect(Object.keys(generateOpenAPI(capabilities).paths)).toEqual([
    '/orgs/{orgId}/users/{id}',
    '/orgs/{orgId}/rename',
  ]);
  const handle = toFetchHandler(createServer({ capabilities, logger: silentLogger }));
  const response = await handle(new Request('http://x/orgs/acme/users/7'));
  expect(await response.json()).toEqual({ data: { orgId: 'acme', id: '7' } });
});

it('counts before one with a description that it is made of', () => {
  const described = group(
    { getItem: capability(() => null, 'query') },
    { description: 'What is sold' },
  );
  expect(Object.keys(generateOpenAPI({ items: group('/goods', described) }).paths)).toEqual([
    '/goods',
  ]);
});

it('refuses a member without its fields, and a path that is none', () => {
  expect(() => group('/orgs/:orgId', { a: { getOne: capability(() => 1) } } as never)).toThrow(
    "group('/orgs/:orgId'): the input of a capability in it has no field 'orgId'. Add it: .input(z.object({ orgId: z.string() })).",
  );
  expect(() => group('/orgs/{orgId}', {})).toThrow(
    'group(\'/orgs/{orgId}\'): the path has "{orgId}"',
  );
});

it('joins inputs of each kind: refined, strict, of another library', async () => {
  const refined = z
    .object({ from: z.number(), to: z.number() })
    .refine(({ from, to }) => from < to, 'backwards');
  const range = capability.input(OrgId).input(refined)((input) => input, 'query');
  const strict = capability.input(OrgId).input(z.strictObject({ id: z.string() }))(
    (input) => input,
    'query',
  );
  const ctx = { requestId: 'r' };
  expect(await range.resolve({ orgId: 'a', from: 1, to: 2 }, ctx)).toEqual({
    orgId: 'a',
    from: 1,
    to: 2,
  });
  await expect(range.resolve({ orgId: 'a', from: 3, to: 2 }, ctx)).rejects.toMatchObject({
    status: 400,
  });
  await expect(
    strict.resolve({ orgId: 'a', id: '1', more: 1 } as never, ctx),
  ).rejects.toMatchObject({ status: 400 });
  const server = createServer({ capabilities: { range, strict } });
  await expect(
    server.invoke({ capability: 'strict', input: { orgId: 'a', id: '1' } }),
  ).resolves.toEqual({
    orgId: 'a',
    id: '1',
  });
});
