import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { group } from '../../../server-runtime/registry/group.ts';
import GenerateScreen from '../../../source/generate/generate-screen.tsx';
import { textWidth } from '../../../source/kit/text.ts';
import { loadManifest } from '../../../source/manifest/load-manifest.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import type { Location } from '../../../source/screens/location.ts';
import { type RenderedScreen, renderScreen } from '../../helpers/render-screen.tsx';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { allWindowSizes } from '../../helpers/window-sizes.ts';

let root: string;
let shop: Manifest;
let screen: RenderedScreen;
beforeEach(async () => {
  root = await temporaryFolder();
  await mkdir(join(root, 'src'));
  await writeTree(root, {
    'src/capabilities.ts': "export * as capabilities from './capabilities/index.js';\n",
    'src/capabilities/index.ts':
      "export * as items from './items/index.js';\nexport * as carts from './carts/index.js';\n",
    'src/capabilities/items/index.ts': "export { getItem } from './get-item.js';\n",
    'src/capabilities/items/get-item.ts': 'export const getItem = 1;\n',
    'src/capabilities/carts/index.ts': 'export {};\n',
  });
  shop = await toShop({ items: { getItem: capability(() => null) } });
});
afterEach(() => screen.unmount());

function toShop(tree: Parameters<typeof compileRegistry>[0]): Promise<Manifest> {
  return loadManifest({
    kind: 'loaded',
    project: { root, name: 'shop', entryFile: join(root, 'src/capabilities.ts') },
    registry: compileRegistry(tree),
    restOptions: {},
    files: [],
  });
}

function open(
  route: Partial<Extract<Location, { screen: 'generate' }>> = {},
  options: Partial<Parameters<typeof renderScreen>[1]> = {},
): RenderedScreen {
  screen = renderScreen(GenerateScreen, {
    route: { screen: 'generate', kind: 'capability', ...route },
    ...options,
  });
  return screen;
}

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

