import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  defineError,
  type GroupTree,
  type Server,
} from '../../../../server-runtime/index.ts';
import { describeApi } from '../../../../source/manifest/describe-api.ts';
import { writeClient as writeClientOf } from '../../../helpers/generated-client.ts';
import { packageRoot } from '../../../helpers/run-capix.ts';
import { shop, shopOverrides } from '../../../helpers/shop.ts';
import { startShop } from '../../../helpers/start-shop.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

async function writeClient(capabilities: GroupTree, restOptions = {}): Promise<string> {
  return writeClientOf(describeApi({ registry: compileRegistry(capabilities), restOptions }));
}

/** What the compiler says of the client and a program that uses it, at its strictest; empty where all is well. */
async function compile(
  client: string,
  program: string,
  lib: readonly string[],
  types: readonly string[],
): Promise<string> {
  const folder = await temporaryFolder();
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    isolatedModules: true,
    module: 'nodenext',
    target: 'es2022',
    noEmit: true,
    skipLibCheck: true,
    lib,
    types,
  };
  await mkdir(join(folder, 'node_modules'));
  for (const name of ['@types', 'undici-types'])
    await symlink(
      join(packageRoot, 'node_modules', name),
      join(folder, 'node_modules', name),
      'junction',
    );
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await writeFile(join(folder, 'client.ts'), client);
  await writeFile(join(folder, 'program.ts'), program);
  const { stdout } = await execa(
    process.execPath,
    [join(packageRoot, 'node_modules/typescript/bin/tsc'), '-p', '.'],
    {
      cwd: folder,
      reject: false,
    },
  );
  return stdout;
}

const program = `
import { createClient, isApiError, type Client, type User } from './client.js';

const api: Client = createClient({ baseUrl: '/', headers: async () => ({ authorization: 'Bearer x' }) });
const user: User = await api.users.getUser({ id: 'u1' });
export const country: 'ch' | 'de' | 'fr' | undefined = user.work?.country;
await api.users.listUsers();
await api.users.listUsers({ tags: ['a'], kind: 'toy' }, { headers: { a: 'b' }, signal: AbortSignal.timeout(1) });
await api.users.uploadAvatar({ id: '1', avatar: new Blob([]), more: [new Blob([])] });
await api.catalog.categories.getCategory();
await api.catalog.prices({ book: 1 });
await api.catalog.buy({ kind: 'toy', size: 1 });
const result = await api.users.createUser.safe({ email: 'a', age: null, tags: [], home: { street: '', country: 'ch' } });
if (result.ok) {
  export_(result.data.bornAt);
} else {
  const name: string = result.error.name;
  if (result.error.name === 'EmailTaken') export_(result.error.meta.email satisfies string, name);
  else if (result.error.name === 'BadRequest') export_(result.error.meta?.['fields']);
  if (name === 'Gone') export_(result.error.status);
  // @ts-expect-error: nobody declares it
  if (result.error.name === 'Gone') export_();
  // @ts-expect-error: it is called email
  if (result.error.name === 'EmailTaken') export_(result.error.meta.emial);
}
try {
  await api.health();
} catch (error) {
  if (isApiError(error, 'NotFound')) export_(error.status satisfies number, error.name satisfies 'NotFound');
}
function export_(..._values: readonly unknown[]): void {}

// @ts-expect-error: the id is missing
await api.users.getUser({});
// @ts-expect-error: the input is missing
await api.users.getUser();
// @ts-expect-error: no such kind
await api.users.listUsers({ kind: 'car' });
// @ts-expect-error: a book has no size
await api.catalog.buy({ kind: 'book', size: 1 });
// @ts-expect-error: no such operation
await api.users.drop();
`;

/** A record that holds itself. */
const loop: z.ZodType = z.record(
  z.string(),
  z.lazy(() => loop),
);

