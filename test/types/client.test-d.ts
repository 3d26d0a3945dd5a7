import { WebSocket as UndiciWebSocket } from 'undici';
import { describe, expectTypeOf, it } from 'vitest';
import { WebSocket as WsWebSocket } from 'ws';
import * as z from 'zod';
import type { CallOf, Sent } from '../../server-runtime/client/create-client.ts';
import {
  type ApiError,
  createClient,
  type ErrorFacts,
  type OtherError,
  type Result,
  webSocket,
} from '../../server-runtime/client/index.ts';
import {
  bytes,
  capability,
  createServer,
  defineError,
  defineGuard,
  noContent,
  sse,
  stream,
  text,
  uploadedFile,
} from '../../server-runtime/index.ts';

const EmailTaken = defineError(409, 'EmailTaken', {
  meta: z.object({ email: z.string(), at: z.date() }),
});
const Busy = defineError(503, 'Busy');
const mustBeUser = defineGuard(() => {}, { errors: [defineError(401, 'NoUser')] });
const ById = z.object({ id: z.string() });
const getUser = capability(ById, ({ id }) => ({
  id,
  bornAt: new Date(),
  nick: undefined as string | undefined,
}))
  .guard(mustBeUser)
  .errors(EmailTaken, Busy);
const listUsers = capability(z.object({ limit: z.number().optional() }), () => [1, 2]);
const upload = capability(
  z.object({ file: uploadedFile(), more: z.array(uploadedFile()).optional() }),
  () => undefined,
);
const watch = capability(async function* () {
  yield sse({ id: '1' });
});
const capabilities = { users: { getUser, listUsers, admin: { upload } }, watch };
const server = createServer({ capabilities });
const api = createClient<typeof server>({ baseUrl: '' });

