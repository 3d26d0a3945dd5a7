import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
  group,
  silentLogger,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';
import { connectToTools, connectToUrl, serveTools } from '../../helpers/connect-to-tools.ts';
import { describeThroughEveryDoor, itOverHttp } from '../../helpers/every-door.ts';
import { json, startOverSocket } from '../../helpers/start-rest.ts';
import { startSockets } from '../../helpers/start-web-sockets.ts';

const { NotFound, Unauthorized, Forbidden } = defaultErrors;

interface Context {
  readonly user: string | undefined;
}

const context = defineContext(
  ({ headers }): Context => ({ user: headers['x-user'] as string | undefined }),
);

/** Ada owns the first organization, and is a member of the second; of the seventh, whose id is a number, too. */
const roles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ada: { a: 'owner', b: 'member', '10': 'owner' },
};

const mustBeUser = defineGuard(
  (ctx: Context): asserts ctx is { user: string } => {
    if (ctx.user === undefined) throw Unauthorized();
  },
  { name: 'mustBeUser', errors: [Unauthorized] },
);

const mustBeMember = defineGuard(
  async (ctx: { readonly user: string }, { params }) => {
    const role = roles[ctx.user]?.[params.orgId];
    if (role === undefined) throw NotFound();
    return { membership: { orgId: params.orgId, role } };
  },
  { name: 'mustBeMember', params: ['orgId'], errors: [NotFound] },
);

const mustBeOwner = defineGuard(
  (ctx: { readonly membership: { readonly role: string } }) => {
    if (ctx.membership.role !== 'owner') throw Forbidden();
  },
  { name: 'mustBeOwner', errors: [Forbidden] },
);

const userCap = capability.withContext<Context>().guard(mustBeUser);
const memberCap = userCap.guard(mustBeMember).input(z.object({ orgId: z.string() }));

/** What the guard saw, and what the handler gets. */
const getNote = memberCap(z.object({ text: z.string().optional() }), ({ orgId }, ctx) => ({
  guard: ctx.membership.orgId,
  handler: orgId,
  role: ctx.membership.role,
}));
const createNote = memberCap(z.object({ text: z.string() }), ({ orgId, text }, ctx) => ({
  guard: ctx.membership.orgId,
  handler: orgId,
  text,
}));
const wipe = memberCap.guard(mustBeOwner)(z.object({}), ({ orgId }) => orgId);
const capabilities = { orgs: group('/orgs/:orgId', { getNote, createNote, wipe }) };
const ada = { 'x-user': 'ada' };

describeThroughEveryDoor('a guard that reads the path', (start) => {
  it('sees the parameter of the path, whatever body and query say, as the handler does', async () => {
    const { request } = await start({ context, capabilities });
    const got = await request('/orgs/a/note?orgId=b', { headers: ada });
    expect(await got.json()).toEqual({ data: { guard: 'a', handler: 'a', role: 'owner' } });
    const { headers, ...post } = json({ orgId: 'b', text: 'x' });
    const made = await request('/orgs/a?orgId=b', {
      ...post,
      headers: { ...(headers as object), ...ada },
    });
    expect(await made.json()).toEqual({ data: { guard: 'a', handler: 'a', text: 'x' } });
  });

  itOverHttp(
    'refuses before the input is looked at, so that the refused learn nothing about it',
    async () => {
      const { request } = await start({ context, capabilities });
      const send = (path: string, headers: Record<string, string>) =>
        request(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: '{"text":',
        });
      expect((await send('/orgs/a', {})).status).toBe(401);
      expect((await send('/orgs/c', ada)).status).toBe(404);
      expect((await send('/orgs/a', ada)).status).toBe(400);
      expect((await request('/orgs/b/wipe', { method: 'POST', headers: ada })).status).toBe(403);
    },
  );
});

it('sees the number that the handler gets, and not another spelling of it', async () => {
  const numbered = userCap.guard(mustBeMember).input(z.object({ orgId: z.number() }));
  const getNumber = numbered(({ orgId }, ctx) => [ctx.membership.orgId, orgId]);
  const { request } = await startOverSocket({
    context,
    capabilities: { orgs: group('/orgs/:orgId', { getNumber }) },
  });
  for (const text of ['10', '1e1', '010', '+10']) {
    const response = await request(`/orgs/${text}/number`, { headers: ada });
    expect(await response.json()).toEqual({ data: ['10', 10] });
  }
});

