import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import HomeScreen from '../../../source/home/home-screen.tsx';
import { textWidth } from '../../../source/kit/text.ts';
import { type RenderedScreen, renderScreen, toTestManifest } from '../../helpers/render-screen.tsx';
import { allWindowSizes } from '../../helpers/window-sizes.ts';

let screen: RenderedScreen;
afterEach(() => screen.unmount());

function open(options: Partial<Parameters<typeof renderScreen>[1]> = {}): RenderedScreen {
  screen = renderScreen(HomeScreen, {
    route: { screen: 'home' },
    environment: { PORT: '1' },
    ...options,
  });
  return screen;
}

const shop = () =>
  toTestManifest({
    items: { getItem: capability(z.object({ id: z.string() }), () => null) },
    carts: { pay: capability(() => null) },
  });

it('counts what is in the project, and leads to the list', async () => {
  await open().waitFor('loading');
  screen.load(await shop());
  expect(await screen.waitFor('✓ none')).toContain('2 in 2 groups, 0 guarded');
  await screen.waitFor('not running; Enter starts it');
  screen.press('\r');
  await screen.waitFor('elsewhere');
  expect(screen.route()).toEqual({ screen: 'list' });
});

it('keeps the numbers under a failure', async () => {
  open().load(await shop());
  await screen.waitFor('2 in 2 groups');
  screen.fail({ code: 'BuildFailed', message: 'src/a.ts:1:1: no' });
  expect(await screen.waitFor('src/a.ts:1:1')).toContain('2 in 2 groups');
});

it('says that there is no project, and how to make one', async () => {
  await open({ noProject: new Error('No capabilities file') }).waitFor(
    'There is no project in this folder',
  );
});

describe.each(allWindowSizes)('in a window of %i x %i', (columns, rows) => {
  it('fits', async () => {
    open({ columns, rows }).load(await shop());
    await screen.waitFor('Capabilities');
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
  });
});
