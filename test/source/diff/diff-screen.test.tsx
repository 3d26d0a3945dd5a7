import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import DiffScreen from '../../../source/diff/diff-screen.tsx';
import { textWidth } from '../../../source/kit/text.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { toLockText } from '../../../source/sides/lock-file.ts';
import { openProject } from '../../helpers/fixture-project.ts';
import { openGitProject } from '../../helpers/git-project.ts';
import { type RenderedScreen, renderScreen, toTestManifest } from '../../helpers/render-screen.tsx';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { allWindowSizes } from '../../helpers/window-sizes.ts';

const createOld = capability(z.object({ name: z.string() }), () => null);
const createNew = capability(
  z.object({ name: z.string(), colour: z.string(), note: z.string().optional() }),
  () => null,
);
const getItem = capability(z.object({ id: z.string() }), () => null);
const listItems = capability(() => []);

let old: Manifest;
let now: Manifest;
let screen: RenderedScreen;
let file: string;
beforeEach(async () => {
  old = await toTestManifest({ items: { getItem, createItem: createOld } });
  now = await toTestManifest({ items: { createItem: createNew, listItems } });
});
afterEach(() => screen.unmount());

/** Writes the other side, and has the screen load it. */
async function loadOther(manifest: Manifest): Promise<void> {
  await writeFile(file, toLockText(manifest.document));
  screen.press('r');
}

async function failOther(): Promise<void> {
  await writeFile(file, '{}');
  screen.press('r');
}

async function open(
  options: Partial<Parameters<typeof renderScreen>[1]> = {},
): Promise<RenderedScreen> {
  const workingDirectory = await temporaryFolder();
  file = join(workingDirectory, 'old-side.json');
  await writeFile(file, toLockText(old.document));
  screen = renderScreen(DiffScreen, {
    route: { screen: 'diff', before: 'old-side.json' },
    workingDirectory,
    ...options,
  });
  await screen.waitFor('Loading both sides');
  return screen;
}

async function openLoaded(
  options: Partial<Parameters<typeof renderScreen>[1]> = {},
): Promise<RenderedScreen> {
  await open(options);
  screen.load(now);
  await screen.waitFor('Removed (1)');
  return screen;
}

describe('states', () => {
  it('groups what was removed, changed and added, with the class of each', async () => {
    const frame = (await openLoaded()).frame();
    expect(frame).toContain('2 breaking 0 risky 2 safe');
    expect(frame).toMatch(/Removed \(1\)\s+❯?\s+▾ ✗ items\.getItem +GET \/items\/:id/);
    expect(frame).toMatch(/Changed \(1\)\s+▾ ✗ items\.createItem/);
    expect(frame).toMatch(/✗ colour was added, required +input/);
    expect(frame).toMatch(/Added \(1\)\s+✓ items\.listItems +GET \/items/);
  });

  it('says that nothing differs', async () => {
    old = now;
    await open();
    screen.load(now);
    expect(await screen.waitFor('No differences.')).toContain('0 breaking 0 risky 0 safe');
  });

  it('waits for the side that is not loaded yet', async () => {
    await open();
    expect(screen.frame()).toContain('old-side.json → src/capabilities.ts');
    screen.load(now);
    await screen.waitFor('Removed (1)');
  });

  it('keeps the last good difference under the reason why a side cannot be loaded', async () => {
    await openLoaded();
    await failOther();
    const frame = await screen.waitFor('is neither an OpenAPI 3 document nor a lock file');
    expect(frame).toContain('Removed (1)');
    await loadOther(old);
    await screen.waitUntilGone('is neither');
  });

  it('tells what is wrong with each side where both are broken', async () => {
    await openLoaded({ columns: 100 });
    await failOther();
    await screen.waitFor('is neither');
    screen.fail({ code: 'BuildFailed', message: 'src/b.ts:3:4: Unexpected ";"' });
    const frame = await screen.waitFor('src/b.ts:3:4');
    expect(frame).toContain('is neither');
    expect(frame).toContain('Removed (1)');
  });

  it('shows many differences, no more at once than the window has rows', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `get${index}x`);
    await open();
    screen.load(
      await toTestManifest({ many: Object.fromEntries(names.map((name) => [name, listItems])) }),
    );
    await screen.waitFor('0 risky 300 safe');
    screen.press('G');
    await screen.waitFor(/❯ +✓ many\.get299x/);
    expect(screen.lines()).toHaveLength(24);
  });

  it('follows an edit of either side, the selection where it was', async () => {
    await openLoaded();
    screen.press('G');
    await screen.waitFor(/❯ +✓ items\.listItems/);
    screen.load(await toTestManifest({ items: { createItem: createOld, listItems } }));
    expect(await screen.waitUntilGone('Changed (1)')).toMatch(/❯ +✓ items\.listItems/);
    await loadOther(await toTestManifest({ items: { createItem: createOld } }));
    expect(await screen.waitUntilGone('Removed')).toMatch(/❯ +✓ items\.listItems/);
  });
});

