import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { defineGuard } from '../../../server-runtime/capability/guard.ts';
import { withTimeout } from '../../../server-runtime/enhancers/with-timeout.ts';
import { defaultErrors } from '../../../server-runtime/errors/default-errors.ts';
import type { Manifest } from '../../../source/project/manifest.ts';
import ShowScreen from '../../../source/show/show-screen.tsx';
import { textWidth } from '../../../source/ui/text-width.ts';
import { type RenderedScreen, renderScreen, toTestManifest } from '../../helpers/render-screen.tsx';
import { windowSizes } from '../../helpers/window-sizes.ts';

const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser', errors: [defaultErrors.Unauthorized] });
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

function open(key = 'items.createItem', options: Partial<Parameters<typeof renderScreen>[1]> = {}): RenderedScreen {
  screen = renderScreen(ShowScreen, { route: { screen: 'show', key }, ...options });
  return screen;
}

it('shows route and why, intent, guards, enhancers, errors, types, curl and who shares its input', async () => {
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
    'items.copyItem',
  ])
    expect(frame).toContain(text);
});

describe.each(windowSizes)('in a window of %i x %i', (columns, rows) => {
  it('fits', async () => {
    open('items.createItem', { columns, rows }).load(shop);
    await screen.waitFor('Route');
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
    screen.press('G');
    await screen.waitFor('curl');
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
  await screen.waitFor('`createItem` starts with');
  screen.press('h');
  await screen.waitUntilGone('`createItem` starts with');
  screen.load(shop);
  await screen.waitFor('Route');
  expect(screen.frame()).not.toContain('`createItem` starts with');
});

it('says which capability was meant where there is none of that name', async () => {
  open('items.creatItem').load(shop);
  await screen.waitFor('Did you mean items.createItem?');
  screen.press('\r');
  await screen.waitFor('POST /items');
});

it('says so when the capability is renamed while it is shown', async () => {
  open().load(shop);
  await screen.waitFor('POST /items');
  screen.load(await toTestManifest({ items: { createProduct: createItem } }));
  await screen.waitFor('There is no capability items.createItem');
});

it('goes to the next capability, to its call, and copies', async () => {
  open().load(shop);
  await screen.waitFor('POST /items');
  screen.press('y');
  await expect.poll(screen.written).toContain('copied: POST /items');
  screen.press('u');
  await expect.poll(screen.written).toContain("copied: curl -X POST 'http://localhost:3000/items'");
  screen.press('n');
  await screen.waitFor('items.copyItem');
  screen.press('c');
  await screen.waitFor('elsewhere');
  expect(screen.route()).toEqual({ screen: 'call', key: 'items.copyItem' });
});
