import * as nodeModule from 'node:module';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { bareProject } from '../helpers/bare-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { type RunResult, runCapix } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** Whether this Node takes the types out of TypeScript; `npm run long` runs on each version. */
const strips = 'stripTypeScriptTypes' in nodeModule;

/** Erasable TypeScript, with settings, a type-only import and imports by the names of the compiled files. */
const erasable = {
  'capix.config.ts': `import { type CapixConfig, defineConfig } from 'capix/config';
    import { reason } from './reason.ts';
    const settings: CapixConfig = { check: { ignore: [{ rule: 'unguarded-mutation', reason: reason as string }] } };
    export default defineConfig(settings);`,
  'reason.ts': `export const reason: string = 'it is public';`,
  'src/kinds.ts': `export type Kind = 'one' | 'two';`,
  'src/words.ts': `import type { Kind } from './kinds.js';
    export const word = (kind: Kind): Kind => kind satisfies Kind;`,
  'src/old.cts': `const old: string = 'old'; module.exports = { old };`,
  'src/capabilities.ts': `import { capability } from 'capix';
    import * as z from 'zod';
    import { word } from './words.js';
    import { old } from './old.cjs';
    export const capabilities = { words: { getWord: capability(z.object({ id: z.string() }), ({ id }) => ({ id, word: word('one'), old })) } };`,
  'src/server.ts': `import { createServer, restTransport } from 'capix';
    import { capabilities } from './capabilities.ts';
    const port: number = Number(process.env['PORT']);
    await createServer({ capabilities, transports: [restTransport({ port })] }).start();`,
};
const word = { id: '7', word: 'one', old: 'old' };

const missing =
  'error: Packages are missing, which read TypeScript on Node before 22.18. `npm install --save-dev @swc/core` installs them.\n';

describe('a project that has only capix and zod', () => {
  let project: Awaited<ReturnType<typeof bareProject>>;
  const run = (...words: readonly string[]): Promise<RunResult> =>
    runCapix(words, { cwd: project.folder, entry: project.entry });
  beforeAll(async () => {
    project = await bareProject({ ...erasable, '.gitignore': 'node_modules' });
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    for (const words of [
      ['init', '--quiet'],
      ['add', '.'],
      ['commit', '--quiet', '-m', 'first'],
    ])
      await execa('git', [...identity, ...words], { cwd: project.folder });
  });

  it.each([
    [['list'], /words\.getWord +GET +\/words\/:id/],
    [['show', 'words.getWord'], /Route +GET \/words\/:id/],
    [['call', 'words.getWord', '--id', '7'], /"old": "old"/],
    [['check'], /No problems in 1 capability/],
    [['diff', 'HEAD'], /No differences/],
    [['openapi'], /"\/words\/\{id\}"/],
    [['client', '--output', 'client.mjs'], /client\.mjs/],
  ])('is read by Node alone for %j, or the package to install is named', async (words, shown) => {
    const { stdout, stderr, exitCode } = await run(...words);
    if (strips) {
      expect([stderr.replace(/^Wrote .*\n/, ''), exitCode]).toEqual(['', 0]);
      expect(stdout + stderr).toMatch(shown);
    } else
      expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: missing, exitCode: 1 });
  });

  it('is served by dev, which takes each save, or says what to install', async () => {
    if (!strips) return expect((await run('dev')).stderr).toContain(missing);
    const dev = openDevJson(project.folder, [], {}, project.entry);
    const url = await dev.url();
    const ask = async () =>
      (
        (await (await fetch(`${url}/words/7`, { headers: { connection: 'close' } })).json()) as {
          data: unknown;
        }
      ).data;
    expect(await ask()).toEqual(word);
    const server = (text: string) => ({
      'src/words.ts': `export const word = (_kind: string): string => '${text}';`,
    });
    await writeTree(project.folder, server('two'));
    await dev.waitFor('ready');
    expect(await ask()).toEqual({ ...word, word: 'two' });
    await writeTree(project.folder, {
      'src/words.ts': `\nexport enum Word { One }\nexport const word = () => Word.One;`,
    });
    const { error, stillServing } = await dev.waitFor('failed');
    expect(error?.message).toBe(
      'src/words.ts:2:8: Node removes types and compiles nothing, and this is more than types (enum). To have it compiled: npm install --save-dev @swc/core',
    );
    expect([stillServing, await ask()]).toEqual([true, { ...word, word: 'two' }]);
    await writeTree(project.folder, server('three'));
    await dev.waitFor('ready');
    expect(await ask()).toEqual({ ...word, word: 'three' });
    expect(dev.stderr()).not.toContain('Warning');
    dev.kill('SIGTERM');
    await dev.ended;
  });

  it('is run by start as Node runs it, from sources that name themselves', async () => {
    await writeTree(project.folder, {
      'src/alone.ts': `import { capability, createServer, restTransport } from 'capix';
        const listWords = capability((): string[] => ['a']);
        const port: number = Number(process.env['PORT']);
        const server = createServer({ capabilities: { words: { listWords } }, transports: [restTransport({ port })] });
        await server.start();`,
    });
    const words = ['start', 'src/alone.ts', '--workers', '1', '--port', '0'];
    if (!strips) return expect(await run(...words)).toMatchObject({ exitCode: 1 });
    const start = startInBackground([process.execPath, project.entry, ...words], {
      cwd: project.folder,
    });
    const [, url = ''] = await start.waitFor(/started on (http:\S+)/);
    expect(await (await fetch(`${url}/words`)).json()).toEqual({ data: ['a'] });
    await start.stop();
  });
});