describe('sizes', () => {
  it.each(allWindowSizes)('fills a window of %i by %i and no more', async (columns, rows) => {
    await openLoaded({ columns, rows });
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
  });

  it('keeps the pane beside the tree on a group', async () => {
    await openLoaded({ columns: 120, rows: 40 });
    expect(screen.frame()).toMatch(/│ Removed \(1\)/);
    screen.press('G');
    await screen.waitFor(/│ It is new/);
  });

  it('tells in 40 columns what changed, whole', async () => {
    await openLoaded({ columns: 40, rows: 20 });
    expect(screen.frame()).toContain('✗ colour was added, required');
    screen.press('jjjjj');
    await screen.waitFor(/\n {2}colour was added, required[^\n]*\n {2}breaking {2}input\.colour/);
    // Between the tree and the details there is no row that nobody needs.
    expect(screen.frame()).toMatch(/listItems[^\n]*\n─/);
  });

  it('cuts long paths at their start, where they are alike', async () => {
    await openLoaded({ columns: 40, rows: 12 });
    expect(screen.lines()[2]).toMatch(/^ \S*\.json → ….*s\.ts$/);
  });

  it('draws no colour where there is none to draw', async () => {
    expect((await openLoaded()).frame()).not.toContain('\u001B');
  });

  it('needs no sign beyond ASCII where the terminal has none', async () => {
    expect((await openLoaded({ environment: { TERM: 'linux' } })).frame()).toMatch(
      /^[\u0020-\u007E\n]*$/,
    );
  });
});

describe('keys', () => {
  it('explains the selected change: the field, old and new, why and for whom', async () => {
    await openLoaded();
    screen.press('jjjjj');
    const frame = await screen.waitFor('breaking  input.colour');
    expect(frame).toContain('- absent');
    expect(frame).toContain('+ required');
    expect(frame).toContain('Why: callers that leave it out are refused');
    expect(frame).toContain('For: HTTP callers, typed client, agents');
  });

  it('shows what the words of the filter ask for: a class, an audience, a key', async () => {
    await openLoaded();
    const { document } = now;
    const facts = {
      ...(Reflect.get(document, 'x-capix') as object),
      calls: true,
      etag: true,
      prefix: '/v2',
    };
    screen.load({ ...now, document: { ...document, 'x-capix': facts } as typeof document });
    await screen.waitFor('prefix of every path is /v2');
    screen.press('/');
    screen.press('safe');
    expect(await screen.waitUntilGone('colour was added')).toContain('note was added');
    screen.press('\u001B');
    await screen.waitFor('prefix of every path');
    screen.press('/');
    screen.press('agents');
    await screen.waitUntilGone('prefix of every path');
    expect(screen.frame()).toContain('colour was added');
    screen.press('\u001B');
    await screen.waitFor('prefix of every path');
    screen.press('/');
    screen.press('breaking create');
    await screen.waitUntilGone('items.getItem');
    expect(await screen.waitUntilGone('note was added')).toContain('colour was added');
  });

  it('filters by the key', async () => {
    await openLoaded();
    screen.press('/');
    screen.press('listitems');
    expect(await screen.waitFor('1 of 4')).not.toContain('Removed');
    screen.press('\u001B');
    await screen.waitFor('Removed (1)');
  });

  it('leads to the capability, and not to one that is gone', async () => {
    await openLoaded();
    screen.press('js');
    await screen.waitFor('This line is not a capability');
    screen.press('jjj\r');
    await expect.poll(() => screen.route()).toEqual({ screen: 'show', key: 'items.createItem' });
  });

  it('copies a change', async () => {
    await openLoaded();
    screen.press('jjy');
    await expect
      .poll(() => screen.written())
      .toBe('copied: breaking: was removed (its route answers 404 or 405)\n');
  });
});

it('compares with the last commit where nobody said with what', async () => {
  screen = renderScreen(DiffScreen, { route: { screen: 'diff' } });
  expect(await screen.waitFor('Loading both sides')).toContain('HEAD → src/capabilities.ts');
});

const itemsSource = (input: string): string => `
import { capability } from 'capix';
import * as z from 'zod';
export const items = { getItem: capability(z.object({ ${input} }), () => ({ id: '1' })).output(z.object({ id: z.string() })) };
`;

/** The document of a server that has one more operation, and no more than `id` for the other. */
const toDocument = (more: object = {}): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'shop', version: '1' },
    paths: {
      '/items/{id}': {
        get: {
          operationId: 'itemsGetItem',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {},
        },
      },
      '/orders': { get: { operationId: 'ordersListOrders', responses: {} } },
      ...more,
    },
  });