describe('the generated client', () => {
  it.each([
    ['a browser', ['es2022', 'dom', 'dom.iterable'], []],
    ['Node', ['es2022'], ['node']],
  ])('compiles at the strictest for %s, and refuses wrong calls', async (_name, lib, types) => {
    expect(
      await compile(await writeClient(shop, { overrides: shopOverrides }), program, lib, types),
    ).toBe('');
  });

  it('compiles for names, texts and schemas that could break it', async () => {
    const odd = {
      delete: {
        class: capability(
          z.object({
            'a-b': z.string(),
            "it's": z.number().describe('ends */ here\nand // there'),
          }),
          () => 1,
        ),
      },
      types: {
        one: capability(
          z.object({
            a: z.tuple([z.string(), z.number()]).rest(z.boolean()),
            b: z.literal(['x', 1, null]),
          }),
          () => 1,
        ),
        two: capability(z.object({ client: z.string() }).meta({ id: 'Client' }), () => 1).describe(
          '*/ alert(1) /*',
        ),
        three: capability(
          z
            .object({
              x: z
                .object({ y: z.union([z.array(z.string()), z.record(z.string(), z.number())]) })
                .loose(),
            })
            .meta({ id: '1 odd-name' }),
          () => 1,
        ),
        four: capability(
          z.intersection(
            z.object({ a: z.string() }),
            z.union([z.object({ b: z.string() }), z.object({ c: z.number().nullable() })]),
          ),
          () => 1,
        ),
        five: capability(z.record(z.string(), z.unknown()), () => 1),
        six: capability(z.array(z.string()), () => 1),
        searchEight: capability(z.object({ a: z.string() }).catchall(z.number()), () => 1),
        updateNine: capability(z.object({ id: z.string() }).catchall(z.number()), () => 1),
        seven: capability(
          z.object({ a: z.never().optional(), b: z.any(), c: z.bigint().optional(), d: z.null() }),
          () => 1,
        ),
        ten: capability(
          z.object({
            meta: z.json(),
            loop: z.record(
              z.string(),
              z.lazy(() => loop),
            ),
          }),
          () => 1,
        ),
        eleven: capability(
          z.object({
            role: z.record(z.enum(['a', 'b']), z.number()),
            some: z.partialRecord(z.enum(['a', 'b']), z.number()),
            pair: z.tuple([z.string(), z.union([z.string(), z.number()]).optional()]),
            word: z.string().regex(/[A-Z]/).regex(/[0-9]/),
          }),
          () => 1,
        ),
      },
    };
    const use = `import { createClient } from './client.js';
      const api = createClient({ baseUrl: '' });
      await api.delete.class({ 'a-b': 'x', "it's": 1 });
      await api.types.one({ a: ['x', 1, true], b: null });
      await api.types.two({ client: 'x' });
      await api.types.three({ x: { y: { a: 1 }, more: 2 } });
      await api.types.four({ a: 'x', c: null });
      await api.types.five({ any: ['thing'] });
      await api.types.searchEight({ a: 'x', b: 1 });
      await api.types.updateNine({ id: 'x', b: 1 });
      await api.types.ten({ meta: { a: [1, { b: null }] }, loop: { a: { b: {} } } });
      await api.types.eleven({ role: { a: 1, b: 2 }, some: { b: 2 }, pair: ['x'], word: 'A1' });
      // @ts-expect-error: each role is asked for
      await api.types.eleven({ role: { a: 1 }, some: {}, pair: ['x', 1], word: 'A1' });
      // @ts-expect-error: a choice of texts and numbers
      await api.types.one({ a: ['x', 1], b: 'y' });`;
    expect(await compile(await writeClient(odd), use, ['es2022', 'dom'], [])).toBe('');
  });

  it('types the meta of each error that declares one', async () => {
    const User = z.object({ id: z.string() }).meta({ id: 'User' });
    const Taken = defineError(409, 'Taken', { meta: User });
    const Locked = defineError(409, 'Locked', { meta: z.object({ until: z.date() }) });
    const Busy = defineError(409, 'Busy', { meta: z.object({ seconds: z.number() }).optional() });
    const Spent = defineError(422, '2nd try', { meta: z.object({ left: z.literal(0) }) });
    const save = capability(z.object({ user: User }), () => 1).errors(Taken, Locked, Busy, Spent);
    const use = `import { createClient, type User } from './client.js';
      const result = await createClient({ baseUrl: '' }).users.save.safe({ user: { id: '1' } });
      if (!result.ok) {
        const { error } = result;
        if (error.name === 'Taken') error.meta satisfies User;
        if (error.name === 'Locked') error.meta.until satisfies Date;
        if (error.name === '2ndTry') error.meta.left satisfies 0;
        if (error.name === 'Busy') error.meta satisfies Readonly<Record<string, unknown>> | undefined;
        // @ts-expect-error: it may be without
        if (error.name === 'Busy') error.meta.seconds;
        error.status satisfies number;
      }`;
    expect(await compile(await writeClient({ users: { save } }), use, ['es2022', 'dom'], [])).toBe(
      '',
    );
  });

  it('is the same for the same capabilities', async () => {
    expect(await writeClient(shop, { overrides: shopOverrides })).toBe(
      await writeClient(shop, { overrides: shopOverrides }),
    );
  });
});

/** The client as JavaScript has it: everything has every name, and can be called. */
interface AnyApi {
  (input?: unknown, options?: unknown): Promise<unknown>;
  readonly [name: string]: AnyApi;
}
interface Runtime {
  readonly createClient: (options: {
    baseUrl: string;
    headers?: () => Promise<Record<string, string>>;
    fetch?: typeof fetch;
  }) => AnyApi;
  readonly isApiError: (error: unknown, name?: string) => boolean;
}

