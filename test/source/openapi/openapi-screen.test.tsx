import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { loadCheckedManifest } from '../../../source/check/rules/load-checked-manifest.ts';
import { textWidth } from '../../../source/kit/text.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { OpenApiView } from '../../../source/openapi/openapi-screen.tsx';
import { useProject } from '../../../source/screens/use-screen.ts';
import { type RenderedScreen, renderScreen } from '../../helpers/render-screen.tsx';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { allWindowSizes } from '../../helpers/window-sizes.ts';

const item = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Item' });
const items = {
  getItem: capability(z.object({ id: z.string() }), () => ({ id: '1', name: 'Pen' }))
    .output(item)
    .describe('Gives one item'),
  createItem: capability(z.object({ name: z.string() }), () => ({ id: '1', name: 'Pen' })).output(
    item,
  ),
};

/** A problem each. */
const unsendable = capability(z.object({ at: z.date() }), () => null);

function toDescribed(tree: Parameters<typeof compileRegistry>[0]): Promise<Manifest> {
  const project = { root: '/shop', name: 'shop', entryFile: '/shop/src/capabilities.ts' };
  const loaded = {
    kind: 'loaded',
    project,
    registry: compileRegistry(tree),
    restOptions: {},
    files: [],
  } as const;
  return loadCheckedManifest(loaded, { published: {} });
}

function Described() {
  return <OpenApiView described={useProject().project} />;
}

let shop: Manifest;
let screen: RenderedScreen;
beforeEach(async () => {
  shop = await toDescribed({ items });
});
afterEach(() => screen.unmount());

function open(options: Partial<Parameters<typeof renderScreen>[1]> = {}): RenderedScreen {
  screen = renderScreen(Described, { route: { screen: 'openapi' }, ...options });
  return screen;
}

it('marks what its document has brought, which may come long after the rest of the project', async () => {
  const changed = ['items.createItem'];
  const Later = () => {
    const { project } = useProject();
    return <OpenApiView described={{ ...project, changedKeys: changed }} />;
  };
  screen = renderScreen(Later, { route: { screen: 'openapi' } });
  screen.load(shop);
  const frame = await screen.waitFor(/● +▸ POST +\/items/);
  expect(frame).not.toMatch(/● +▸ GET/);
});

describe('the filter', () => {
  it('is reached from the details, which read its word as keys', async () => {
    open({ columns: 120 }).load(shop);
    await screen.waitFor(/GET +\/items\/\{id\} +Gives one item/);
    screen.press('\t');
    await screen.waitFor(/·   openapi: "3\.1\.0"/);
    screen.press('/create');
    const frame = await screen.waitFor(/ \/ create /);
    expect(frame).toMatch(/▸ POST +\/items/);
    expect(frame).not.toMatch(/GET +\/items/);
  });
});

describe('states', () => {
  it('says that it loads until the document is there', async () => {
    await open().waitFor('Loading the project');
    screen.load(shop);
    await screen.waitFor(/GET +\/items\/\{id\} +Gives one item/);
  });

  it('shows the document of a project without capabilities', async () => {
    open().load(await toDescribed({}));
    await screen.waitFor('paths: {0}');
  });

  it('shows one operation under its path', async () => {
    open().load(await toDescribed({ items: { listItems: capability(() => []) } }));
    expect(await screen.waitFor('paths: {1}')).toMatch(/GET +\/items +List items/);
  });

  it('shows many operations, no more at once than the window has rows, and leads to the last', async () => {
    const names = Array.from({ length: 600 }, (_, index) => `check${index}x`);
    const many = await toDescribed({
      items: Object.fromEntries(names.map((name) => [name, unsendable])),
    });
    open().load(many);
    await screen.waitFor('paths: {600}');
    expect(screen.lines()).toHaveLength(24);
    screen.press('/check599x');
    expect(await screen.waitFor(/ 1 found$/m)).toMatch(/POST +\/items\/check599x/);
  });

  it('says why there is no document where the server would not start', async () => {
    open().load(
      await toDescribed({
        items: { listItems: capability(() => []), findItems: capability(() => []) },
      }),
    );
    expect(await screen.waitFor('a server with these routes would not start')).toMatch(
      /The screen\s+`check` lists why/,
    );
  });

  it('keeps the last good document under the reason why the newest cannot be loaded', async () => {
    open().load(shop);
    await screen.waitFor('paths: {2}');
    screen.fail({ code: 'BuildFailed', message: 'src/a.ts:1:2: Unexpected "="' });
    expect(await screen.waitFor('Unexpected "="')).toContain('paths: {2}');
  });
});