it.each([
  ['an enum', 'src/a.ts', `const b = 1;\nenum Kind { One }`, '2:1', 'more than types (enum)'],
  [
    'a parameter property',
    'src/a.ts',
    `class A {\n  constructor(private b: string) {}\n}`,
    '2:23',
    'more than types (parameter property)',
  ],
  [
    'a namespace',
    'src/a.ts',
    `  namespace A { export const b = 1; }`,
    '1:3',
    'more than types (namespace declaration)',
  ],
  [
    'a decorator',
    'src/a.ts',
    `const b = () => {};\nclass A { @b c() {} }`,
    '2:11',
    'To have decorators compiled: npm install',
  ],
  [
    'JSX',
    'src/a.tsx',
    `export const b: string = <div/>;`,
    '1:31',
    'Node reads no JSX. To have it compiled: npm install',
  ],
  ['a broken line', 'src/a.ts', `export const b: number = (1;`, '1:28', 'Expected'],
])(
  '%s is told with its place and with what compiles it',
  async (_what, file, text, place, says) => {
    const name = file.replace('.tsx', '.jsx').replace('.ts', '.js').replace('src/', './');
    const { folder, entry } = await bareProject({
      [file]: `${text}\nexport {};\n`,
      'src/capabilities.ts': `import '${name}'; export const capabilities = {};`,
    });
    const { stderr, exitCode } = await runCapix(['list'], { cwd: folder, entry });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(strips ? `error: ${file}:${place}: ` : missing);
    expect(stderr).toContain(strips ? says : '@swc/core');
    expect(stderr).toContain(strips && says !== 'Expected' ? '@swc/core' : '');
    expect(stderr).not.toContain('ExperimentalWarning');
  },
);

it('settings that cannot be read are named with their place', async () => {
  const { folder, entry } = await bareProject({
    ...erasable,
    'capix.config.ts': `const a = 1;\nenum Kind { One }\nexport default { dev: { port: 1 } };`,
  });
  const { stderr, exitCode } = await runCapix(['list'], { cwd: folder, entry });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(strips ? 'capix.config.ts:2:1' : missing);
  expect(stderr).toContain('@swc/core');
});
