import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'es-module-lexer';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFixture } from '../helpers/fixture-project.ts';
import { cleanEnvironment, cliEntry, packageRoot } from '../helpers/run-capix.ts';

const recorder = new URL('fixtures/record-loads.mjs', import.meta.url).href;
/** In every bundle that has React, and so in every one that has Ink. */
const markOfReact = 'react.transitional.element';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capix-loads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('a server that imports capix loads few files, nothing of the tool, and nothing that it does not use', async () => {
  const files = await loadedBy(['--input-type=module', '--eval', "await import('capix')"]);
  expect(files.some((file) => file.endsWith('dist/server-runtime/index.js'))).toBe(true);
  expect(files.filter((file) => file.includes('/dist/')).length).toBeLessThan(6);
  const unexpected =
    /\/dist\/(?!server-runtime\/)|\/server-runtime\/(client|mcp|queue|redis|stores|testing|websocket|graphql)\/|\/node_modules\/(ink|react|pastel|commander|@modelcontextprotocol|chokidar|execa|esbuild|undici|lru-cache|devalue|ioredis|ws|graphql)\//;
  expect(files.filter((file) => unexpected.test(file))).toEqual([]);
});

it('60 a server without WebSockets loads no ws', async () => {
  const text =
    "const { createServer, restTransport, capability } = await import('capix');" +
    'const server = createServer({ capabilities: { a: { getB: capability(() => 1) } }, transports: [TRANSPORTS] });' +
    'await server.start(); await server.stop();';
  const run = (transports: string): Promise<readonly string[]> =>
    loadedBy(['--input-type=module', '--eval', text.replace('TRANSPORTS', transports)]);
  const isOfSockets = (file: string): boolean => /\/node_modules\/ws\/|websocket/.test(file);
  const without = await run('restTransport({ port: 0 })');
  expect(without.filter(isOfSockets)).toEqual([]);
  const others = "(await import('capix/websocket')).webSocketTransport()";
  const files = await run(`restTransport({ port: 0 }), ${others}`);
  expect(files.filter(isOfSockets)).not.toEqual([]);
  expect(files).toEqual(expect.arrayContaining([...without]));
});

it('60 a server without GraphQL loads no graphql, and one with it nothing less', async () => {
  const text =
    "const { createServer, restTransport, capability } = await import('capix');" +
    'const server = createServer({ capabilities: { a: { getB: capability(() => 1) } }, transports: [TRANSPORTS] });' +
    'await server.start(); await server.stop();';
  const run = (transports: string): Promise<readonly string[]> =>
    loadedBy(['--input-type=module', '--eval', text.replace('TRANSPORTS', transports)]);
  const isOfGraphql = (file: string): boolean => /graphql/.test(file);
  const without = await run('restTransport({ port: 0 })');
  expect(without.filter(isOfGraphql)).toEqual([]);
  const graphql = "(await import('capix/graphql')).graphqlTransport()";
  const files = await run(`restTransport({ port: 0 }), ${graphql}`);
  expect(files.filter(isOfGraphql)).not.toEqual([]);
  expect(files).toEqual(expect.arrayContaining([...without]));
});

it.each([
  ['--help', ['--help']],
  ['the help of a command', ['help']],
  ['a command without a terminal', []],
  ['wrong usage', ['no-such-command']],
])('%s loads no React and no Ink, no library and no dependency', async (_, words) => {
  const files = await loadedBy([cliEntry, ...words]);
  expect(files.filter((file) => !file.startsWith(join(packageRoot, 'dist')))).toEqual([]);
  expect(files.filter((file) => file.includes('/server-runtime/'))).toEqual([]);
  expect(await filesWith(markOfReact, files)).toEqual([]);
});

it('--help and usage errors start no process, and load nothing that could', async () => {
  expect(await urlsLoadedBy([cliEntry, '--help'])).not.toContain('node:child_process');
});

