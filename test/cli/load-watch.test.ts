import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ProjectEvent, ProjectState } from '../../source/load/project-state.ts';
import { ProjectStore } from '../../source/load/project-store.ts';
import { toCapabilities } from '../../source/manifest/manifest.ts';
import { type FixtureProject, openFixture, openProject } from '../helpers/fixture-project.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';

type Settled = Extract<ProjectEvent, { kind: 'loaded' | 'failed' }>;

/** Watches a project with the built loader; `next` waits for the next load that fits. */
function watch({ root }: FixtureProject) {
  const events: ProjectEvent[] = [];
  let wake = (): void => undefined;
  const store = new ProjectStore({ workingDirectory: root });
  store.watch(() => {
    events.push(toEvent(store.state()));
    wake();
  });
  store.open();
  onTestFinished(() => store.close());
  let seen = 0;
  const next = async (fits: (event: Settled) => boolean = () => true): Promise<Settled> => {
    for (;;) {
      for (const event of events.slice(seen)) {
        seen += 1;
        if ((event.kind === 'loaded' || event.kind === 'failed') && fits(event)) return event;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { events, close: () => store.close(), next };
}

/** What a state was made by. */
function toEvent(state: ProjectState): ProjectEvent {
  const { isLoading, files, manifest, failure, durationMs = 0, loadedAt: at = 0 } = state;
  if (isLoading) return { kind: 'loading', files };
  if (failure !== undefined) return { kind: 'failed', failure, durationMs, at };
  if (manifest === undefined) throw new Error('Nothing was loaded.');
  return { kind: 'loaded', manifest, durationMs, at };
}

/** A file may be there before its text is. */
function expectText(text: string): string {
  expect(text).not.toBe('');
  return text;
}

function keysOf(event: ProjectEvent): readonly string[] {
  return event.kind === 'loaded' ? event.manifest.keys : [];
}

test('a save is loaded, and the event names the file', async () => {
  const project = await openFixture('shop');
  const { next, events } = watch(project);
  expect(keysOf(await next())).toEqual([
    'items.getItem',
    'items.listItems',
    'items.createItem',
    'carts.checkout',
  ]);
  await project.write('src/capabilities/items/index.ts', "export { getItem } from './get.js';\n");
  expect(keysOf(await next((event) => keysOf(event).length === 2))).toEqual([
    'items.getItem',
    'carts.checkout',
  ]);
  const loading = events.filter((event) => event.kind === 'loading');
  expect(loading[0]?.files).toEqual([]);
  expect(loading[1]?.files).toEqual(['src/capabilities/items/index.ts']);
});

test('saves of a project with much data are loaded in its order', async () => {
  const project = await openFixture('shop');
  const items = (names: string): string =>
    `import { data } from './data.js';\nexport const size = data.length;\nexport { getItem } from './get.js';\n${names}`;
  const data = (count: number) =>
    `export const data = ${JSON.stringify(Array(count).fill('x'.repeat(90)))};\n`;
  await project.write('src/capabilities/items/data.ts', data(12_000));
  await project.write(
    'src/capabilities/items/index.ts',
    items("export { listItems } from './list.js';\n"),
  );
  const { next } = watch(project);
  expect(keysOf(await next())).toEqual(['items.getItem', 'items.listItems', 'carts.checkout']);
  await project.write(
    'src/capabilities/items/index.ts',
    items("export { createItem } from './create.js';\n"),
  );
  const changed = await next((event) => keysOf(event).includes('items.createItem'));
  expect(keysOf(changed)).toEqual(['items.getItem', 'items.createItem', 'carts.checkout']);
  await project.write('src/capabilities/items/data.ts', 'export const data = ;\n');
  const broken = await next(
    (event) => event.kind === 'failed' && event.failure.place?.column === 21,
  );
  expect(broken).toMatchObject({
    failure: { code: 'BuildFailed', place: { line: 1, column: 21 } },
  });
  await project.write('src/capabilities/items/data.ts', data(12_001));
  expect(keysOf(await next((event) => event.kind === 'loaded'))).toHaveLength(3);
});

test('a broken file is a failure with its frame, and heals by the next save', async () => {
  const project = await openFixture('shop');
  const { next } = watch(project);
  await next();
  await project.write('src/capabilities/items/list.ts', 'export const = 1;\n');
  // While the file is written, it may be seen empty.
  const broken = await next((event) => event.kind === 'failed' && event.failure.place?.line === 1);
  expect(broken).toMatchObject({
    failure: {
      code: 'BuildFailed',
      message:
        'src/capabilities/items/list.ts:1:14: Unexpected token `=`. Expected yield, an identifier, [ or {',
      place: { file: join(project.root, 'src/capabilities/items/list.ts'), line: 1, column: 14 },
      frame: expect.stringContaining('> 1 | export const = 1;') as string,
    },
  });
  await project.write(
    'src/capabilities/items/list.ts',
    "import { cap } from '../../context.js';\nexport const listItems = cap(() => []);\n",
  );
  expect(keysOf(await next((event) => event.kind === 'loaded'))).toHaveLength(4);
});

test('a file that was missing is loaded once it is there', async () => {
  const project = await openFixture('shop');
  const { next } = watch(project);
  await next();
  await project.write('src/capabilities/index.ts', "export * as later from './later.js';\n");
  await next((event) => event.kind === 'failed');
  await project.write(
    'src/capabilities/later.ts',
    "import { cap } from '../context.js';\nexport const ping = cap(() => 1);\n",
  );
  expect(keysOf(await next((event) => event.kind === 'loaded'))).toEqual(['later.ping']);
});

test('an editor that replaces the file is followed', async () => {
  const project = await openFixture('shop');
  const { next } = watch(project);
  await next();
  const file = join(project.root, 'src/capabilities/items/index.ts');
  for (const name of ['getItem', 'createItem']) {
    const from = name === 'getItem' ? './get.js' : './create.js';
    await writeFile(`${file}.tmp`, `export { ${name} } from '${from}';\n`);
    await rename(`${file}.tmp`, file);
    expect(keysOf(await next((event) => keysOf(event)[0] === `items.${name}`))).toEqual([
      `items.${name}`,
      'carts.checkout',
    ]);
  }
});

test('the last of many saves wins', async () => {
  const project = await openFixture('shop');
  const { next } = watch(project);
  await next();
  for (let save = 1; save <= 20; save++) {
    await project.write(
      'src/capabilities/items/list.ts',
      `import { cap } from '../../context.js';\nexport const listItems = cap(() => []).describe('${save}');\n`,
    );
  }
  const isLast = (event: Settled): boolean =>
    event.kind === 'loaded' &&
    toCapabilities(event.manifest).some(({ facts }) => facts.description === '20');
  expect((await next(isLast)).kind).toBe('loaded');
});

test('a project of the same workspace is watched too', async () => {
  const project = await openFixture('shop');
  const outside = join(dirname(project.root), `capix-outside-${Date.now()}`);
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  await mkdir(outside);
  await writeFile(join(outside, 'text.ts'), "export const text = 'one';\n");
  await project.write(
    'src/capabilities/items/list.ts',
    `import { cap } from '../../context.js';\nimport { text } from '${join(outside, 'text.ts').replaceAll('\\', '/')}';\nexport const listItems = cap(() => []).describe(text);\n`,
  );
  const { next } = watch(project);
  const hasText = (text: string) => (event: Settled) =>
    event.kind === 'loaded' &&
    toCapabilities(event.manifest).some(({ facts }) => facts.description === text);
  await next(hasText('one'));
  await writeFile(join(outside, 'text.ts'), "export const text = 'two';\n");
  expect((await next(hasText('two'))).kind).toBe('loaded');
});

test.each([
  ['prints', "console.log('hello');\nconsole.error('there');", 'loaded', /^$/],
  ['ends the process', 'process.exit(3);', 'failed', /exit code 3 while it was loaded/],
  [
    'crashes the process',
    "process.kill(process.pid, 'SIGKILL');",
    'failed',
    /SIGKILL while it was loaded/,
  ],
  ['throws', "throw new Error('no');", 'failed', /src\/capabilities\/items\/list\.ts:2:7: no$/],
])('user code that %s does so in the child only', async (_, code, kind, text) => {
  const project = await openFixture('shop');
  const { next } = watch(project);
  await next();
  await project.write(
    'src/capabilities/items/list.ts',
    `import { cap } from '../../context.js';\n${code}\nexport const listItems = cap(() => []);\n`,
  );
  const textOf = (event: Settled): string => (event.kind === 'failed' ? event.failure.message : '');
  expect((await next((event) => text.test(textOf(event)))).kind).toBe(kind);
});

test('closing ends the watch, its processes and its files', async () => {
  const project = await openFixture('shop');
  const { next, close, events } = watch(project);
  await next();
  close();
  const count = events.length;
  await project.write('src/capabilities/items/list.ts', 'export const = 1;\n');
  expect(events).toHaveLength(count);
});

test('without a project there is nothing to watch', () => {
  const store = new ProjectStore({ workingDirectory: '/' });
  store.open();
  expect(store.state().noProject).toMatchObject({ code: 'NoProject' });
});

test('closing during a load ends the process that runs user code', async () => {
  const project = await openFixture('shop');
  const pidFile = join(project.root, 'pid');
  await project.write(
    'src/capabilities/items/list.ts',
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid));\nawait new Promise(() => setInterval(() => {}, 1000));\nexport const listItems = 1;\n`,
  );
  const { close, events } = watch(project);
  const pid = Number(
    await vi.waitFor(() => expectText(readFileSync(pidFile, 'utf8')), { timeout: PATIENCE_MS }),
  );
  close();
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), {
    timeout: PATIENCE_MS,
  });
  expect(events.filter(({ kind }) => kind !== 'loading')).toEqual([]);
});

test('what the code writes while it is loaded is no reason to load it again', async () => {
  const project = await openFixture('shop');
  const toList = (save: number): string => `
    import { appendFileSync } from 'node:fs';
    import { cap } from '../../context.js';
    for (const file of ['data.sqlite', 'src/data.sqlite', 'src/seen.json']) appendFileSync(${JSON.stringify(project.root)} + '/' + file, 'x');
    export const listItems = cap(() => []).describe('${save}');`;
  await project.write('src/capabilities/items/list.ts', toList(0));
  const { next, events } = watch(project);
  for (let save = 1; save <= 3; save++) {
    await next();
    await project.write('src/capabilities/items/list.ts', toList(save));
  }
  await next();
  expect(events.filter(({ kind }) => kind === 'loading')).toEqual(
    [[], ...Array<string[]>(3).fill(['src/capabilities/items/list.ts'])].map(
      (files) => expect.objectContaining({ files }) as object,
    ),
  );
});

test('what the code writes and imports is loaded again only where it has changed', async () => {
  const project = await openFixture('shop');
  const toList = (seed: string): string => `
    import { writeFileSync } from 'node:fs';
    import { cap } from '../../context.js';
    import seed from '../../seed.json';
    writeFileSync(${JSON.stringify(join(project.root, 'src/seed.json'))}, '${seed}');
    export const listItems = cap(() => []).describe(String(seed));`;
  await project.write('src/seed.json', '1');
  await project.write('src/capabilities/items/list.ts', toList('1'));
  const { next, events } = watch(project);
  const hasSeed = (seed: string) => (event: Settled) =>
    event.kind === 'loaded' &&
    toCapabilities(event.manifest).some(({ facts }) => facts.description === seed);
  await next();
  await project.write('src/capabilities/items/list.ts', toList('2'));
  await next(hasSeed('2'));
  await project.write('src/capabilities/items/list.ts', `${toList('2')} // Saved.`);
  await next();
  const files = events.flatMap((event) => (event.kind === 'loading' ? [event.files] : []));
  const [list, seed] = ['src/capabilities/items/list.ts', 'src/seed.json'];
  expect(files).toEqual([[], [list], [seed], [list]]);
});

test('packages that are installed while the project loads are those of the next load', async () => {
  const project = await openProject({
    'src/capabilities.ts': `import { capability } from 'capix';
      import { name } from 'names-of-others';
      export const texts = { [name]: capability(() => 1) };`,
  });
  const install = async (source: string): Promise<void> => {
    const folder = 'node_modules/names-of-others';
    await project.write(`${folder}/package.json`, '{"type": "module", "exports": "./index.js"}');
    await project.write(`${folder}/index.js`, source);
    await project.write('node_modules/.package-lock.json', source);
  };
  const [begun, mayEnd] = ['begun', 'may-end'].map((name) =>
    JSON.stringify(join(project.root, name)),
  );
  await install(`import { existsSync, writeFileSync } from 'node:fs';
    writeFileSync(${begun}, '');
    while (!existsSync(${mayEnd}));
    export const name = 'getFirst';`);
  const { next } = watch(project);
  await expect.poll(() => readdir(project.root)).toContain('begun');
  await install(`export const name = 'getSecond';`);
  await project.write('may-end', '');
  expect(keysOf(await next((event) => keysOf(event)[0] === 'texts.getSecond'))).toEqual([
    'texts.getSecond',
  ]);
});
