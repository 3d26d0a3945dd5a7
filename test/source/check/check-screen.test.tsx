import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import CheckScreen from '../../../source/check/check-screen.tsx';
import { textWidth } from '../../../source/kit/text.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { type RenderedScreen, renderScreen, toTestManifest } from '../../helpers/render-screen.tsx';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { allWindowSizes } from '../../helpers/window-sizes.ts';

const getItem = capability(z.object({ id: z.string() }), () => null);

let flawed: Manifest;
let sound: Manifest;
let screen: RenderedScreen;
beforeEach(async () => {
  flawed = await toTestManifest({
    items: { getItem, getitem: getItem, deleteItem: capability((_input, _ctx) => null) },
  });
  sound = await toTestManifest({ items: { getItem } });
});
afterEach(() => screen.unmount());

function open(options: Partial<Parameters<typeof renderScreen>[1]> = {}): RenderedScreen {
  screen = renderScreen(CheckScreen, { route: { screen: 'check' }, ...options });
  return screen;
}

it('says that it loads, and then that all is well', async () => {
  await open().waitFor('Loading the project');
  screen.load(sound);
  await screen.waitFor('✓ No problems in 1 capability');
});

it('does not praise what does not load', async () => {
  open().load(sound);
  await screen.waitFor('✓ No problems');
  screen.fail({ code: 'BuildFailed', message: 'broken here' });
  await screen.waitFor('No problems in 1 capability before it broke');
  expect(screen.frame()).not.toContain('✓');
  screen.load(sound);
  await screen.waitFor('✓ No problems');
});

it('judges as capix.json says now, and tells where nobody can read it', async () => {
  const root = await temporaryFolder();
  const decide = (text: string): Promise<void> => writeFile(join(root, 'capix.json'), text);
  open().load({ ...flawed, project: { ...flawed.project, root } });
  await screen.waitFor('naming-conflict');
  await decide(
    '{ "check": { "rules": { "naming-conflict": { "severity": "off", "reason": "by hand" } } } }',
  );
  await screen.waitUntilGone('naming-conflict');
  await decide('{ "check": ');
  await screen.waitFor('capix.json: ');
  await screen.waitFor('naming-conflict');
});

describe.each(allWindowSizes)('in a window of %i x %i', (columns, rows) => {
  it('shows errors first, and explains the one that is selected', async () => {
    open({ columns, rows }).load(flawed);
    const frame = await screen.waitFor('naming-conflict');
    expect(frame.indexOf('error')).toBeLessThan(
      frame.indexOf('warning') === -1 ? Number.POSITIVE_INFINITY : frame.indexOf('warning'),
    );
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
  });

  it('draws of many problems those that fit, and the one there is of one', async () => {
    const [first] = flawed.problems;
    if (first === undefined) throw new Error('There is no problem.');
    const problems = Array.from({ length: 200 }, (_, index) => ({
      ...first,
      message: `No ${index} of many.`,
    }));
    open({ columns, rows }).load({ ...flawed, problems });
    await screen.waitFor('No 0 of many.');
    expect(screen.lines()).toHaveLength(rows);
    screen.press('G');
    await screen.waitFor(/❯ .*No 199 of many\./);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
    screen.load({ ...flawed, problems: problems.slice(0, 1) });
    await screen.waitFor(/❯ .*No 0 of many\./);
  });
});

it('says how to mend the selected problem, and what it concerns', async () => {
  open({ columns: 120, rows: 40 }).load(flawed);
  const frame = await screen.waitFor('How to fix it');
  expect(frame).toContain('Concerns  items.getItem, items.getitem');
});

it('gives its line to the message where there is no room for code and severity', async () => {
  open({ columns: 40, rows: 12 }).load(flawed);
  await screen.waitFor('❯ ✗ items.getItem and items.getitem');
  screen.resize(80, 24);
  await screen.waitFor('❯ ✗ naming-conflict       items.getItem and items.getitem');
  screen.resize(120, 40);
  await screen.waitFor('❯ ✗ naming-conflict ');
});

it('gives the explanation the rows that a short list does not need', async () => {
  open({ columns: 60, rows: 24 }).load(flawed);
  expect(await screen.waitFor('How to fix it')).toMatch(/Concerns +items\.getItem/);
});

it('scrolls an explanation that is longer than its place, to what to do and where', async () => {
  open({ columns: 40, rows: 12 }).load(flawed);
  await screen.waitFor('❯ ✗ items.getItem');
  screen.press('\tG');
  await screen.waitFor('Concerns  items.getItem');
});

it('keeps the last findings under a failure, and the selection through a reload', async () => {
  open().load(flawed);
  await screen.waitFor('❯ ✗ naming-conflict');
  screen.press('j');
  await screen.waitFor('❯ ▲ missing-schema');
  screen.fail({ code: 'BuildFailed', message: 'broken here' });
  await screen.waitFor('broken here');
  await screen.waitFor('❯ ▲ missing-schema');
  screen.load({ ...flawed, problems: flawed.problems.slice(1) });
  await screen.waitUntilGone('naming-conflict');
  await screen.waitFor('❯ ▲ missing-schema');
});

it('is drawn without colour, and in ASCII where the terminal has no more', async () => {
  open({ environment: { TERM: 'linux' } }).load(flawed);
  await screen.waitFor('> x naming-conflict');
  expect(screen.frame()).toMatch(/^[\n\u0020-\u007E]*$/);
});

it('opens the source, and copies what is wrong and what to do', async () => {
  open().load({
    ...flawed,
    problems: flawed.problems.map((problem) => ({ ...problem, file: 'src/a.ts', line: 3 })),
  });
  await screen.waitFor('naming-conflict');
  screen.press('e');
  await expect.poll(() => screen.edited).toEqual([{ file: 'src/a.ts', line: 3 }]);
  screen.press('y');
  await expect.poll(screen.written).toContain('Rename one of them.');
});

it('says so where the filter finds nothing', async () => {
  open().load(flawed);
  await screen.waitFor('naming-conflict');
  screen.press('/nothing-like-it');
  await screen.waitFor('No problem matches.');
});

it('is empty as soon as the problems are mended', async () => {
  open().load(flawed);
  await screen.waitFor('naming-conflict');
  screen.load(sound);
  await screen.waitFor('No problems');
  screen.load(flawed);
  await screen.waitFor('naming-conflict');
});

it('filters, and leads to the capability', async () => {
  open().load(flawed);
  await screen.waitFor('naming-conflict');
  screen.press('/naming');
  await screen.waitFor(/naming .* 1 of \d/);
  screen.press('\rs');
  await screen.waitFor('elsewhere');
  expect(screen.route()).toEqual({ screen: 'show', key: 'items.getItem' });
});

it('counts the problems in the header of every screen', async () => {
  open().load(flawed);
  await screen.waitFor(new RegExp(`${flawed.problems.length} problems`));
});
