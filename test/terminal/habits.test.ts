import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openFixture, openProject } from '../helpers/fixture-project.ts';
import { openDevScreen, openTab } from '../helpers/open-dev-screen.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

it('draws for the window as it is when it goes on: one that was resized while it was stopped', async () => {
  const { root } = await openFixture('shop');
  const list = openTerminal(['list'], { cwd: root, columns: 120, rows: 40 });
  terminal = list;
  await list.waitFor(/❯ items\.getItem/);
  list.type('\u001A');
  await expect.poll(() => stateOf(list.pid)).toMatch(/^T/);
  list.resize(90, 30);
  list.kill('SIGCONT');
  await list.waitFor((screen) => {
    const lines = screen.split('\n');
    return lines.length === 30 && lines[1] === '─'.repeat(90) && /❯ items\.getItem/.test(screen);
  });
  list.type('j');
  const screen = await list.waitFor(/❯ items\.listItems/);
  expect(screen.split('\n')[0]).toMatch(/^ capix /);
});

/** As `ps` says it: `T` is stopped. */
function stateOf(pid: number): string {
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
}

it('tells an example from a value by a sign where there are no styles', async () => {
  const { root } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      import * as z from 'zod';
      export const trips = { findTrip: capability(z.object({ from: z.iso.datetime() }), ({ from }) => from) };`,
  });
  const call = openTerminal(['call', 'trips.findTrip'], {
    cwd: root,
    columns: 120,
    env: { NO_COLOR: '1' },
  });
  terminal = call;
  await call.waitFor(/from\* +\S*\(2026-12-31T23/);
  call.type('2026-12-31T23:59:00Z');
  await call.waitFor((screen) => /from\* +2026-12-31T23/.test(screen) && !screen.includes('(2026'));
});

it('says of a project without a capability that it has none, wherever one looks for what it offers', async () => {
  const files = { 'src/capabilities.ts': 'export const texts = {};' };
  const dev = await openDevScreen({
    files: {
      ...files,
      'src/server.ts': `
        import { createServer, restTransport } from 'capix';
        await createServer({ capabilities: {}, transports: [restTransport({ port: 0 })] }).start();`,
    },
  });
  await dev.terminal.waitFor('The project has no capability yet.');
  const { root } = await openProject(files);
  terminal = openTerminal(['mcp', '--list'], { cwd: root });
  await terminal.waitFor('The project has no capability yet.');
});

it('says that it builds as soon as files change, however many', async () => {
  const opened = await openDevScreen();
  const folder = join(opened.folder, 'src', 'many');
  await mkdir(folder);
  await opened.terminal.waitFor(/GET +\/texts/);
  const files = Array.from({ length: 200 }, (_, index) => join(folder, `text-${index}.ts`));
  await Promise.all(
    files.map((file, index) => writeFile(file, `export const text${index} = ${index};\n`)),
  );
  const imports = files.map((_, index) => `import './many/text-${index}.js';\n`).join('');
  await writeFile(
    join(opened.folder, 'src', 'text.ts'),
    `${imports}export const text = () => 'two';\n`,
  );
  await opened.terminal.waitFor(/building|Restarting/);
  await expect.poll(async () => (await fetch(`${opened.url}/texts`)).text()).toBe('{"data":"two"}');
});

it('cuts a large answer with a word about it, and opens it whole in the pager', async () => {
  const { root } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      export const items = { listItems: capability(() => Array.from({ length: 20_000 }, (_, n) => ({ n }))) };`,
    'pager.mjs': `
      import { readFileSync } from 'node:fs';
      const whole = JSON.parse(readFileSync(process.argv[2], 'utf8'));
      console.log('the pager has', whole.data.length);
      setTimeout(() => {}, 60_000);`,
  });
  const env = { PAGER: `${process.execPath} ${join(root, 'pager.mjs')}` };
  const call = openTerminal(['call', 'items.listItems'], { cwd: root, columns: 120, env });
  terminal = call;
  await call.waitFor('No call yet');
  call.type('\r');
  await call.waitFor(/ n *\n[^]*▸ +0[^]*▸ +9/);
  call.type('\u000FG');
  await call.waitFor('… and 19000 more, which the pager shows');
  call.type('o');
  await call.waitFor('the pager has 20000');
});

it('says nothing of a last commit where there is none, and why nothing can be compared with it', async () => {
  const { root, capix } = await openFixture('shop');
  await writeFile(join(root, '.gitignore'), 'node_modules\n');
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  const home = openTerminal([], { cwd: root, columns: 120, rows: 40 });
  terminal = home;
  await home.waitFor(/Capabilities +\d/);
  home.type('d');
  await home.waitFor('The repository has no commit yet');
  home.type('\u001B');
  expect(await home.waitFor(/Capabilities +\d/)).not.toContain('Changed');
  expect((await capix(['diff', 'HEAD'])).stderr).toContain(
    'The repository has no commit yet: make the first one',
  );
});