it('a command reads few files of the tool, each of which costs it half a millisecond, and none of the screens', async () => {
  const files = await loadedBy([cliEntry, 'list', '--plain']);
  expect(files.filter((file) => /\/dist\/(chunks|source)\//.test(file)).length).toBeLessThan(34);
  expect(await filesWith(markOfReact, files)).toEqual([]);
});

it('list --json of a project reads no schema: it loads what list --plain loads', async () => {
  const { root } = await openFixture('shop');
  const files = await loadedBy([cliEntry, 'list', '--json'], root);
  expect(files.filter((file) => /\/dist\/chunks\//.test(file)).length).toBeLessThan(34);
  expect(
    files.filter((file) => /\/(operation-schemas|find-problems)-|\/esbuild\//.test(file)),
  ).toEqual([]);
});

it('--help reads three files of the tool: a start needs the schemas of no command, and no zod', async () => {
  const files = await loadedBy([cliEntry, '--help']);
  expect(files.length).toBeLessThan(4);
  expect(await filesWith('invalid_type', files)).toEqual([]);
});

it('--version loads next to nothing', async () => {
  const files = await loadedBy([cliEntry, '--version']);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(10_000);
});

it('the tool carries name, version and description of its package.json, and nothing else of it', async () => {
  const ours = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  const { description, dependencies, devDependencies } = ours;
  const files = await loadedBy([cliEntry, '--version']);
  const text = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  expect(text).toContain(description);
  expect(
    Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
      text.includes(`"${name}"`),
    ),
  ).toEqual([]);
});

it('the bundle of the screens has the mark that the other tests look for', async () => {
  const [chunk = ''] = (
    await execa('grep', ['-rl', markOfReact, join(packageRoot, 'dist', 'chunks')])
  ).stdout.split('\n');
  expect(chunk).toMatch(/\.js$/);
});

it('screens load nothing of the library that needs zod: another process runs the code of the project', async () => {
  const chunks = join(packageRoot, 'dist', 'chunks');
  const imported = new Set<string>();
  const follow = async (name: string): Promise<void> => {
    if (imported.has(name)) return;
    imported.add(name);
    if (!name.startsWith('./')) return;
    const [imports] = parse(await readFile(join(chunks, name), 'utf8'));
    for (const { n: target, d: laterAt } of imports)
      if (laterAt === -1 && target !== undefined) await follow(target);
  };
  const screens = (await readdir(chunks)).filter((name) => /^(open-screen|app-screen)-/.test(name));
  expect(screens).toHaveLength(2);
  for (const name of screens) await follow(`./${name}`);
  expect([...imported]).toContain('#server-runtime/base.js');
  expect([...imported]).not.toContain('#server-runtime/core.js');
});

/** Paths of the modules that Node loads for these words, without its own. */
async function loadedBy(
  words: readonly string[],
  workingDirectory?: string,
): Promise<readonly string[]> {
  const urls = await urlsLoadedBy(words, workingDirectory);
  return urls
    .filter((url) => url.startsWith('file:') && url !== recorder)
    .map((url) => fileURLToPath(url));
}

async function urlsLoadedBy(
  words: readonly string[],
  workingDirectory = packageRoot,
): Promise<readonly string[]> {
  const loads = join(folder, `${Math.random()}.txt`);
  const env = { ...cleanEnvironment(), LOADS: loads };
  await execa(process.execPath, ['--import', recorder, ...words], {
    cwd: workingDirectory,
    env,
    extendEnv: false,
    reject: false,
    input: '',
  });
  return (await readFile(loads, 'utf8')).trim().split('\n');
}

async function filesWith(text: string, files: readonly string[]): Promise<readonly string[]> {
  const contents = await Promise.all(
    files.map(async (file) => ({ file, content: await readFile(file, 'utf8') })),
  );
  return contents.filter(({ content }) => content.includes(text)).map(({ file }) => file);
}

it.each([
  ['list', 60],
  ['home', 90],
])('the screen of %s is made of at most %i files', async (name, most) => {
  const files = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (files.has(file)) return;
    files.add(file);
    const text = await readFile(join(packageRoot, file), 'utf8');
    const values = text.matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'(\.[^']+)'/gm);
    const isValue = (statement: string): boolean =>
      !/^import \{(\s*type [^,}]+,?)+\s*\}/.test(statement);
    for (const [statement, path = ''] of values)
      if (isValue(statement)) await visit(join(file, '..', path));
  };
  await visit(`source/${name}/${name}-screen.tsx`);
  expect([...files].filter((file) => file.startsWith('source/')).length).toBeLessThanOrEqual(most);
});