describe('sizes', () => {
  it.each(allWindowSizes)('fills a window of %i by %i and no more', async (columns, rows) => {
    open({ columns, rows }).load(shop);
    await screen.waitFor('paths: {2}');
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
  });

  it('shows what is selected, as it is written, beside the tree of a wide window', async () => {
    open({ columns: 120, rows: 40 }).load(shop);
    await screen.waitFor('paths: {2}');
    screen.press('j');
    expect(await screen.waitFor('│ info')).toContain('"title": "Capix API"');
  });

  it('draws no colour where there is none to draw', async () => {
    open().load(shop);
    expect(await screen.waitFor('paths: {2}')).not.toContain('\u001B');
  });

  it('needs no sign beyond ASCII where the terminal has none', async () => {
    open({ environment: { TERM: 'linux' } }).load(shop);
    expect(await screen.waitFor('v paths: {2}')).toMatch(/^[\u0020-\u007E\n]*$/);
  });
});

describe('reading', () => {
  /** Selects the first schema that `Item` is referred to by. */
  async function findReference(): Promise<void> {
    open().load(shop);
    await screen.waitFor('paths: {2}');
    screen.press('/');
    screen.press('get 200 data:');
    await screen.waitFor('1 found');
    screen.press('\r');
    screen.press('G');
    await screen.waitFor(/❯ +data: → Item/);
  }

  it('follows a reference to its component, and goes back', async () => {
    await findReference();
    screen.press('\r');
    await screen.waitFor(/❯ +▸ Item: object/);
    screen.press('\u007F');
    await screen.waitFor(/❯ +data: → Item/);
  });

  it('finds nodes by words in their line and above it, and shows all around them again', async () => {
    await findReference();
    expect(screen.frame()).not.toContain('openapi: "3.1.0"');
    screen.press('\u001B');
    expect(await screen.waitFor('openapi: "3.1.0"')).toMatch(/❯ +data: → Item/);
  });

  it('says that nothing was found', async () => {
    open().load(shop);
    await screen.waitFor('paths: {2}');
    screen.press('/');
    screen.press('unheard');
    expect(await screen.waitFor('Nothing in the document matches.')).toContain('0 found');
  });

  it('copies what is selected', async () => {
    open().load(shop);
    await screen.waitFor('paths: {2}');
    screen.press('y');
    await expect.poll(() => screen.written()).toBe('copied: 3.1.0\n');
  });

  it('leads from an operation to its capability', async () => {
    open().load(shop);
    await screen.waitFor('paths: {2}');
    screen.press('/');
    screen.press('createItem');
    await screen.waitFor('1 found');
    screen.press('\r');
    screen.press('G');
    await screen.waitFor(/❯ +operationId/);
    screen.press('s');
    await expect.poll(() => screen.route()).toEqual({ screen: 'show', key: 'items.createItem' });
  });

  it('keeps what is open and selected when the document changes', async () => {
    open().load(shop);
    await screen.waitFor('paths: {2}');
    screen.press('jjjjj ');
    await screen.waitFor(/❯ +▾ GET/);
    screen.load(await toDescribed({ news: { listNews: capability(() => []) }, items }));
    expect(await screen.waitFor('paths: {3}')).toMatch(/❯ +▾ GET +\/items\/\{id\}/);
    expect(screen.frame()).toContain('operationId: "items_getItem"');
  });
});

describe('writing to a file', () => {
  async function startWriting(path: string): Promise<void> {
    open().load(shop);
    await screen.waitFor('paths: {2}');
    screen.press('w');
    await screen.waitFor('Write to openapi.json');
    screen.press('\u0015');
    screen.press(path);
    await screen.waitFor(path.slice(-12));
    screen.press('\r');
  }

  it('asks for the path and writes the document', async () => {
    const file = join(await temporaryFolder(), 'api.json');
    await startWriting(file);
    await screen.waitFor('Wrote');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject(
      JSON.parse(JSON.stringify(shop.published)),
    );
  });

  it('replaces a file that is there only after a yes', async () => {
    const file = join(await temporaryFolder(), 'api.json');
    await writeFile(file, 'mine');
    await startWriting(file);
    await screen.waitFor('n: keep it');
    screen.press('n');
    await screen.waitFor('Write to');
    expect(await readFile(file, 'utf8')).toBe('mine');
    screen.press('\r');
    await screen.waitFor('y: replace it');
    screen.press('y');
    await screen.waitFor('Wrote');
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('openapi', '3.1.0');
  });

  it('says why it cannot write, and lets the path be mended', async () => {
    const file = join(await temporaryFolder(), 'taken');
    await writeFile(file, '');
    await startWriting(join(file, 'api.json'));
    await screen.waitFor('✗ Not written: not a directory');
    screen.press('\u001B');
    await screen.waitUntilGone('Write to');
  });
});
