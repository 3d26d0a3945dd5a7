import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

it('starts anew for what the code reads and does not import, and names it', async () => {
  const folder = await devProject({
    'capix.json': '{"dev": {"watch": ["sql"]}}',
    'mails/hello.html': 'hello',
    'src/text.ts': `
      import { existsSync, readFileSync } from 'node:fs';
      const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : 'none');
      const texts = [read('mails/hello.html'), read('sql/items.sql'), read('locales/de/words.yaml')].join(' ');
      export const text = () => texts;`,
  });
  const dev = openDevJson(folder, [
    '--watch',
    'mails/**/*.html',
    '--watch',
    'locales/*/words.yaml',
  ]);
  const url = await dev.url();
  const answer = async () => (await fetch(`${url}/texts`)).text();
  expect(await answer()).toBe('{"data":"hello none none"}');

  const { cause } = await expectStart({ 'mails/hello.html': 'good day' });
  expect(cause).toEqual({ kind: 'change', files: ['mails/hello.html'] });
  expect(await answer()).toBe('{"data":"good day none none"}');
  // By a rename, as editors save; the file next to it is nobody's business.
  await writeTree(folder, { 'mails/notes.txt': 'a note', 'mails/hello.html.tmp': 'good night' });
  await rename(join(folder, 'mails/hello.html.tmp'), join(folder, 'mails/hello.html'));
  expect((await dev.waitFor('ready')).cause?.files).toEqual(['mails/hello.html']);
  expect(await answer()).toBe('{"data":"good night none none"}');
  // Folders that come only now.
  expect((await expectStart({ 'sql/items.sql': 'select' })).cause?.files).toEqual([
    'sql/items.sql',
  ]);
  expect((await expectStart({ 'locales/de/words.yaml': 'worte' })).cause?.files).toEqual([
    'locales/de/words.yaml',
  ]);
  expect(await answer()).toBe('{"data":"good night select worte"}');
  await rm(join(folder, 'sql/items.sql'));
  expect((await dev.waitFor('ready')).cause?.files).toEqual(['sql/items.sql']);
  expect(await answer()).toBe('{"data":"good night none worte"}');

  async function expectStart(files: Readonly<Record<string, string>>) {
    await writeTree(folder, files);
    return dev.waitFor('ready');
  }
});

it('refuses a pattern that takes in what is not of the project, and two that speak against each other', async () => {
  const cwd = await devProject();
  const around = await runCapix(['dev', '--watch', '../**/*.sql'], { cwd });
  expect(around.stderr).toContain(
    'error: --watch "../**/*.sql" takes in folders around the project.',
  );
  expect(around.exitCode).toBe(2);
  const both = await runCapix(['dev', '--watch', '*.sql', '--no-watch'], { cwd });
  expect(both.stderr).toContain(
    'error: --watch says what is watched, and --no-watch that nothing is.',
  );
  expect(both.exitCode).toBe(2);
});

it('refuses a setting that cannot be watched, with its place', async () => {
  const cwd = await devProject({ 'capix.json': '{"dev": {"watch": ["sql", "../.."]}}' });
  const { stderr, exitCode } = await runCapix(['dev', '--port', '0'], { cwd });
  expect(stderr).toContain('capix.json, dev.watch.1: "../.." takes in folders around the project');
  expect(exitCode).toBe(1);
});