it('makes a saved call with the file that was meant, from whichever folder: paths are from the project', async () => {
  const { root, capix } = await openProject({
    'src/capabilities.ts': `
      import { capability, uploadedFile } from 'capix';
      import * as z from 'zod';
      export const notes = {
        readNote: capability(z.object({ note: uploadedFile() }), ({ note }) => ({ text: note.buffer.toString() })),
      };`,
    'src/note.txt': 'from src',
    'note.txt': 'from the root',
  });
  const call = openTerminal(['call', 'notes.readNote'], { cwd: join(root, 'src'), columns: 120 });
  terminal = call;
  await call.waitFor('No call yet');
  call.type('src/no\t');
  await call.waitFor(/note\* +src\/note\.txt/);
  call.type('\r');
  await call.waitFor('"from src"');
  call.type('\u0018s');
  await call.waitFor('Save as readNote');
  call.type('\r');
  await call.waitFor('Wrote calls/readNote.json');
  const saved = JSON.parse(await readFile(join(root, 'calls/readNote.json'), 'utf8'));
  await writeFile(
    join(root, 'calls/readNote.json'),
    JSON.stringify({ ...saved, expect: { body: { data: { text: 'from src' } } } }),
  );
  expect((await capix(['call', '@readNote'])).stdout).toContain('1 passed');
  call.type('\u0012');
  await call.waitFor('@readNote');
  call.type('\r');
  await call.waitFor(/note\* +src\/note\.txt/);
  await call.close();

  terminal = openTerminal(['call', 'notes.readNote', '{"note":"note.txt"}'], {
    cwd: join(root, 'src'),
    columns: 120,
  });
  await terminal.waitFor(/note\* +src\/note\.txt[^]*"from src"/);
});

it('scrolls a preview no further than its end, so that the way back begins there', async () => {
  const { root } = await openFixture('shop');
  const form = openTerminal(['generate', 'capability', '--input'], {
    cwd: root,
    columns: 80,
    rows: 20,
  });
  terminal = form;
  await form.waitFor('❯ name');
  form.type('items/archive');
  await form.waitFor(/Key +items\.archive/);
  for (let page = 0; page < 10; page++) form.type('\u001B[6~');
  const end = await form.waitFor((screen) => !/Key +items\.archive/.test(screen));
  form.type('\u001B[5~');
  await form.waitFor((screen) => screen !== end);
  form.type('\u001B[5~\u001B[5~\u001B[5~');
  await form.waitFor(/Key +items\.archive/);
});

it('finds a server of capix dev at the address that it listens at', async () => {
  // An address that has no name, on every system.
  const [host, text] =
    process.platform === 'linux' ? ['127.0.0.2', '127[.]0[.]0[.]2'] : ['::1', '[[]::1[\\]]'];
  const url = `http://${text}:[0-9]+`;
  const dev = await openDevScreen(
    { args: ['--host', host], files: { 'src/capabilities.ts': 'export const texts = {};' } },
    new RegExp(url),
  );
  const home = openTerminal([], { cwd: dev.folder, columns: 120, rows: 40 });
  terminal = home;
  await home.waitFor(new RegExp(`Server +● ${url}/? +capix dev since`));
});

it('leads from a line of the log to the code that threw, also where the stack is not in the window', async () => {
  const editor = `${process.execPath} -e "console.log('edits', ...process.argv.slice(1)); setTimeout(() => {}, 60_000)"`;
  const dev = await openDevScreen({
    files: {
      'src/text.ts': `export const text = () => {\n  console.error(new Error('no luck').stack);\n  return 'one';\n};`,
    },
    env: { VISUAL: editor },
  });
  await fetch(`${dev.url}/texts`);
  await openTab(dev.terminal, '3', 'logs');
  dev.terminal.type('/luck\r');
  await dev.terminal.waitFor(
    (screen) => /❯ .*Error: no luck/.test(screen) && !/text\.ts:2/.test(screen),
  );
  dev.terminal.type('e');
  await dev.terminal.waitFor(/edits .*src\/text\.ts/);
});

it('repeats no header of a connection, neither as curl nor again', async () => {
  const dev = await openDevScreen({ size: [119, 40] });
  const { port } = new URL(dev.url);
  const head =
    'GET /texts HTTP/1.1\r\nhost: localhost\r\nte: trailers\r\nkeep-alive: timeout=5\r\nx-mine: yes\r\n';
  const socket = connect(Number(port), 'localhost', () => socket.write(`${head}\r\n`));
  socket.once('data', () => socket.destroy());
  await openTab(dev.terminal, '2', 'requests 1');
  dev.terminal.type('u');
  await dev.terminal.waitFor('Sent the curl command');
  const copied = /\u001B\]52;c;([^\u0007]+)/.exec(dev.terminal.output())?.[1] ?? '';
  const curl = Buffer.from(copied, 'base64').toString();
  expect(curl).toContain("-H 'x-mine: yes'");
  expect(curl).not.toMatch(/keep-alive|trailers/);
  dev.terminal.type('a');
  await dev.terminal.waitFor(/Sent again: no differences/);
});

it('names the file in which environments are, and where a call that asks for one finds none', async () => {
  const { root } = await openProject({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      export const texts = { listTexts: capability(() => []) };`,
    'calls/all.json': '{ "call": "texts.listTexts" }',
  });
  const call = openTerminal(['call', '@all', '--environment', 'staging'], {
    cwd: root,
    columns: 120,
  });
  terminal = call;
  await call.waitFor(
    /there is no environment `staging`[^]*The settings of the project name none\./,
  );
  expect(await call.ended).toMatchObject({ exitCode: 2 });
  await call.close();
  terminal = openTerminal(['call', '--help'], { cwd: root, columns: 120, rows: 60 });
  expect(await terminal.waitFor(/--environment/)).not.toContain('package.json');
});

it('says what Enter does in the smallest window, and offers a name with the cursor at its end', async () => {
  const { root } = await openFixture('shop');
  const home = openTerminal([], { cwd: root, columns: 40, rows: 12 });
  terminal = home;
  await home.waitFor(/❯ Capabilities +\d[^]*Enter open · \? help · q leave/);
  await home.close();
  const call = openTerminal(['call', 'items.getItem'], { cwd: root, columns: 40, rows: 12 });
  terminal = call;
  await call.waitFor(/No call yet[^]*Enter send/);
  call.type('\u0018sx');
  await call.waitFor('Save as getItemx');
});
