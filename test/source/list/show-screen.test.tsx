import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { defineGuard } from '../../../server-runtime/capability/guard.ts';
import { withTimeout } from '../../../server-runtime/enhancers/with-timeout.ts';
import { defaultErrors } from '../../../server-runtime/errors/define-error.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { writeServerState } from '../../../source/files/server-state.ts';
import { textWidth } from '../../../source/kit/text.ts';
import ShowScreen from '../../../source/list/show-screen.tsx';
import { loadManifest } from '../../../source/manifest/load-manifest.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { type RenderedScreen, renderScreen, toTestManifest } from '../../helpers/render-screen.tsx';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { allWindowSizes } from '../../helpers/window-sizes.ts';

const mustBeUser = defineGuard(() => {}, {
  name: 'mustBeUser',
  errors: [defaultErrors.Unauthorized],
});
const mayEdit = defineGuard(() => {}, { name: 'mayEdit' });
const input = z.object({
  name: z.string().min(1).max(80).describe('What it is called'),
  kind: z.enum(['lamp', 'chair']).default('lamp'),
  size: z.object({ width: z.number() }).optional(),
});
const createItem = capability(input, () => ({ id: '1' }))
  .guard(mustBeUser)
  .enhance(withTimeout(500))
  .output(z.object({ id: z.string() }));

let shop: Manifest;
let screen: RenderedScreen;
beforeEach(async () => {
  shop = await toTestManifest({
    items: { createItem, copyItem: capability(input, () => null), listItems: capability(() => []) },
  });
});
afterEach(() => screen.unmount());

function open(
  key = 'items.createItem',
  options: Partial<Parameters<typeof renderScreen>[1]> = {},
): RenderedScreen {
  screen = renderScreen(ShowScreen, { route: { screen: 'show', key }, ...options });
  return screen;
}

it('shows route and why, intent, guards, enhancers, errors, types and curl', async () => {
  open('items.createItem', { columns: 120, rows: 40 }).load(shop);
  const frame = await screen.waitFor('POST /items');
  for (const text of [
    '`createItem` starts with `create`',
    'mutation, from the name',
    'mustBeUser (401 Unauthorized)',
    'withTimeout',
    '401 Unauthorized, from mustBeUser',
    '400 BadRequest',
    '1 to 80 characters',
    'What it is called',
    'default "lamp"',
    'width',
    "curl -X POST 'http://localhost:3000/items'",
  ])
    expect(frame).toContain(text);
});

describe.each(allWindowSizes)('in a window of %i x %i', (columns, rows) => {
  it('fits', async () => {
    open('items.createItem', { columns, rows }).load(shop);
    await screen.waitFor('Route');
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
    screen.press('G');
    await screen.waitFor('curl');
  });

  it('draws of many fields those that fit', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`field${index}`, z.string()]),
    );
    open('items.fill', { columns, rows }).load(
      await toTestManifest({ items: { fill: capability(z.object(many), () => null) } }),
    );
    await screen.waitFor('Route');
    expect(screen.lines()).toHaveLength(rows);
    screen.press('G');
    await screen.waitFor(/❯ .*\}'/);
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
  });
});

it('loads, fails and heals', async () => {
  await open().waitFor('Loading the project');
  screen.fail({ code: 'BuildFailed', message: 'broken here' });
  await screen.waitFor('broken here');
  screen.load(shop);
  await screen.waitFor('POST /items');
  expect(screen.frame()).not.toContain('broken here');
});

it('folds a part, and leaves it folded when the project is loaded again', async () => {
  open().load(shop);
  await screen.waitFor('from mustBeUser');
  screen.press('jjjjjh');
  await screen.waitUntilGone('from mustBeUser');
  screen.load(shop);
  await screen.waitFor('Route');
  expect(screen.frame()).not.toContain('from mustBeUser');
});

it('says which capability was meant where there is none of that name', async () => {
  open('items.creatItem').load(shop);
  await screen.waitFor('There is no capability items.creatItem. Did you mean:');
  await screen.waitFor(/❯ items\.createItem +POST +\/items/);
  screen.press('\r');
  await screen.waitFor('POST /items');
});

