import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openFixture } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

async function openTwoSides() {
  const project = await openFixture('shop');
  await cp(join(project.root, 'src'), join(project.root, 'old', 'src'), { recursive: true });
  return project;
}

it('tells what an edit of either side breaks, while it is made', async () => {
  const project = await openTwoSides();
  const words = ['diff', 'old/src/capabilities.ts', 'src/capabilities.ts', '--fail-on', 'breaking'];
  terminal = openTerminal(words, { cwd: project.root });
  await terminal.waitFor('No differences.');

  const file = 'src/capabilities/items/get.ts';
  const text = await readFile(join(project.root, file), 'utf8');
  await project.write(
    file,
    text.replace('z.object({ id: z.string() })', 'z.object({ id: z.string(), by: z.string() })'),
  );
  await terminal.waitFor('by was added, required');

  await project.write(`old/${file}`, 'export const = 5;');
  terminal.type('r');
  await terminal.waitFor('old/src/capabilities/items/get.ts:1:14');
  expect(terminal.screen()).toContain('by was added, required');
  await project.write(`old/${file}`, text);
  terminal.type('r');
  await terminal.waitFor((shown) => !shown.includes('export const = 5'));

  terminal.resize(120, 40);
  terminal.type('j');
  await terminal.waitFor(/│ items\.getItem/);
  terminal.type('q');
  expect(await terminal.ended).toMatchObject({ exitCode: 1 });
  expect(terminal.isAlternate()).toBe(false);
});

it('fails as the command without a screen does where a side is missing', async () => {
  const project = await openTwoSides();
  terminal = openTerminal(['diff', 'nowhere.ts', 'src/capabilities.ts'], { cwd: project.root });
  expect(await terminal.ended).toMatchObject({ exitCode: 1 });
  expect(terminal.screen()).toContain('nowhere.ts is neither a file, a URL nor a git ref.');
});

it('says that routes clash in place of waiting for them, and compares again once they do not', async () => {
  const project = await openTwoSides();
  const file = 'src/capabilities/items/index.ts';
  const text = await readFile(join(project.root, file), 'utf8');
  await project.write(file, `${text}export { listItems as findItems } from './list.js';\n`);
  terminal = openTerminal(['diff', 'old/src/capabilities.ts'], { cwd: project.root });
  await terminal.waitFor('The routes of src/capabilities.ts clash.');
  await terminal.waitFor('Nothing to compare until both sides load.');
  await terminal.waitFor('`capix check` lists every problem of the routes.');

  await project.write(file, text);
  const whole = await terminal.waitFor('No differences.');
  expect(whole).not.toContain('clash');

  await project.write(file, `${text}export { listItems as findItems } from './list.js';\n`);
  await terminal.waitFor('The routes of src/capabilities.ts clash.');
  terminal.type('q');
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
});