it('finds the parameter in the input of a call by key, where the query says another', async () => {
  const { request } = await startOverSocket({ context, capabilities, rest: { calls: true } });
  const call = async (input: unknown, headers: object = ada) => {
    const { headers: type, ...post } = json(input);
    const sent = { ...post, headers: { ...(type as object), ...headers } };
    const response = await request('/_call/orgs.createNote?orgId=b', sent);
    return [response.status, await response.json()];
  };
  expect(await call({ orgId: 'a', text: 'x' })).toEqual([
    200,
    { data: expect.arrayContaining(['a', 'x']) as unknown },
  ]);
  expect(await call({ orgId: 'c', text: 1 })).toMatchObject([404, {}]);
  expect(await call({ orgId: 'a', text: 1 })).toMatchObject([400, { error: 'BadRequest' }]);
  // Who is not signed in learns not even that there is a parameter.
  expect(await call({ text: 1 }, {})).toMatchObject([401, {}]);
  for (const orgId of [undefined, null, true, ['a'], { a: 1 }])
    expect(await call({ orgId, text: 'x' })).toEqual([
      400,
      { error: 'BadRequest', message: '`orgId` must be a text or a number' },
    ]);
});

it('finds it in the input of invoke, of a message and of a tool, and checks it there', async () => {
  const seen: unknown[] = [];
  const note = memberCap(z.object({ text: z.string() }), ({ orgId }, ctx) => {
    seen.push([ctx.membership.orgId, orgId]);
    return { orgId };
  });
  const groups = { orgs: group('/orgs/:orgId', { note }) };
  const good = { orgId: 'a', text: 'x' };
  const api = await testServer({ context, capabilities: groups, logger: silentLogger });
  const invoke = (input: object, headers: Record<string, string> = ada) =>
    api.invoke({ capability: 'orgs.note', input: input as never, headers });
  expect(await invoke(good)).toEqual({ orgId: 'a' });
  await expect(invoke({ orgId: 'c', text: 1 })).rejects.toThrow('Not found');
  await expect(invoke({ orgId: true, text: 1 })).rejects.toThrow('`orgId` must be a text');
  await expect(invoke({ orgId: Number.NaN })).rejects.toThrow('`orgId` must be a text');
  await expect(invoke(Object.create({ orgId: 'a' }) as object)).rejects.toThrow('`orgId` must be');
  await api.stop();

  const talk = await (await startSockets({ context, capabilities: groups })).open({ headers: ada });
  expect(await talk.ask('orgs.note', good)).toMatchObject({ result: { orgId: 'a' } });
  const refused = await talk.ask('orgs.note', { orgId: 'c', text: 1 });
  expect(refused.error?.data).toMatchObject({ error: 'NotFound', status: 404 });
  const wrong = await talk.ask('orgs.note', { orgId: null, text: 'x' });
  expect(wrong.error?.data).toMatchObject({ error: 'BadRequest', status: 400 });

  const client = await connectToTools({ context, capabilities: groups }, ada);
  const use = async (input: object) => {
    const result = await client.callTool({ name: 'orgs_note', arguments: { ...input } });
    return (result.content as { readonly text: string }[])[0]?.text;
  };
  expect(await use(good)).toContain('"orgId":"a"');
  expect(await use({ orgId: 'c', text: 'x', more: 1 })).toContain('NotFound (404)');
  expect(await use({ orgId: [], text: 'x' })).toContain('BadRequest (400)');
  expect(seen).toEqual([
    ['a', 'a'],
    ['a', 'a'],
    ['a', 'a'],
  ]);
});

it('finds it in the arguments of GraphQL, and checks it there', async () => {
  const Text = z.object({ text: z.string() });
  const Ids = z.object({ guard: z.string(), handler: z.string() });
  const both = ({ orgId }: { orgId: string }, ctx: { membership: { orgId: string } }) => ({
    guard: ctx.membership.orgId,
    handler: orgId,
  });
  const groups = {
    orgs: group('/orgs/:orgId', {
      getIds: memberCap(Text, both).output(Ids),
      createIds: memberCap(Text, both).output(Ids),
    }),
  };
  await using api = await testServer({ context, capabilities: groups, graphql: true });
  const ask = (text: string, variables = {}) => api.graphql(text, variables, { headers: ada });
  const ids = { guard: 'a', handler: 'a' };
  expect(await ask('{ orgsGetIds(orgId: "a", text: "x") { guard handler } }')).toEqual({
    data: { orgsGetIds: ids },
  });
  expect(
    await ask('mutation { orgsCreateIds(input: { orgId: "a", text: "x" }) { guard handler } }'),
  ).toEqual({ data: { orgsCreateIds: ids } });
  // The guard refuses before the text is looked at, and for each field by its own argument.
  expect(
    await ask(
      '{ one: orgsGetIds(orgId: "c", text: "x") { guard } two: orgsGetIds(orgId: "a", text: "x") { guard } }',
    ),
  ).toMatchObject({
    data: { one: null, two: { guard: 'a' } },
    errors: [{ path: ['one'], extensions: { code: 'NotFound', status: 404 } }],
  });
  const variable = 'query ($org: String!) { orgsGetIds(orgId: $org, text: "x") { guard } }';
  expect(await ask(variable, { org: 5 })).toMatchObject({
    errors: [{ extensions: { status: 400 } }],
  });
});