describe('the generated client against the running server', () => {
  let server: Server;
  let url: string;
  let runtime: Runtime;
  let api: AnyApi;
  beforeAll(async () => {
    ({ server, url } = await startShop());
    const { code } = await transform(await writeClient(shop, { overrides: shopOverrides }), {
      loader: 'ts',
    });
    const file = join(await temporaryFolder(), 'client.mjs');
    await writeFile(file, code);
    runtime = (await import(pathToFileURL(file).href)) as Runtime;
    api = runtime.createClient({
      baseUrl: `${url}/`,
      headers: async () => ({ authorization: 'Bearer ann' }),
    });
  });
  afterAll(() => server.stop());

  it.each(['a/b?c#d%', 'ü ñ 漢', '{id}', "$&'()*", ' ', '...', '%2F', 'a\\b', '💥'])(
    'carries the id %j',
    async (id) => {
      expect(await api['users']?.['getUser']?.({ id })).toMatchObject({ id });
    },
  );

  it.each(['', '.', '..'])('refuses the id %j, which no path can carry', async (id) => {
    await expect(api['users']?.['getUser']?.({ id })).rejects.toThrow('which no path can carry');
  });

  it('sends every kind of field in the query', async () => {
    const input = { page: 3, tags: ['a b', 'c&d', '+'], active: false, kind: 'book' };
    expect(await api['users']?.['listUsers']?.(input)).toEqual(
      expect.objectContaining({ seen: input }),
    );
    expect(await api['users']?.['listUsers']?.()).toEqual(
      expect.objectContaining({ seen: { page: 1 } }),
    );
    expect(await api['users']?.['listUsers']?.({ page: undefined, tags: ['one'] })).toEqual(
      expect.objectContaining({ seen: { page: 1, tags: ['one'] } }),
    );
    expect(await api['catalog']?.['find']?.({ by: 'id', id: 'x' })).toEqual({ by: 'id', id: 'x' });
    expect(await api['users']?.['deleteUser']?.({ id: 'a/b', force: true })).toEqual({
      id: 'a/b',
      force: true,
    });
  });

  it('sends JSON as it is', async () => {
    const user = {
      email: 'b@example.org',
      age: null,
      tags: [],
      home: { street: 'ü', country: 'fr' },
    };
    expect(await api['users']?.['createUser']?.(user)).toMatchObject({
      ...user,
      id: 'u2',
      bornAt: new Date(0),
    });
    expect(await api['users']?.['replaceUser']?.({ id: 'a/b', user })).toEqual({ id: 'a/b', user });
    expect(await api['users']?.['updateUser']?.({ id: 'u1', age: 4 })).toEqual({
      id: 'u1',
      fields: { age: 4 },
    });
    expect(await api['catalog']?.['prices']?.({ book: 1.5 })).toEqual({ book: 1.5 });
    expect(await api['catalog']?.['buy']?.({ kind: 'toy', size: 2 })).toEqual({
      kind: 'toy',
      size: 2,
    });
    expect(await api['catalog']?.['echo']?.({ any: [1] })).toEqual({ any: [1] });
    expect(await api['users']?.['unfollow']?.({ id: '1' })).toBeNull();
    expect(await api['health']?.()).toEqual({ ok: true });
  });

  it('sends files with the fields beside them', async () => {
    const avatar = new File(['abc'], 'me.png', { type: 'image/png' });
    expect(
      await api['users']?.['uploadAvatar']?.({
        id: 'a/b',
        avatar,
        more: [avatar, new Blob(['x'])],
        width: 7,
      }),
    ).toEqual({
      id: 'a/b',
      width: 7,
      type: 'image/png',
      size: 3,
      more: ['me.png', 'file'],
    });
    expect(await api['users']?.['sendNote']?.({ text: 'hi' })).toEqual({
      text: 'hi',
      content: null,
    });
    expect(
      await api['users']?.['sendNote']?.({ text: 'hi', file: new File(['x'], 'n.txt') }),
    ).toEqual({
      text: 'hi',
      content: 'x',
    });
  });

  it('throws the errors of the API by name', async () => {
    const error: unknown = await api['users']
      ?.['getUser']?.({ id: 'missing' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'NotFound', message: 'No user missing', status: 404 });
    expect([
      runtime.isApiError(error),
      runtime.isApiError(error, 'NotFound'),
      runtime.isApiError(error, 'Gone'),
    ]).toEqual([true, true, false]);
  });

  it('gives them back with `safe`', async () => {
    const taken = {
      email: 'taken@example.org',
      age: 1,
      tags: [],
      home: { street: '', country: 'ch' },
    };
    expect(await api['users']?.['createUser']?.['safe']?.(taken)).toMatchObject({
      ok: false,
      error: { name: 'EmailTaken', status: 409, meta: { email: 'taken@example.org' } },
    });
    expect(await api['users']?.['listUsers']?.['safe']?.({ page: 'x' })).toMatchObject({
      ok: false,
      error: { name: 'BadRequest', meta: { fields: [{ path: 'page' }] } },
    });
    expect(await api['health']?.['safe']?.()).toMatchObject({
      ok: true,
      data: { ok: true },
      status: 200,
    });
  });

  it('says so where something else than the API answers', async () => {
    const broken = runtime.createClient({
      baseUrl: url,
      fetch: async () =>
        new Response('<h1>Bad gateway</h1>', {
          status: 502,
          headers: { 'content-type': 'text/html' },
        }),
    });
    await expect(broken['health']?.()).rejects.toMatchObject({
      name: 'Unknown',
      status: 502,
      message: 'The response is 502 of the type text/html, which is not one of the API.',
    });
  });

  it('ends a call with its signal', async () => {
    await expect(api['health']?.(undefined, { signal: AbortSignal.abort() })).rejects.toThrow(
      'aborted',
    );
  });
});
