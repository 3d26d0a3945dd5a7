import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { defineGuard } from '../../../server-runtime/capability/guard.ts';
import { textWidth } from '../../../source/kit/text.ts';
import ListScreen from '../../../source/list/list-screen.tsx';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { type RenderedScreen, renderScreen, toTestManifest } from '../../helpers/render-screen.tsx';
import { allWindowSizes } from '../../helpers/window-sizes.ts';

const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser' });
const withId = z.object({ id: z.string() });
const items = {
  getItem: capability(withId, () => null),
  listItems: capability(() => []),
  createItem: capability(z.object({ name: z.string() }), () => null).guard(mustBeUser),
};

let shop: Manifest;
let screen: RenderedScreen;
beforeEach(async () => {
  shop = await toTestManifest({
    items,
    carts: { checkout: capability(() => null).deprecated({ use: 'carts.pay' }) },
  });
});
afterEach(() => screen.unmount());

function open(options: Partial<Parameters<typeof renderScreen>[1]> = {}): RenderedScreen {
  screen = renderScreen(ListScreen, { route: { screen: 'list' }, ...options });
  return screen;
}

describe('states', () => {
  it('says that it loads until the project is there', async () => {
    await open().waitFor('Loading the project');
    screen.load(shop);
    await screen.waitFor('items.getItem');
  });

  it('shows a project without capabilities how to begin', async () => {
    open().load(await toTestManifest({}));
    await screen.waitFor('src/capabilities.ts exports no capability.');
    await screen.waitFor('export const capabilities =');
    screen.press('\r');
    await screen.waitFor('elsewhere');
    expect(screen.route()).toMatchObject({ screen: 'generate', kind: 'capability' });
  });

  it('shows the one there is', async () => {
    open().load(await toTestManifest({ items: { getItem: items.getItem } }));
    await screen.waitFor(/❯ items\.getItem +GET +\/items\/:id +public/);
    screen.press('jkGg');
    screen.press('\r');
    await screen.waitFor('elsewhere');
    expect(screen.route()).toEqual({ screen: 'show', key: 'items.getItem' });
  });

  it('shows each capability with method, route and guards', async () => {
    open().load(shop);
    const frame = await screen.waitFor('carts.checkout');
    expect(frame).toMatch(/items\.getItem +GET +\/items\/:id +public/);
    expect(frame).toMatch(/items\.createItem +POST +\/items +1 guard/);
    expect(frame).toMatch(/carts\.checkout .*deprecated/);
  });

  it('keeps the last good list under a failure with its place, and heals', async () => {
    open().load(shop);
    await screen.waitFor('items.getItem');
    screen.fail({
      code: 'BuildFailed',
      message: 'src/a.ts:3:5: Unexpected "}"',
      frame: '  > 3 | }',
      hint: 'Mend it.',
    });
    const frame = await screen.waitFor('Unexpected "}"');
    expect(frame).toContain('> 3 | }');
    expect(frame).toContain('Mend it.');
    expect(frame).toContain('broken');
    expect(frame).toContain('items.getItem');
    screen.load(shop);
    await screen.waitUntilGone('Unexpected');
  });

  it('says what failed where nothing was ever loaded', async () => {
    open().fail({ code: 'ImportFailed', message: 'boom' });
    await screen.waitFor('boom');
    await screen.waitFor('Nothing to show until it loads.');
    expect(screen.frame()).not.toMatch(/ (show|call|new|sort|copy) ·/);
    await screen.waitFor('? help · q leave');
  });

  it('cuts no route for the intent of a capability', async () => {
    const confirmBooking = capability(z.object({ id: z.string() }), () => null).guard(mustBeUser);
    const getBooking = capability(withId, () => null);
    const others = Object.fromEntries(
      Array.from({ length: 9 }, (_, each) => [`getBooking${each}`, getBooking]),
    );
    open({ columns: 84 }).load(await toTestManifest({ bookings: { confirmBooking, ...others } }));
    expect(await screen.waitFor(/POST +\/bookings\/confirm-booking +1 guard/)).not.toContain(
      'mutation',
    );
    screen.resize(96, 24);
    await screen.waitFor(/POST +\/bookings\/confirm-booking +1 guard +mutation/);
  });
});

