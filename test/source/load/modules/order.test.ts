import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { createServerBundler, type ServerBundler } from '../../../../source/load/bundle/server-bundler.ts';
import { type ModulesAhead, nothingAhead } from '../../../../source/system/child/import-ahead.ts';
import { generatePrograms } from '../../../helpers/module-graphs.ts';
import { writeTree } from '../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const IMPORT_AHEAD = new URL('../../../../source/system/child/import-ahead.ts', import.meta.url);

const RUN = `
const { importAhead } = await import(process.argv[2]);
const traces = [];
for (const { url, ahead } of JSON.parse(process.argv[1])) {
  Object.assign(globalThis, { trace: [], later: [] });
  await importAhead(ahead, { isAwaited: () => false });
  try { await import(url); await Promise.all(later); } catch (error) { trace.push(error.name + ' ends it'); }
  traces.push(trace);
}
console.log(JSON.stringify(traces));
`;

/** A module by its URL, and what is imported ahead of it. */
interface TracedModule {
  readonly url: string;
  readonly ahead: ModulesAhead;
}

/** What each of the modules writes down, one after the other in one process. */
async function traceEach(modules: readonly TracedModule[]): Promise<readonly (readonly string[])[]> {
  const { code } = await transform(await readFile(IMPORT_AHEAD, 'utf8'), { loader: 'ts' });
  const helper = `data:text/javascript,${encodeURIComponent(code)}`;
  const args = ['--no-warnings', '--input-type=module', '-e', RUN, JSON.stringify(modules), helper];
  const { stdout } = await execa(process.execPath, args);
  return JSON.parse(stdout) as string[][];
}

/** The limit of 200 builds on a busy machine, milliseconds: they take four seconds on a quiet one. */
const BUILDS_LIMIT_MS = 120_000;

test('200 random programs run as Node runs them: circles, top-level await, CommonJS, JSON, packages', {
  timeout: BUILDS_LIMIT_MS,
}, async () => {
  const programs = generatePrograms(200);
  const root = await temporaryFolder();
  await writeTree(root, Object.assign({ 'package.json': '{"type": "module"}' }, ...programs.map(({ files }) => files)));
  const entries = programs.map(({ entry }) => join(root, entry));
  const bundlers = entries.map((entryFile) =>
    createServerBundler({ root, name: 'programs', entryFile }, { modulesFromBytes: 0 }),
  );
  const urls = await expectOriginalOrder(entries, bundlers);
  // Both ways of writing a program are among them.
  expect(urls.filter((url) => url.includes('m0.js-')).length).toBeGreaterThan(50);
  expect(urls.filter((url) => !url.includes('m0.js-')).length).toBeGreaterThan(20);

  // What is prepared and then changed in a few files keeps its order, too, although what only declares runs ahead, and the rest is compiled ahead.
  const some = { entries: entries.slice(0, 60), bundlers: bundlers.slice(0, 60) };
  const ahead = await Promise.all(some.bundlers.map((bundler) => bundler.prepare()));
  expect(ahead.flatMap(({ quiet }) => quiet).length).toBeGreaterThan(20);
  expect(ahead.flatMap(({ loud }) => loud).length).toBeGreaterThan(20);
  await Promise.all(some.entries.map(addImport));
  const changed = await expectOriginalOrder(some.entries, some.bundlers, ahead);
  expect(changed.filter((url) => !url.includes('m0.js-'))).toEqual([]);
  await Promise.all(bundlers.map((bundler) => bundler.close()));
});

async function addImport(entry: string): Promise<void> {
  const code = await readFile(entry, 'utf8');
  await writeFile(join(dirname(entry), 'added.js'), `import './quiet.js';\ntrace.push('added');\n`);
  await writeFile(join(dirname(entry), 'quiet.js'), `export const quiet = [1, 2];\n`);
  await writeFile(entry, `import './added.js';\n${code}\ntrace.push('changed');\n`);
}

/** Gives the URLs of the bundles. */
async function expectOriginalOrder(
  entries: readonly string[],
  bundlers: readonly ServerBundler[],
  ahead: readonly ModulesAhead[] = [],
): Promise<readonly string[]> {
  const bundles = await Promise.all(bundlers.map((bundler) => bundler.bundle()));
  const urls = bundles.map((bundle) => (bundle.kind === 'bundled' ? bundle.url : bundle.failure.message));
  const [expected, traces] = await Promise.all([
    traceEach(entries.map((file) => ({ url: pathToFileURL(file).href, ahead: nothingAhead }))),
    traceEach(urls.map((url, index) => ({ url, ahead: ahead[index] ?? nothingAhead }))),
  ]);
  const wrong = entries.flatMap((entry, index) =>
    JSON.stringify(traces[index]) === JSON.stringify(expected[index])
      ? []
      : [{ entry, url: urls[index], expected: expected[index], trace: traces[index] }],
  );
  // Two are enough to look at.
  expect(wrong.slice(0, 2)).toEqual([]);
  return urls;
}

test('a file that imports something else after a save runs what it imports now, and in its order', {
  timeout: BUILDS_LIMIT_MS,
}, async () => {
  const root = await temporaryFolder();
  const part = (code: string) => ({ 'src/part.js': `${code}\nexport const part = 1;\ntrace.push('part');\n` });
  const names = ['a', 'b', 'c'];
  await writeTree(root, {
    'package.json': '{"type": "module"}',
    'src/main.js': `import './part.js';\ntrace.push('main');\n`,
    ...Object.fromEntries(
      names.map((name) => [`src/${name}.js`, `export const ${name} = 1;\ntrace.push('${name}');\n`]),
    ),
    ...part(`import './a.js';`),
  });
  const entryFile = join(root, 'src/main.js');
  const bundler = createServerBundler({ root, name: 'saves', entryFile }, { modulesFromBytes: 0 });
  await bundler.bundle();
  let ahead = await bundler.prepare();
  for (const code of [
    `import './a.js'; trace.push('more');`,
    `import './b.js'; import './a.js';`,
    `import './a.js'; import './b.js';`,
    `import { a } from './a.js'; import { b } from './b.js'; trace.push(a + b);`,
    `export * from './b.js';`,
    `export { b } from './b.js'; later.push(import('./c.js'));`,
    `export { b } from './b.js';`,
    `trace.push('alone');`,
    `import './c.js';`,
  ]) {
    await writeTree(root, part(code));
    await expectOriginalOrder([entryFile], [bundler], [ahead]);
    ahead = await bundler.prepare();
  }
  await bundler.close();
});

test('a name that is missing after a change is a fault of the build, as it is at a start', async () => {
  const root = await temporaryFolder();
  const toText = (name: string): string => `export const ${name} = 1;\n`;
  await writeTree(root, {
    'package.json': '{"type": "module"}',
    'src/main.ts': `import { text } from './text.ts';\nconsole.log(text);\n`,
    'src/text.ts': toText('text'),
  });
  const project = { root, name: 'names', entryFile: join(root, 'src/main.ts') };
  const bundler = createServerBundler(project, { modulesFromBytes: 0 });
  await bundler.bundle();
  await bundler.prepare();
  await writeTree(root, { 'src/text.ts': toText('other') });
  expect(await bundler.bundle()).toMatchObject({
    kind: 'failed',
    failure: { message: expect.stringContaining('No matching export in "src/text.ts" for import "text"') },
  });
  await writeTree(root, { 'src/text.ts': toText('text') });
  expect(await bundler.bundle()).toMatchObject({ kind: 'bundled' });
  await bundler.close();
});
