import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { openFixture } from '../helpers/fixture-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { openTestTerminal } from '../helpers/open-test-terminal.ts';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

it('leads from a folder without a project to a called capability', async () => {
  const folder = await temporaryFolder();
  const first = openTestTerminal([], { cwd: folder });
  await first.waitFor('There is no project in this folder.');
  await first.waitFor(/❯ New +project/);
  first.type('\r');
  await first.waitFor(/❯ name/);
  first.type('my-api\t\t\t\t');
  await first.waitFor(/❯ install +< true >/);
  first.type(' \r');
  expect(await first.ended).toMatchObject({ exitCode: 0 });
  expect(first.screen()).toContain('cd my-api');

  const root = join(folder, 'my-api');
  await mkdir(join(root, 'node_modules'));
  await symlink(packageRoot, join(root, 'node_modules/capix'), 'junction');
  await symlink(join(packageRoot, 'node_modules/zod'), join(root, 'node_modules/zod'), 'junction');
  const second = openTestTerminal([], { cwd: root });
  await second.waitFor(/❯ Capabilities +\d+ in 1 group/);
  second.type('\r');
  await second.waitFor('items.listItems');
  second.type('/listI\r');
  await second.waitFor(/❯ items\.listItems/);
  second.type('\r');
  await second.waitFor('show ▸ items.listItems');
  second.type('c');
  await second.waitFor('in this process');
  second.type('\r');
  await second.waitFor(/200 +[\d.]+ m?s/);
  second.type('\u0010home\r');
  await second.waitFor(/Last calls +200 .* items\.listItems/);
});

it('tells how the server of capix dev stands in another window, until it is no more', async () => {
  const { root } = await openFixture('bookshop');
  const home = openTestTerminal([], { cwd: root, env: { PORT: '1' } });
  await home.waitFor(/Server +not running; Enter starts it/);
  const dev = openTestTerminal(['dev'], { cwd: root, env: { PORT: '0' } });
  await dev.waitFor('Started in');
  const [, url = ''] = /(http:\/\/localhost:\d+)/.exec(dev.screen()) ?? [];
  await home.waitFor(new RegExp(`Server +● ${url} +capix dev since \\d\\d:\\d\\d:\\d\\d`));
  expect(await fetch(`${url}/books/7`)).toMatchObject({ status: 404 });
  await home.waitFor(/Errors +404 +GET \/books\/7 +[\d:]+ +books\.getBook/);
  await home.waitFor(/Slowest +[\d.]+ m?s +p95 +GET books\.getBook +1 request/);
  home.resize(40, 24);
  await home.waitFor(/Errors +404 +GET \/books\/7\s/);
  home.resize(100, 30);
  const file = join(root, 'src/capabilities/books/get-book.ts');
  const whole = await readFile(file, 'utf8');
  await writeFile(file, `export const = 5;\n${whole}`);
  await home.waitFor(new RegExp(`Server +▲ ${url} +the newest version does not start`));
  await writeFile(file, whole);
  await home.waitFor(new RegExp(`Server +● ${url} `));
  dev.type('q');
  await dev.ended;
  await home.waitFor(/Server +not running; Enter starts it/);
});

it('shows each capix dev of a project, and the first one still after another one has ended', async () => {
  const { root } = await openFixture('bookshop');
  const first = openDevJson(root);
  const firstUrl = await first.url();
  const second = openDevJson(root);
  const secondUrl = await second.url();
  const home = openTestTerminal([], { cwd: root, env: { PORT: '1' } });
  await home.waitFor(new RegExp(`Server +● ${firstUrl} [^]*● ${secondUrl} `));
  second.kill('SIGINT');
  await second.ended;
  await home.waitFor((shown) => !shown.includes(secondUrl));
  expect(home.screen()).toMatch(new RegExp(`Server +● ${firstUrl} `));
  const words = ['call', 'books.getBook', '--id', '7', '--server'];
  const called = await runCapix(words, { cwd: root });
  expect(called.exitCode).toBe(1);
  expect(called.stderr).toContain('404');
});

it('forgets a capix dev that was killed', async () => {
  const { root } = await openFixture('bookshop');
  const dev = openTestTerminal(['dev'], { cwd: root, env: { PORT: '0' } });
  await dev.waitFor('Started in');
  const home = openTestTerminal([], { cwd: root, env: { PORT: '1' } });
  await home.waitFor(/Server +● http/);
  await dev.close();
  await home.waitFor(/Server +not running; Enter starts it/);
});

it('leads to the server that runs in this window', async () => {
  const { root } = await openFixture('bookshop');
  const home = openTestTerminal([], { cwd: root, env: { PORT: '0' } });
  await home.waitFor(/Server +not running/);
  home.type('jj\r');
  await home.waitFor('Started in');
  home.type('\u001B');
  await home.waitFor(/❯ Server +● http:\/\/localhost:\d+ +in this window since/);
  home.type('\r');
  await home.waitFor('Started in');
});

it('marks what a save changed, names the files that differ from the last commit, and leads to what that means', async () => {
  const { root } = await openFixture('bookshop');
  await writeFile(join(root, '.gitignore'), 'node_modules\n');
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  for (const words of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'first'],
  ])
    await execa('git', [...identity, ...words], { cwd: root });
  const home = openTestTerminal([], { cwd: root, columns: 130 });
  await home.waitFor(/9 in 2 groups[^]*Changed +✓ nothing since the last commit/);
  const file = join(root, 'src/capabilities/orders/index.ts');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/.*\n/, ''));
  await home.waitFor(/❯● *Capabilities +8 in 2 groups/);
  await home.waitFor(/❯ +Capabilities +8 in 2 groups/);
  await home.waitFor(
    /Changed +1 file since the last commit *\n +src\/capabilities\/orders\/index\.ts/,
  );
  home.type('d');
  await home.waitFor(/diff .*\n[^]*Removed \(1\)/);
});

it('stays where a way leads to nothing, and says why', async () => {
  const { root } = await openFixture('shop');
  const home = openTestTerminal([], { cwd: root, env: { PORT: '1' } });
  await home.waitFor(/Server +not running/);
  home.type('jj\r');
  await home.waitFor('Could not find src/server.ts to start.');
  await home.waitFor(/❯ Server +not running/);
});