describe('a client of a server', () => {
  it('knows keys, inputs and results', async () => {
    expectTypeOf(await api.users.getUser({ id: '1' })).toEqualTypeOf<{
      id: string;
      bornAt: Date;
      nick: string | undefined;
    }>();
    expectTypeOf(await api.users.listUsers()).toEqualTypeOf<number[]>();
    await api.users.listUsers({ limit: 1 }, { signal: AbortSignal.timeout(1) });
    expectTypeOf(
      await api.users.admin.upload({ file: new Blob([]), more: [new Blob([])] }),
    ).toBeNull();
    expectTypeOf(await api.watch()).toEqualTypeOf<AsyncIterable<{ id: string }>>();
    const declared = {
      remove: capability(ById, () => {}).output(noContent),
      items: capability(async function* () {
        yield { id: '1' };
      }).output(stream(ById)),
      list: capability(ById, () => 'a,b').output(text('text/csv')),
      image: capability(() => new Uint8Array()).output(bytes('image/png')),
      get: capability(ById, ({ id }) => ({ id, secret: 1n })).output(
        z.object({ id: z.string(), size: z.number().default(1) }),
      ),
      late: capability(() => ({ id: '1' }))
        .output(ById, { status: 201 })
        .output(z.object({ id: z.string().transform(Number) }), { status: 201 }),
      either: capability
        .input(ById)
        .output(z.object({ at: z.date() }))
        .output(noContent)(() => ({
        at: new Date(),
      })),
    };
    const more = createClient<typeof declared>({ baseUrl: '' });
    expectTypeOf(await more.get({ id: '1' })).toEqualTypeOf<{ id: string; size: number }>();
    expectTypeOf(await more.late()).toEqualTypeOf<{ id: number }>();
    expectTypeOf(await more.either({ id: '1' })).toEqualTypeOf<{ at: Date } | null>();
    const either = await more.either.safe({ id: '1' });
    if (either.ok && either.status === 204) expectTypeOf(either.data).toBeNull();
    if (either.ok && either.status === 200) expectTypeOf(either.data).toEqualTypeOf<{ at: Date }>();
    const got = await more.get.safe({ id: '1' });
    if (got.ok) expectTypeOf(got.status).toEqualTypeOf<200>();
    const late = await more.late.safe();
    if (late.ok) expectTypeOf(late.status).toEqualTypeOf<201>();
    expectTypeOf(await more.image()).toEqualTypeOf<Blob>();
    expectTypeOf(await more.remove({ id: '1' })).toBeNull();
    expectTypeOf(await more.items()).toEqualTypeOf<AsyncIterable<{ id: string }>>();
    expectTypeOf(await more.list({ id: '1' })).toBeString();
    // @ts-expect-error: there is no such operation
    await api.users.getUsr({ id: '1' });
    // @ts-expect-error: it is called `id`
    await api.users.getUser({ idd: '1' });
    // @ts-expect-error: the input is missing
    await api.users.getUser();
    // @ts-expect-error: a group cannot be called
    await api.users();
  });

  it('is the same from the type of the groups', () => {
    expectTypeOf(createClient<typeof capabilities>({ baseUrl: '' }).users.getUser).toEqualTypeOf<
      CallOf<typeof getUser>
    >();
    expectTypeOf(api.users.getUser).toEqualTypeOf<CallOf<typeof getUser>>();
  });

  it('knows the errors that an operation declares, and their metas', async () => {
    const result = await api.users.getUser.safe({ id: '1' });
    if (result.ok) return;
    const { error } = result;
    if (error.name === 'EmailTaken')
      expectTypeOf(error.meta).toEqualTypeOf<{ email: string; at: Date }>();
    if (error.name === 'NoUser')
      expectTypeOf(error.meta).toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>();
    if (error.name === 'BadRequest')
      expectTypeOf(error).toEqualTypeOf<ApiError<'BadRequest', ErrorFacts, 400>>();
    if (result.status === 410) expectTypeOf(result.error.name).toEqualTypeOf<OtherError>();
    if (result.status === 409)
      expectTypeOf(result.error.name).toEqualTypeOf<'EmailTaken' | 'Conflict' | OtherError>();
    expectTypeOf(error.name).toExtend<string>();
    // @ts-expect-error: nobody declares it
    if (error.name === 'Gone') return;
    // @ts-expect-error: this one does not declare it
    const other: Result<unknown> = result;
    void other;
  });

  it('refuses the names that mean something else there', () => {
    const ping = capability(() => 1);
    const odd = createClient<{
      users: { then: typeof ping; safe: typeof ping; ping: typeof ping };
    }>({ baseUrl: '' });
    // @ts-expect-error: it cannot be reached
    void odd.users.then();
    // @ts-expect-error: it cannot be reached
    void odd.users.safe();
    void odd.users.ping();
  });
});

describe('what is sent as JSON', () => {
  it('is what a caller gets', () => {
    expectTypeOf<Sent<Date | undefined>>().toEqualTypeOf<Date | null>();
    expectTypeOf<Sent<{ readonly a?: Date; b: () => void; c: [Date, 1] }>>().toEqualTypeOf<{
      readonly a?: Date;
      b: undefined;
      c: [Date, 1];
    }>();
    expectTypeOf<Sent<unknown>>().toBeUnknown();
    expectTypeOf<Sent<Uint8Array>>().toEqualTypeOf<Blob>();
    expectTypeOf<Sent<Response>>().toBeUnknown();
    expectTypeOf<Sent<{ kind: 'a'; a: 1 } | { kind: 'b' }>>().toEqualTypeOf<
      { kind: 'a'; a: 1 } | { kind: 'b' }
    >();
  });
});

it('takes the WebSocket of ws, of undici and of the runtime as the class of connections', () => {
  webSocket('', { WebSocket: WsWebSocket });
  webSocket('', { WebSocket: UndiciWebSocket });
  webSocket('', { WebSocket: globalThis.WebSocket });
  // @ts-expect-error a class that opens nothing
  webSocket('', { WebSocket: Map });
});