it('shows whole routes at every width: other columns are left out, then keys are cut, and at last left out', async () => {
  const booking = capability(withId, () => null).guard(mustBeUser);
  const bookings = { confirmBookingOfGuest: booking, getBooking: booking };
  open({ columns: 80 }).load(await toTestManifest({ bookings }));
  const route = '/bookings/confirm-booking-of-guest';
  await screen.waitFor(new RegExp(`bookings\\.confirmBo\\S*… +POST +${route} +1 guard`));
  screen.resize(62, 20);
  await screen.waitUntilGone('1 guard');
  await screen.waitFor(new RegExp(`bookings\\.con\\S*… +POST +${route}\\s`));
  screen.resize(48, 12);
  await screen.waitFor(new RegExp(`❯ POST +${route}\\s`));
  screen.resize(40, 12);
  await screen.waitFor('❯ POST    /bookings/confirm-booking-o…');
});

it('cuts a route where it alone would take the keys', async () => {
  const long = capability(withId, () => null).route('GET', `/${'a'.repeat(58)}`);
  open({ columns: 60 }).load(await toTestManifest({ reports: { readAll: long } }));
  await screen.waitFor(/❯ reports\.rea… +GET +\/a{32}…/);
});

describe.each(allWindowSizes)('in a window of %i x %i', (columns, rows) => {
  it('draws no more than fits, and each line no wider', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`getThing${index}`, capability(() => null)]),
    );
    open({ columns, rows }).load(await toTestManifest({ things: many }));
    await screen.waitFor('/things/thing0');
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
    screen.press('G');
    await screen.waitFor('/things/thing199');
    expect(screen.frame()).not.toContain('/things/thing0 ');
  });
});

it('asks for a larger window below 40 x 10', async () => {
  open({ columns: 39, rows: 9 }).load(shop);
  await screen.waitFor('make it 40x10');
  screen.resize(80, 24);
  await screen.waitFor('items.getItem');
});

it('draws no colour where there is none to draw', async () => {
  open().load(shop);
  expect(await screen.waitFor('items.getItem')).not.toContain('\u001B');
});

it('draws in ASCII on the console of Linux', async () => {
  open({ environment: { TERM: 'linux' } }).load(shop);
  await screen.waitFor('> items.getItem');
  expect(screen.frame()).toMatch(/^[\n\u0020-\u007E]*$/);
});

it('filters while it is typed, and goes on with what is left', async () => {
  open().load(shop);
  await screen.waitFor('items.getItem');
  screen.press('/createit');
  await screen.waitFor('1 of 4');
  expect(screen.frame()).toContain('items.createItem');
  expect(screen.frame()).not.toContain('items.getItem');
  screen.press('\r\r');
  await screen.waitFor('elsewhere');
  expect(screen.route()).toEqual({ screen: 'show', key: 'items.createItem' });
});

it.each([
  ['post', ['items.createItem', 'carts.checkout']],
  ['carts', ['carts.checkout']],
  ['mustBe', ['items.createItem']],
  ['public get', ['items.getItem', 'items.listItems']],
  ['deprecated', ['carts.checkout']],
  ['nothing-like-it', []],
])('finds %s: groups, methods, guards', async (query, keys) => {
  open().load(shop);
  await screen.waitFor('items.getItem');
  screen.press(`/${query}`);
  await screen.waitFor(new RegExp(`${query} .* ${keys.length} of 4`));
  expect(shop.keys.filter((key) => screen.frame().includes(`${key} `))).toEqual(keys);
});

it('keeps selection and filter through a reload that adds and removes', async () => {
  open().load(shop);
  await screen.waitFor('items.getItem');
  screen.press('jj');
  await screen.waitFor('❯ items.createItem');
  screen.load(await toTestManifest({ first: { listFirst: capability(() => []) }, items }));
  await screen.waitFor('first.listFirst');
  expect(screen.frame()).toContain('❯ items.createItem');
  expect(screen.frame()).not.toContain('carts.checkout');
});

it('shows the selected capability beside the list in a wide window', async () => {
  open({ columns: 120, rows: 40 }).load(shop);
  await screen.waitFor('starts with `get` and the input');
  screen.press('jj');
  await screen.waitFor('POST /items');
  expect(screen.frame()).toContain('mustBeUser');
});

it.each([
  [60, /^ +Key +Method +Route +Guards *$/],
  [92, /^ +Key +Method +Route +Guards +Intent *$/],
  [160, /^ +Key +Method +Route +Guards +Intent .*│/],
])('shows in %i columns what there is room for', async (columns, titles) => {
  open({ columns }).load(shop);
  await screen.waitFor('items.getItem');
  expect(screen.lines()[2]).toMatch(titles);
  expect(screen.frame().includes('deprecated')).toBe(columns >= 76);
});

