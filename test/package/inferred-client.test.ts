import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile, compilerNames, compilers, typedProject } from '../helpers/compile-types.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { type Place, placeOf, startTsServer, type TsServer } from '../helpers/ts-server.mjs';

const server = {
  'server/package.json':
    '{"name": "server", "type": "module", "exports": {".": "./dist/server.js"}}',
  'server/src/users/get.ts': `
    import { capability, defineError } from 'capix';
    import * as z from 'zod';
    export const Gone = defineError(410, 'Gone', { meta: z.object({ since: z.string() }) });
    export const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Ada', at: new Date() })).errors(Gone);
  `,
  'server/src/users/index.ts': `export { getUser } from './get.js';`,
  'server/src/tools.ts': `import { capability } from 'capix';\nexport const ping = capability(() => 'pong');`,
  'server/src/capabilities.ts': `export * as users from './users/index.js';\nexport * as tools from './tools.js';`,
  'server/src/server.ts': `
    import { createServer, restTransport } from 'capix';
    import * as capabilities from './capabilities.js';
    export const server = createServer({ capabilities, transports: [restTransport({ calls: true })] });
  `,
};
const web = {
  'web/package.json': '{"name": "web", "type": "module"}',
  'web/src/app.ts': `
    import { createClient } from 'capix/client';
    import type { server } from '../../server/src/server.js';
    const api = createClient<typeof server>({ baseUrl: '/' });
    export const pong: string = await api.tools.ping();
    export const user: { id: string; name: string; at: Date } = await api.users.getUser({ id: '1' });
    const result = await api.users.getUser.safe({ id: '1' });
    if (!result.ok && result.error.name === 'Gone') result.error.meta.since satisfies string;
    // @ts-expect-error: there is no such operation
    void api.users.getUsr;
  `,
};
const tsconfig = (references: readonly string[]): string =>
  JSON.stringify({
    extends: '../tsconfig.json',
    compilerOptions: {
      composite: true,
      declarationMap: true,
      noEmit: false,
      outDir: 'dist',
      rootDir: 'src',
      lib: ['ES2023', 'DOM'],
    },
    include: ['src'],
    references: references.map((path) => ({ path: `../${path}` })),
  });
const files = {
  ...server,
  ...web,
  'server/tsconfig.json': tsconfig([]),
  'web/tsconfig.json': tsconfig(['server']),
};

describe('a client of the types of a server in the same repository', () => {
  it.each(compilerNames)('compiles across project references with %s', async (compiler) => {
    const folder = await typedProject({ files });
    expect(await compile(folder, compiler, ['-b', 'web'])).toEqual({});
  });

  describe('in an editor', () => {
    let folder: string;
    let app: string;
    let editor: TsServer;
    beforeAll(async () => {
      folder = await typedProject({ files });
      app = join(folder, 'web/src/app.ts');
      editor = startTsServer(
        join(dirname(compilers['TypeScript 5.9']), '../lib/tsserver.js'),
        folder,
      );
      editor.open(app);
    });
    afterAll(() => editor.end());

    interface Definition {
      readonly file: string;
      readonly start: Place;
    }
    const definitionsAt = async (file: string, place: Place): Promise<readonly Definition[]> =>
      (await editor.ask('definition', { file, ...place })) as readonly Definition[];
    const textAt = async ({ file, start }: Definition): Promise<string> =>
      (await readFile(file, 'utf8')).split('\n')[start.line - 1]?.trim() ?? '';

    it('leads from a call to the capability, and nowhere else', async () => {
      const found = await definitionsAt(app, placeOf(app, 'ping('));
      expect(await Promise.all(found.map(textAt))).toEqual([
        "export const ping = capability(() => 'pong');",
      ]);
    });

    it('leads there over the line that names it, where a group exports it from another file', async () => {
      const [line, ...others] = await definitionsAt(app, placeOf(app, 'getUser({'));
      if (line === undefined) throw new Error('There is no definition.');
      expect([others, await textAt(line)]).toEqual([[], "export { getUser } from './get.js';"]);
      const found = await definitionsAt(line.file, line.start);
      expect(await Promise.all(found.map(textAt))).toEqual([
        expect.stringContaining('export const getUser = capability('),
      ]);
    });

    it('leads there at once as to the implementation', async () => {
      const found = await editor.ask('implementation', { file: app, ...placeOf(app, 'getUser({') });
      expect(await Promise.all((found as readonly Definition[]).map(textAt))).toEqual([
        expect.stringContaining('export const getUser = capability('),
      ]);
    });

    it('shows what a call takes and gives', async () => {
      const hover = await editor.ask('quickinfo', { file: app, ...placeOf(app, 'getUser({') });
      const { displayString } = hover as { readonly displayString: string };
      expect(displayString.replaceAll(/\s+/g, ' ')).toBe(
        '(property) getUser: (input: { id: string; }, options?: CallOptions | undefined) => Promise<{ id: string; name: string; at: Date; }>',
      );
    });

    it('completes groups, calls and fields', async () => {
      const namesAt = async (text: string, within: number): Promise<readonly string[]> => {
        const { entries } = (await editor.ask('completionInfo', {
          file: app,
          ...placeOf(app, text, within),
        })) as {
          readonly entries: readonly { readonly name: string }[];
        };
        return entries.map(({ name }) => name);
      };
      expect(await namesAt('users.getUser({', 0)).toEqual(['tools', 'users']);
      expect(await namesAt('getUser({', 0)).toEqual(['getUser']);
      expect(await namesAt("{ id: '1'", 2)).toContain('id');
    });
  });

  it('needs nothing but fetch, and is under 6.4 KB, minified and compressed', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents:
          "import { createClient } from './index.js'; export const api = createClient({ baseUrl: '/' });",
        resolveDir: join(packageRoot, 'dist/server-runtime/client'),
      },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });
    expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(6400);
  });
});
