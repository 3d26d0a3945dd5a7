import { chmod, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

/** Puts an npm of ours first in the PATH: a shell script. */
async function fakeNpm(script: string): Promise<Readonly<Record<string, string>>> {
  const folder = await temporaryFolder();
  const file = join(folder, 'npm');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return { PATH: `${folder}${delimiter}${process.env['PATH']}`, npm_config_user_agent: '' };
}

it('leads from home outside a project to a new one, with the progress of its installation', async () => {
  const folder = await temporaryFolder();
  const env = await fakeNpm(
    'echo "fetching 12 packages"; until [ -f go ]; do sleep 0.05; done; echo done',
  );
  terminal = openTerminal([], { cwd: folder, env });
  await terminal.waitFor('There is no project in this folder');
  terminal.type('\r');
  await terminal.waitFor('What is it called?');
  terminal.type('shop');
  await terminal.waitFor('Enter makes shop in ./shop.');
  terminal.resize(120, 40);
  await terminal.waitFor('items.test.ts');
  terminal.type('\r');
  await terminal.waitFor('fetching 12 packages');
  terminal.resize(40, 12);
  await terminal.waitFor(
    (shown) => shown.split('\n').length <= 12 && shown.includes('Installing …'),
  );
  terminal.type('\u001B');
  await terminal.waitFor('Still running; q leaves it unfinished');
  await writeFile(join(folder, 'shop', 'go'), '');
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toMatch(
    /Next:\s+cd shop\s+npm run dev\s+Then http:\/\/localhost:3000\/items answers\s*\./,
  );
  expect(await readdir(join(folder, 'shop'))).toContain('package.json');
});

it('keeps the project that could not be installed, and ends with the reason', async () => {
  const folder = await temporaryFolder();
  const env = await fakeNpm('echo "no network" >&2; exit 1');
  terminal = openTerminal(['new', '--no-git'], { cwd: folder, env });
  await terminal.waitFor('What is it called?');
  terminal.type('shop');
  await terminal.waitFor('Enter makes shop');
  terminal.type('\r');
  expect(await terminal.ended).toMatchObject({ exitCode: 1 });
  expect(terminal.screen()).toContain(
    'error: The project was created in ./shop, but npm could not install it.',
  );
  expect(terminal.screen()).toContain('no network');
  expect(await readdir(join(folder, 'shop'))).toContain('package.json');
});

it('asks nothing where the command line gives the name', async () => {
  const folder = await temporaryFolder();
  terminal = openTerminal(['new', 'shop', '--no-install', '--no-git'], { cwd: folder });
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  expect(terminal.output()).not.toContain('\u001B[?1049h');
  expect(await readdir(join(folder, 'shop'))).toContain('package.json');
});

it('keeps the question that is answered and what is wrong in sight, however small the window is', async () => {
  terminal = openTerminal(['new'], { cwd: await temporaryFolder(), columns: 40, rows: 12 });
  await terminal.waitFor(/^❯ name/m);
  terminal.type('My App!');
  await terminal.waitFor("'My App!' cannot be the name");
  for (const label of ['template', 'language', 'packageManager', 'install', 'git']) {
    terminal.type('\t');
    const shown = await terminal.waitFor(new RegExp(`^❯ ${label}`, 'm'));
    expect(shown).toContain("'My App!' cannot be the name");
  }
  terminal.resize(40, 10);
  await terminal.waitFor((shown) => shown.split('\n').length <= 10 && /^❯ git/m.test(shown));
});
