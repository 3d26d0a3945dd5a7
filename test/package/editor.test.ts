import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compilers, typedProject } from '../helpers/compile-types.ts';
import { pack } from '../helpers/packed-project.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { placeOf, startTsServer, type TsServer } from '../helpers/ts-server.mjs';

const program = `
import { capability, createServer, defineContext, defineError, defineGuard, restTransport, withCache, type ContextOf, type InputTo } from 'capix';
import { testServer } from 'capix/testing';

export const ping = capability(() => 'pong').describe('Answers');
export const server = createServer({ capabilities: { ping } });
export const NotFound = defineError(404, 'NotFound');
export const api = testServer({ capabilities: { ping } });
export type Given = InputTo<typeof ping>;

interface User { readonly id: string }
const context = defineContext(({ headers }) => ({ tenant: 'a', user: headers.from === undefined ? undefined : ({ id: '1' } as User) }));
interface Context extends ContextOf<typeof context> {}
const mustBeUser = defineGuard((ctx: Context): asserts ctx is Context & { user: User } => void ctx);
const mayPass = defineGuard((ctx: Context) => void ctx);
const whoAmI = capability.withContext<Context>().guard(mustBeUser)((_input, ctx) => ctx.user.id).enhance(withCache({ ttlMs: 1, scope: (inner) => inner.user.id }));
export const guarded = createServer({
  context,
  capabilities: { ping, users: { whoAmI } },
  transports: [restTransport({ overrides: { 'users.whoAmI': { method: 'GET', path: '/me' } } })],
});
export const me = guarded.invoke({ capability: 'users.whoAmI' });
export { mayPass };
`;

describe('the packed package', () => {
  let installed: string;
  let file: string;
  let editor: TsServer;
  beforeAll(async () => {
    const parent = await temporaryFolder();
    await execa('tar', ['xf', await pack(parent)], { cwd: parent });
    installed = join(parent, 'package');
    const folder = await typedProject({ files: { 'index.ts': program }, capix: installed });
    file = join(folder, 'index.ts');
    editor = startTsServer(
      join(dirname(compilers['TypeScript 5.9']), '../lib/tsserver.js'),
      folder,
    );
    editor.open(file);
  });
  afterAll(() => editor.end());

  it('has the source of each of its declarations', async () => {
    const entries = await readdir(join(installed, 'dist'), { recursive: true });
    const declarations = entries
      .filter((entry) => entry.endsWith('.d.ts'))
      .map((entry) => join(installed, 'dist', entry));
    expect(declarations.length).toBeGreaterThan(100);
    const missing = await Promise.all(
      declarations.map(async (path) => ((await findSource(path)) === undefined ? [path] : [])),
    );
    expect(missing.flat()).toEqual([]);
  });

  it.each([
    ['capability(', 'server-runtime/capability/capability.ts', 'export const capability'],
    ['createServer({', 'server-runtime/server/create-server.ts', 'export function createServer'],
    ['defineError(4', 'server-runtime/errors/define-error.ts', 'export function defineError'],
    ['testServer({', 'server-runtime/testing/test-server.ts', 'export async function testServer'],
    ['InputTo<', 'server-runtime/capability/group-tree.ts', 'export type InputTo'],
    ["describe('", 'server-runtime/capability/capability.ts', '  describe(text'],
  ])('leads from %s to its code', async (text, path, declaration) => {
    const found = (await editor.ask('definition', {
      file,
      ...placeOf(file, text, 1),
    })) as readonly Definition[];
    const places = await Promise.all(
      found.map(async ({ file: at, start }) => [
        relative(installed, at),
        (await readFile(at, 'utf8')).split('\n')[start.line - 1]?.slice(0, declaration.length),
      ]),
    );
    expect(places).toContainEqual([path, declaration]);
  });

  const hoverAt = async (text: string, within = 1): Promise<string> => {
    const hover = await editor.ask('quickinfo', { file, ...placeOf(file, text, within) });
    return (hover as { readonly displayString: string }).displayString;
  };
  const namesAt = async (text: string, within: number): Promise<readonly string[]> => {
    const found = await editor.ask('completionInfo', { file, ...placeOf(file, text, within) });
    return (found as { readonly entries: readonly { readonly name: string }[] }).entries.map(
      ({ name }) => name,
    );
  };

  it('shows a guarded context by its name, with what the guard narrows', async () => {
    expect(await hoverAt('ctx) => ctx.user.id')).toBe(
      '(parameter) ctx: Context & {\n    user: User;\n}',
    );
    expect(await hoverAt('inner) =>')).toBe('(parameter) inner: Context & {\n    user: User;\n}');
  });

  it('shows of a guard that asserts nothing that it narrows nothing', async () => {
    expect(await hoverAt('mayPass =', 0)).toBe(
      'const mayPass: Guard<Context, unknown, never, never>',
    );
    expect(await hoverAt('mustBeUser =', 0)).toBe(
      'const mustBeUser: Guard<Context, Context & {\n    user: User;\n}, never, never>',
    );
  });

  it('completes the keys of a call and of overrides, and the methods', async () => {
    expect(await namesAt("capability: 'users.whoAmI'", "capability: '".length)).toEqual([
      'ping',
      'users.whoAmI',
    ]);
    expect(await namesAt("method: 'GET'", "method: '".length)).toEqual(
      expect.arrayContaining(['GET', 'PATCH', 'DELETE']),
    );
  });
});

interface Definition {
  readonly file: string;
  readonly start: { readonly line: number };
}

/** The source that the map of a declaration names, where it is there. */
async function findSource(declaration: string): Promise<string | undefined> {
  const map = JSON.parse(await readFile(`${declaration}.map`, 'utf8')) as {
    readonly sources: readonly string[];
  };
  const sources = map.sources.map((source) => resolve(dirname(declaration), source));
  return sources.find(existsSync);
}