describe('sides that are read and not run', () => {
  async function openSide(before: string, workingDirectory: string, size = {}): Promise<void> {
    screen = renderScreen(DiffScreen, {
      route: { screen: 'diff', before },
      workingDirectory,
      ...size,
    });
    await screen.waitFor('Loading both sides');
  }

  it('compares the project with a lock file, which r loads again', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'capix.lock.json');
    await writeFile(file, toLockText(old.document));
    await openSide('capix.lock.json', folder);
    screen.load(now);
    const frame = await screen.waitFor('Removed (1)');
    expect(frame).toContain('capix.lock.json → src/capabilities.ts');
    expect(frame).toContain('2 breaking 0 risky 2 safe');
    await writeFile(file, toLockText(now.document));
    screen.press('r');
    await screen.waitFor('No differences.');
    await writeFile(file, '{}');
    screen.press('r');
    const broken = await screen.waitFor('is neither an OpenAPI 3 document nor a lock file');
    expect(broken).toContain('No differences.');
    await writeFile(file, toLockText(old.document));
    screen.press('r');
    expect(await screen.waitFor('Removed (1)')).not.toContain('is neither');
  });

  it.each([
    [80, 24],
    [120, 40],
    [40, 12],
  ])(
    'compares the project with a running server in a window of %i by %i',
    async (columns, rows) => {
      let document = toDocument();
      const server = createServer((_, response) => response.end(document)).listen(0);
      onTestFinished(() => void server.close());
      const url = `http://localhost:${(server.address() as AddressInfo).port}`;
      const { root } = await openProject({
        'src/capabilities.ts': itemsSource('id: z.string(), unit: z.string()'),
      });
      await openSide(url, root, { columns, rows });
      const input = z.object({ id: z.string(), unit: z.string() });
      const output = z.object({ id: z.string() });
      screen.load(
        await toTestManifest({
          items: { getItem: capability(input, () => ({ id: '1' })).output(output) },
        }),
      );
      const frame = await screen.waitFor('orders');
      expect(frame).toContain('Removed (1)');
      expect(frame).toContain('breaking');
      expect(screen.lines()).toHaveLength(rows);
      expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
      document = toDocument({ '/more': { get: { operationId: 'moreListMore', responses: {} } } });
      screen.press('r');
      await screen.waitFor('3 breaking');
    },
  );
});

it('lists what was not compared, and reads what is allowed', async () => {
  const workingDirectory = await temporaryFolder();
  const elsewhere = await temporaryFolder();
  const $ref = join(elsewhere, 'item.json');
  await writeFile($ref, '{ "type": "string" }');
  const content = { 'application/json': { schema: { $ref: `file://${$ref}` } } };
  const responses = { 200: { description: 'Done', content } };
  await writeFile(
    join(workingDirectory, 'old.json'),
    toDocument({ '/more': { get: { operationId: 'more', responses } } }),
  );
  await writeFile(join(workingDirectory, 'new.json'), toDocument());
  const route = { screen: 'diff', before: 'old.json', after: 'new.json' } as const;
  screen = renderScreen(DiffScreen, { route, workingDirectory, columns: 120, rows: 30 });
  await screen.waitFor('1 breaking 0 risky 0 safe 1 not compared');
  expect(screen.frame()).toContain('Not compared (1)');
  expect(screen.frame()).toMatch(/\$ref: file:.* old\.json/);
  screen.unmount();
  const options = { allow: [elsewhere] };
  screen = renderScreen(DiffScreen, { route: { ...route, options }, workingDirectory });
  expect(await screen.waitFor('1 breaking 0 risky 0 safe')).not.toContain('not compared');
});

it('says where a branch lacks what the other one has, and compares with where they parted', async () => {
  const { root, git, commit } = await openGitProject({
    'src/capabilities.ts': itemsSource('id: z.string()'),
  });
  await git('checkout', '--quiet', '-b', 'topic');
  await commit({ 'README.md': 'of this branch' });
  await git('checkout', '--quiet', 'main');
  await commit({ 'src/capabilities.ts': itemsSource('id: z.string(), unit: z.string()') });
  await git('checkout', '--quiet', 'topic');
  const size = { columns: 120, rows: 30, workingDirectory: root };
  const input = z.object({ id: z.string() });
  const getItem = capability(input, () => ({ id: '1' })).output(input);
  screen = renderScreen(DiffScreen, { route: { screen: 'diff', before: 'main' }, ...size });
  screen.load(await toTestManifest({ items: { getItem } }));
  await screen.waitFor('main has commits that this branch lacks');
  screen.unmount();
  screen = renderScreen(DiffScreen, { route: { screen: 'diff', before: 'main...topic' }, ...size });
  expect(await screen.waitFor('No differences.')).toContain('main...topic → topic');
});