it('finds it in the input of a job', async () => {
  const seen: unknown[] = [];
  const mustExist = defineGuard(
    (_ctx: object, { params }) => {
      if (params.orgId !== 'a') throw NotFound();
      return { org: params.orgId };
    },
    { name: 'mustExist', params: ['orgId'] },
  );
  const send = capability.guard(mustExist)(z.object({ orgId: z.string() }), ({ orgId }, ctx) => {
    seen.push([orgId, ctx.org]);
  });
  const jobs = { mails: { send } };
  const queue = queueTransport({ capabilities: jobs });
  const start = capability(z.object({ orgId: z.string() }), ({ orgId }) =>
    queue.enqueue('mails.send', { orgId }),
  );
  const api = await testServer({
    capabilities: { all: { start } },
    jobs: 'run',
    logger: silentLogger,
  });
  await api.invoke({ capability: 'all.start', input: { orgId: 'a' } });
  await api.jobs.idle();
  await api.invoke({ capability: 'all.start', input: { orgId: 'b' } });
  await expect(api.jobs.idle()).rejects.toThrow('Not found');
  expect(seen).toEqual([['a', 'a']]);
  await api.stop();
});

it('ends an open stream of a message once the guard refuses its parameter, and only that', async () => {
  const open = new Set(['a', 'b']);
  const mustBeOpen = defineGuard(
    (_ctx: object, { params }) => {
      if (!open.has(params.orgId)) throw Forbidden(`not ${params.orgId}`);
    },
    { name: 'mustBeOpen', params: ['orgId'] },
  );
  const watch = capability.guard(mustBeOpen)(
    z.object({ orgId: z.string() }),
    async function* ({ orgId }, { signal }) {
      yield orgId;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    'query',
  );
  const sockets = await startSockets({
    capabilities: { orgs: { watch: watch.route('GET', '/:orgId') } },
  });
  const talk = await sockets.open();
  const first = talk.call('orgs.watch', { orgId: 'a' });
  expect((await talk.next()).params?.data).toBe('a');
  talk.call('orgs.watch', { orgId: 'b' });
  expect((await talk.next()).params?.data).toBe('b');
  open.delete('a');
  talk.send({ id: 99, method: '$/headers', params: { 'x-a': '1' } });
  const ended = await talk.next();
  expect(ended).toMatchObject({ id: first, error: { data: { status: 403 } } });
  expect(await talk.next()).toMatchObject({ id: 99, result: null });
  expect(talk.unread).toEqual([]);
});

it('finds it in the input of `resolve`, whose context stays as its caller has it', async () => {
  const ctx = { user: 'ada' };
  expect(await getNote.resolve({ orgId: 'a' }, ctx)).toMatchObject({ guard: 'a', role: 'owner' });
  expect(ctx).toEqual({ user: 'ada' });
  await expect(getNote.resolve({ orgId: 'c' }, ctx)).rejects.toThrow('Not found');
});

it('reads no file of a caller who is refused, be it by its route or by key', async () => {
  const upload = memberCap(
    z.object({ file: uploadedFile({ maxSize: 1e9 }) }),
    ({ orgId, file }) => ({
      orgId,
      size: file.size,
    }),
  );
  const { request } = await startOverSocket({
    context,
    capabilities: { orgs: group('/orgs/:orgId', { upload }) },
    rest: { calls: true, multipart: { maxFileSize: 1e9, maxTotalSize: 1e9 } },
  });
  /** A form whose file goes on until nobody reads it. Gives the answer, and how much was taken of it. */
  const send = async (path: string, fields: Record<string, string>, megabytes: number) => {
    const texts = Object.entries(fields).map(
      ([name, value]) =>
        `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const head = `${texts.join('')}--x\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n`;
    let taken = 0;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
      pull: (controller) => {
        if (taken === megabytes) {
          controller.enqueue(new TextEncoder().encode('\r\n--x--\r\n'));
          return controller.close();
        }
        taken++;
        controller.enqueue(new Uint8Array(1e6));
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x', ...ada };
    const response = await request(path, { method: 'POST', body, headers, duplex: 'half' });
    return { status: response.status, taken, body: await response.text() };
  };
  const refused = await send('/orgs/c/upload', {}, 100);
  expect(refused).toMatchObject({ status: 404 });
  expect(refused.taken).toBeLessThan(30);
  const byKey = await send('/_call/orgs.upload', { orgId: 'c' }, 100);
  expect(byKey).toMatchObject({ status: 404 });
  expect(byKey.taken).toBeLessThan(30);
  expect(await send('/orgs/a/upload', {}, 2)).toMatchObject({ status: 200 });
  const whole = await send('/_call/orgs.upload', { orgId: 'a' }, 2);
  expect(whole).toMatchObject({ status: 200 });
  expect(whole.body).toContain('2000000');
  expect(await send('/_call/orgs.upload', {}, 0)).toMatchObject({ status: 400 });
});

it('keeps lists from asking it, and the guards behind it, and says by which field it lets pass', async () => {
  const client = await connectToTools({ context, capabilities }, ada);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['orgs_getNote', 'orgs_createNote', 'orgs_wipe']);
  expect(tools[2]?.description).toContain(
    'Guarded by mustBeUser, mustBeMember (by orgId), mustBeOwner.',
  );
});

it('asks about lists as far as it can, and about a completion once the field is filled in', async () => {
  const suggest = { text: () => ['secret of the organization'] };
  const getNotes = getNote.resource('notes://{orgId}/{text}', { suggest });
  const groups = { orgs: group('/orgs/:orgId', { getNotes, wipe }) };
  const url = await serveTools({ context, capabilities: groups }, { hidesRefused: true });
  const client = await connectToUrl(url, ada);
  expect((await client.listTools()).tools).toHaveLength(2);
  expect((await (await connectToUrl(url)).listTools()).tools).toEqual([]);
  const complete = async (orgId?: string) => {
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'notes://{orgId}/{text}' },
      argument: { name: 'text', value: '' },
      ...(orgId !== undefined && { context: { arguments: { orgId } } }),
    });
    return completion.values;
  };
  expect(await complete()).toEqual([]);
  expect(await complete('a')).toEqual(suggest.text());
  await expect(complete('c')).rejects.toThrow('NotFound (404)');
});

it('adds to a context that is an instance of a class without taking its private fields', async () => {
  class Session {
    readonly user = 'ada';
    readonly #secret = 'x';
    tell() {
      return this.#secret;
    }
  }
  const load = defineGuard((_ctx: Session) => ({ loaded: 1 }));
  const getIt = capability.withContext<Session>().guard(load)((ctxInput, ctx) => [
    ctx.tell(),
    ctx.loaded,
    Object.keys(ctxInput),
  ]);
  const { request } = await startOverSocket({
    context: defineContext(() => new Session()),
    capabilities: { one: { getIt } },
  });
  expect(await (await request('/one/it')).json()).toEqual({ data: ['x', 1, []] });
});

it('is an error at the start where a route or an override lacks the parameter, or the input the field', async () => {
  const start = (groups: object, rest = {}) =>
    startOverSocket({ context, capabilities: groups as never, rest });
  await expect(start({ orgs: { getNote } })).rejects.toThrow(
    "`orgs.getNote` is GET /orgs/note, and its guard `mustBeMember` reads the parameter `:orgId`. Give the route that parameter: group('/…/:orgId', …) around it, or .route('GET', '/…/:orgId').",
  );
  const second = getNote.route('GET', '/orgs/:orgId/note').route('GET', '/notes');
  await expect(start({ orgs: { getNote: second } })).rejects.toThrow('is GET /notes');
  const overrides = { 'orgs.getNote': { method: 'GET', path: '/notes' } };
  await expect(start(capabilities, { overrides })).rejects.toThrow('is GET /notes');
  const reading = userCap.guard(mustBeMember);
  // @ts-expect-error -- it has no field that the guard reads
  const noField = reading(z.object({ id: z.string() }), () => null);
  await expect(start({ orgs: { getOne: noField } })).rejects.toThrow(
    'The guard mustBeMember of `orgs.getOne` reads `orgId`, and the input has no such field.',
  );
});

it('refuses names that no path has, and guards that read what is not there', async () => {
  expect(() => defineGuard(() => {}, { name: 'g', params: ['a-b'] })).toThrow(
    'The guard g: `params` are names such as [\'orgId\'], got ["a-b"].',
  );
  const docs = { guards: [mustBeMember as never] };
  await expect(startOverSocket({ capabilities, context, rest: { docs } })).rejects.toThrow(
    'the guard mustBeMember reads `orgId` of the path, which nobody sends here',
  );
});