describe('a thousand capabilities', () => {
  const toGroup = (group: number) =>
    Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [
        `getThing${group}x${index}`,
        capability(() => null),
      ]),
    );
  const groups = Object.fromEntries(
    Array.from({ length: 40 }, (_, group) => [`group${group}`, toGroup(group)]),
  );
  let large: Manifest;
  beforeAll(async () => {
    large = await toTestManifest(groups);
  });

  it('are in groups, of which the first is open, and which open and close', async () => {
    open().load(large);
    await screen.waitFor(/❯ ▾ group0 {2}25.*\n +getThing0x0 +GET/);
    screen.press(' ');
    await screen.waitFor(/❯ ▸ group0 {2}25 .*\n.*▸ group1 {2}25/);
    screen.press('j\r');
    await screen.waitFor(/❯ ▾ group1 {2}25/);
    screen.press('jj');
    await screen.waitFor(/❯ +getThing1x1/);
    screen.press('hh');
    await screen.waitFor(/❯ ▸ group1 {2}25/);
    screen.press('+');
    await screen.waitFor(/▾ group1 {2}25/);
    screen.press('-G');
    await screen.waitFor(/❯ ▸ group39 {2}25/);
  });

  it('have all routes of a group beside it, with its methods and guards in numbers', async () => {
    const user = capability(withId, () => null);
    const toMembers = (group: number) =>
      Array.from({ length: 24 }, (_, index) => [`getThing${group}x${index}`, user] as const);
    const groups = Array.from({ length: 6 }, (_, group) => [
      `group${group}`,
      Object.fromEntries([...toMembers(group), ['deleteThing', user.guard(mustBeUser)]]),
    ]);
    const manifest = await toTestManifest(Object.fromEntries(groups));
    open({ columns: 120, rows: 40 }).load(manifest);
    await screen.waitFor(/│ 24 GET, 1 DELETE; 1 with guards/);
    expect(screen.frame()).toMatch(/│ GET {5}\/group0\/:id/);
    expect(screen.frame()).toMatch(/│ DELETE {2}\/group0\/:id/);
  });

  it('are still in their groups under a filter', async () => {
    open().load(large);
    await screen.waitFor('getThing0x0');
    screen.press('/thing39x7');
    await screen.waitFor(/▾ group39 [^]*getThing39x7 [^]* 1 of 1000/);
    screen.press('\u001B');
    await screen.waitFor(/▸ group38 [^]*❯ +getThing39x7 /);
  });

  it('select the first that a filter finds, so that Enter and c are about it', async () => {
    open().load(large);
    await screen.waitFor('getThing0x0');
    screen.press('/group38 x20');
    await screen.waitFor(/❯ +getThing38x20 [^]* 1 of 1000/);
    screen.press('\r');
    screen.press('c');
    await screen.waitFor('elsewhere');
    expect(screen.route()).toEqual({ screen: 'call', key: 'group38.getThing38x20' });
  });

  it.each([80, 120])('have whole routes in %i columns', async (columns) => {
    const tree = Object.fromEntries(
      Array.from({ length: 6 }, (_, group) => [
        `organisations${group}`,
        Object.fromEntries(
          Array.from({ length: 20 }, (__, at) => [`getSetting${at}`, capability(() => [])]),
        ),
      ]),
    );
    open({ columns }).load(await toTestManifest(tree));
    await screen.waitFor(/getSetting0 +GET +\/organisations0\/setting0 /);
    expect(screen.frame()).not.toContain('…');
  });
});

it('generates in the group of the selected capability', async () => {
  open().load(shop);
  await screen.waitFor('items.getItem');
  screen.press('Gi');
  await screen.waitFor('elsewhere');
  expect(screen.route()).toEqual({ screen: 'generate', kind: 'capability', group: 'carts' });
});

it('copies the key and opens the source', async () => {
  open().load(shop);
  await screen.waitFor('items.getItem');
  screen.press('jy');
  await expect.poll(screen.written).toContain('copied: items.listItems');
  screen.press('e');
  await expect.poll(() => screen.edited).toHaveLength(1);
});

it('takes the escape sequences out of foreign text', async () => {
  const { getItem } = items;
  open({ columns: 120 }).load(
    await toTestManifest({
      items: { getItem: getItem.describe('red \u001B[31malert\u001B]0;title\u0007') },
    }),
  );
  expect(await screen.waitFor('red alert')).not.toContain('\u001B');
});

it('opens the keys and closes them', async () => {
  open().load(shop);
  await screen.waitFor('items.getItem');
  screen.press('?');
  const frame = await screen.waitFor('Show the capability');
  expect(frame).toMatch(/Leave +q/);
  screen.press('\u001B');
  await screen.waitFor('items.getItem');
});