describe('the decisions of the project', () => {
  it('count on the screen as they are in capix.json now, and what it ignores stands last, with the reason', async () => {
    const root = await temporaryFolder();
    old = { ...old, project: { ...old.project, root } };
    now = { ...now, project: { ...now.project, root } };
    await openLoaded();
    const decide = (diff: object): Promise<void> =>
      writeFile(join(root, 'capix.json'), JSON.stringify({ diff }));
    await decide({
      rules: { 'input-field-required': { severity: 'risky', reason: 'nobody calls it yet' } },
      ignore: [
        { rule: 'capability-removed', capability: 'items.get*', reason: 'announced in May' },
      ],
    });
    const judged = await screen.waitFor('0 breaking 1 risky 2 safe 1 ignored');
    expect(judged).toMatch(/Ignored \(1\)\s+❯?\s+▾ items\.getItem +announced in May/);
    expect(judged).not.toContain('Removed (1)');
    await decide({ rules: { 'no-such-rule': 'off' } });
    const wrong = await screen.waitFor('there is no rule of this id');
    expect(wrong).toContain('2 breaking 0 risky 2 safe');
    await decide({});
    await screen.waitUntilGone('there is no rule');
  });

  it('are written by A, with a reason, for the change that is selected, beside those that are there', async () => {
    const root = await temporaryFolder();
    old = { ...old, project: { ...old.project, root } };
    now = { ...now, project: { ...now.project, root } };
    const file = join(root, 'capix.json');
    const dev = { port: 4000 };
    await writeFile(file, JSON.stringify({ dev }));
    await openLoaded();
    await screen.waitFor('2 breaking');
    screen.press('gA');
    await screen.waitFor('Select a change that breaks a caller');
    screen.press('/getItem\rA');
    await screen.waitFor('Accept because');
    screen.press('\u001B');
    await screen.waitUntilGone('Accept because');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ dev });
    screen.press('A');
    await screen.waitFor('Accept because');
    screen.press('announced in May');
    screen.press('\r');
    await screen.waitFor('Accepted in capix.json');
    const reason = 'announced in May';
    const ignore = [
      { rule: 'capability-removed', capability: 'items.getItem', at: 'route', reason },
    ];
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ dev, diff: { ignore } });
    await screen.waitFor('1 breaking 0 risky 2 safe 1 ignored');
  });

  it('that are code are left to their author', async () => {
    const root = await temporaryFolder();
    old = { ...old, project: { ...old.project, root } };
    now = { ...now, project: { ...now.project, root } };
    await writeFile(join(root, 'capix.config.mjs'), 'export default {};');
    await openLoaded();
    await screen.waitFor('2 breaking');
    screen.press('/getItem\rA');
    await screen.waitFor('Accept because');
    screen.press('announced');
    screen.press('\r');
    await screen.waitFor('capix.config.mjs is code');
    expect(await readdir(root)).toEqual(['capix.config.mjs']);
  });
});

describe('two sides of which neither is the project', () => {
  it.each([
    [80, 24],
    [120, 40],
    [40, 12],
  ])('are compared in a window of %i by %i, and loaded again by r', async (columns, rows) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'v1.json'), toDocument());
    await writeFile(
      join(folder, 'v3.json'),
      toDocument({ '/more': { get: { operationId: 'moreListMore', responses: {} } } }),
    );
    const route = { screen: 'diff', before: 'v1.json', after: 'v3.json' } as const;
    screen = renderScreen(DiffScreen, { route, workingDirectory: folder, columns, rows });
    const frame = await screen.waitFor('Added (1)');
    expect(frame).toContain('v1.json → v3.json');
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
    screen.press('js');
    if (columns >= 80) await screen.waitFor('This line is not a capability');
    await writeFile(join(folder, 'v3.json'), toDocument());
    screen.press('r');
    await screen.waitFor('No differences.');
    await writeFile(join(folder, 'v3.json'), '{}');
    screen.press('r');
    await screen.waitFor(
      columns < 80 ? 'neither' : 'is neither an OpenAPI 3 document nor a lock file',
    );
  });

  it('are two refs of git, too, whose code is read from it', async () => {
    const { root, commit } = await openGitProject({
      'src/capabilities.ts': itemsSource('id: z.string()'),
    });
    await commit({ 'src/capabilities.ts': itemsSource('id: z.string(), unit: z.string()') });
    screen = renderScreen(DiffScreen, {
      route: { screen: 'diff', before: 'HEAD~1', after: 'HEAD' },
      workingDirectory: root,
      columns: 120,
    });
    // Two copies of the repository, and two processes that load them.
    await expect.poll(() => screen.frame(), { interval: 50 }).toContain('unit was added');
    const frame = screen.frame();
    expect(frame).toContain('HEAD~1 → HEAD');
    expect(frame).toContain('1 breaking 0 risky 0 safe');
  });
});