it('offers nothing where nothing is called like it', async () => {
  open('zzz').load(shop);
  await screen.waitFor('There is no capability zzz.');
  expect(screen.frame()).not.toContain('Did you mean');
  expect(screen.frame()).not.toContain('Enter');
});

it('offers the capabilities of a group where the key is that of a group', async () => {
  open('items').load(shop);
  await screen.waitFor('items is a group of 3 capabilities:');
  await screen.waitFor(/❯ items\.createItem +POST +\/items/);
  screen.press('j\r');
  await screen.waitFor('show ▸ items.copyItem');
  expect(screen.route()).toEqual({ screen: 'show', key: 'items.copyItem' });
});

it('marks for a moment what a save has changed, and only that', async () => {
  open('items.createItem', { columns: 120, rows: 40 }).load(shop);
  await screen.waitFor('POST /items');
  screen.load(
    await toTestManifest({
      items: { createItem: createItem.guard(mayEdit), listItems: capability(() => []) },
    }),
  );
  await screen.waitFor(/ ● +mayEdit/);
  expect(screen.frame()).toMatch(/❯ +Route/);
  await screen.waitUntilGone(' ●▾ Guards');
});

it('draws in ASCII where the terminal has no more', async () => {
  open('items.createItem', { environment: { TERM: 'linux' } }).load(shop);
  await screen.waitFor('POST /items');
  expect(screen.frame()).toMatch(/^[\n\u0020-\u007E]*$/);
});

it('opens the source at its line', async () => {
  const source = { file: 'src/items.ts', line: 7, column: 3 };
  open().load(withSource(shop, source));
  await screen.waitFor('POST /items');
  screen.press('e');
  await expect.poll(() => screen.edited).toEqual([source]);
});

it('says so when the capability is renamed while it is shown', async () => {
  open().load(shop);
  await screen.waitFor('POST /items');
  screen.load(await toTestManifest({ items: { createProduct: createItem } }));
  await screen.waitFor('There is no capability items.createItem');
});

it('goes to its call, and copies', async () => {
  open().load(shop);
  await screen.waitFor('POST /items');
  screen.press('y');
  await expect.poll(screen.written).toContain('copied: POST /items');
  screen.press('u');
  await expect.poll(screen.written).toContain("copied: curl -X POST 'http://localhost:3000/items'");
  screen.press('c');
  await screen.waitFor('elsewhere');
  expect(screen.route()).toEqual({ screen: 'call', key: 'items.createItem' });
});

it('copies the curl of the dev server that runs, with its port and the prefix of the routes', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'node_modules'));
  await writeServerState(root, {
    pid: process.pid,
    urls: ['http://localhost:34666/'],
    startedAt: 0,
    phase: 'ready',
  });
  const manifest: Manifest = await loadManifest({
    kind: 'loaded',
    project: { root, name: 'shop', entryFile: join(root, 'capabilities.ts') },
    registry: compileRegistry({ items: { listItems: capability(() => []) } }),
    restOptions: { prefix: '/api' },
    files: [],
  });
  open('items.listItems').load(manifest);
  await screen.waitFor(/Server +http:\/\/localhost:34666, capix dev/);
  await screen.waitFor("curl 'http://localhost:34666/api/items'");
  screen.press('u');
  await expect.poll(screen.written).toContain("copied: curl 'http://localhost:34666/api/items'\n");
});

it('says where no server runs which address one would have', async () => {
  open('items.listItems', { environment: { PORT: '34888' } }).load(shop);
  await screen.waitFor(/Server +not running; it would be at http:\/\/localhost:34888/);
  screen.press('u');
  await expect.poll(screen.written).toContain("copied: curl 'http://localhost:34888/items'\n");
  expect(screen.copied).toEqual([
    'the curl command for http://localhost:34888, where no server runs,',
  ]);
});

/** The project as if all of it were declared at one place. */
function withSource({ document, ...manifest }: Manifest, source: object): Manifest {
  const text = JSON.stringify(document, (name, value: object) =>
    name === 'x-capix' && 'key' in value ? { ...value, source } : value,
  );
  return { ...manifest, document: JSON.parse(text) as Manifest['document'] };
}