describe('states', () => {
  it('begins with an example of a name, which is no text yet', async () => {
    open().load(shop);
    const frame = await screen.waitFor(/❯ name\*/);
    expect(frame).toMatch(/❯ name\* +users\/getUser +/);
    expect(frame).not.toContain('""');
  });

  it('asks for a capability where nobody has said what, and for a group by the first field', async () => {
    open({ kind: undefined }).load(shop);
    await screen.waitFor(/kind\* +< "capability" >/);
    screen.press('items\u001B[A ');
    await screen.waitFor('The group items exists already');
    expect(screen.frame()).not.toContain('input');
  });

  it('says that it loads, what failed, and heals into the form', async () => {
    open().fail({ code: 'BuildFailed', message: 'broken here' });
    await screen.waitFor('broken here');
    screen.load(shop);
    await screen.waitFor('❯ name');
    expect(screen.frame()).not.toContain('broken here');
  });

  it('keeps what was typed through a reload', async () => {
    open({ group: 'items' }).load(shop);
    await screen.waitFor(/❯ name\* +items\//);
    screen.press('archive');
    await screen.waitFor('POST /items/archive');
    screen.load(
      await toShop({ items: { getItem: capability(() => null), listItems: capability(() => []) } }),
    );
    await screen.waitFor('POST /items/archive');
    expect(screen.frame()).toMatch(/❯ name\* +items\/archive/);
  });
});

describe.each(allWindowSizes)('in a window of %i x %i', (columns, rows) => {
  it('fits, from the empty form to the preview of a capability', async () => {
    const expectFit = (): void => {
      expect(screen.lines()).toHaveLength(rows);
      expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
    };
    open({}, { columns, rows }).load(shop);
    await screen.waitFor('❯ name');
    expectFit();
    screen.press('carts/getPrice');
    await screen.waitFor(/Key +carts\.getPrice/);
    expectFit();
  });
});

it('is drawn without colour, and in ASCII where the terminal has no more', async () => {
  open({ group: 'items' }, { environment: { TERM: 'linux' } }).load(shop);
  await screen.waitFor('> name');
  screen.press('getPrice');
  await screen.waitFor(/Key +items\.getPrice/);
  expect(screen.frame()).toMatch(/^[\n\u0020-\u007E]*$/);
});

it('shows key, route, file and text of what was typed so far', async () => {
  open({ group: 'items' }).load(shop);
  await screen.waitFor('❯ name');
  screen.press('listOpen');
  const frame = await screen.waitFor(/Key +items\.listOpen/);
  expect(frame).toMatch(/Route +GET \/items/);
  expect(frame).toMatch(/File +src\/capabilities\/items\/list-open\.ts/);
  expect(frame).toContain('export const listOpen = capability(');
  expect(frame).toContain("+ export { listOpen } from './list-open.js';");
  screen.press('Items');
  await screen.waitFor(/Key +items\.listOpenItems/);
});

describe('before anything is written', () => {
  it.each([
    ['a name that is exported', 'items/getItem', 'is taken', 'get-item.ts exists already'],
    ['what is not a name', 'items/1st', 'cannot be its name', "'1st' cannot be the name"],
    [
      'a way out of the folder',
      '../x',
      'cannot be its name',
      'leads out of the capabilities folder',
    ],
    ['the name of a group', 'items', 'is taken', "exports 'items' already"],
  ])('refuses %s', async (_, name, mark, message) => {
    open().load(shop);
    await screen.waitFor('❯ name');
    screen.press(name);
    const frame = await screen.waitFor(message);
    expect(frame).toContain(`✗ ${mark}`);
    screen.press('\r');
    await screen.waitFor('Nothing was written');
  });

  it('offers to replace a file that is in the way, and replaces it only then', async () => {
    open({ group: 'items' }).load(shop);
    await screen.waitFor('❯ name');
    screen.press('getItem');
    await screen.waitFor(/replace +< false >/);
    screen.press('\u001B[B\u001B[B');
    await screen.waitFor('❯ replace');
    screen.press(' ');
    await screen.waitFor('replace src/capabilities/items/get-item.ts');
    expect(await read('src/capabilities/items/get-item.ts')).toBe('export const getItem = 1;\n');
    screen.press('\r');
    await screen.waitFor('elsewhere');
    expect(screen.route()).toEqual({ screen: 'show', key: 'items.getItem' });
    expect(await read('src/capabilities/items/get-item.ts')).toContain('capability(');
  });

  it('is only looked at on a dry run, with the options of the command line filled in', async () => {
    open({ options: { input: true, dryRun: true } }).load(shop);
    await screen.waitFor(/input +< true >/);
    screen.press('getThing');
    await screen.waitFor('A dry run: nothing is written.');
    await screen.waitFor('z.object({ id: z.string() })');
    expect(screen.frame()).not.toContain('Enter write');
    const before = await read('src/capabilities/index.ts');
    screen.press('\r');
    screen.press('\u0013s');
    await screen.waitFor('getThings');
    expect(await read('src/capabilities/index.ts')).toBe(before);
  });
});

it('writes a capability and goes to it as soon as the project has it', async () => {
  open({ group: 'items' }).load(shop);
  await screen.waitFor('❯ name');
  screen.press('archive');
  await screen.waitFor('POST /items/archive');
  screen.press('\r');
  await screen.waitFor('Wrote src/capabilities/items/archive.ts');
  expect(await read('src/capabilities/items/index.ts')).toContain(
    "export { archive } from './archive.js';",
  );
  screen.load(
    await toShop({ items: { getItem: capability(() => null), archive: capability(() => null) } }),
  );
  await screen.waitFor('elsewhere');
  expect(screen.route()).toEqual({ screen: 'show', key: 'items.archive' });
});

it('writes a group and goes on to a capability in it', async () => {
  open({ kind: 'group' }).load(shop);
  await screen.waitFor('❯ name');
  screen.press('items/old');
  await screen.waitFor(/Group +items\.old/);
  await screen.waitFor('new     src/capabilities/items/old/index.ts');
  screen.press('\r');
  await screen.waitFor(/kind\* +< "capability" >[^]*❯ name\* +items\/old\//);
  expect(await read('src/capabilities/items/index.ts')).toContain(
    "export * as old from './old/index.js';",
  );
});

it('says which line the capabilities file lacks', async () => {
  await writeTree(root, { 'src/capabilities.ts': 'export const capabilities = {};\n' });
  open({ group: 'items' }).load(shop);
  await screen.waitFor('❯ name');
  screen.press('archive');
  await screen.waitFor("  import * as more from './capabilities/index.js';");
});

it('scrolls a preview that is longer than the window, and not past its end', async () => {
  open({ group: 'items' }, { columns: 40, rows: 14 }).load(shop);
  await screen.waitFor('❯ name');
  screen.press('archive');
  await screen.waitFor('┃');
  screen.press('\u001B[6~'.repeat(10));
  await screen.waitFor('export { archive }');
  screen.press('\u001B[5~'.repeat(10));
  await screen.waitFor(/Key +items\.archive/);
});

it('shows the route of a capability in a group with a path of its own', async () => {
  const listItems = capability(z.object({ orgId: z.string() }), () => []);
  const shops = await toShop({ orgs: group('/orgs/:orgId', { items: { listItems } }) });
  open({ group: 'orgs/items' }).load(shops);
  await screen.waitFor('❯ name');
  screen.press('getPrice');
  await screen.waitFor(/Route +GET \/orgs\/:orgId\/items\/price/);
});
