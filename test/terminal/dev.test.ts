import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { serverProcesses, waitForNoServer } from '../helpers/open-dev.ts';
import { openDevScreen } from '../helpers/open-dev-screen.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

const sizes = [
  [80, 24],
  [60, 16],
  [140, 40],
] as const;

let terminal: OpenTerminal;
afterEach(() => terminal.close());

interface OpenScreen {
  readonly folder: string;
  readonly url: string;
}

async function open(files?: Readonly<Record<string, string>>): Promise<OpenScreen> {
  const opened = await openDevScreen({ ...(files && { files }) });
  ({ terminal } = opened);
  return opened;
}

describe('the dev screen', () => {
  it.each(sizes)(
    'shows how the server stands and its routes in %i columns and %i rows',
    async (columns, rows) => {
      const folder = await scaffold();
      terminal = openTerminal(['dev', '--port', '0'], { cwd: folder, columns, rows });
      const screen = await terminal.waitFor(/Started in [\d.]+ m?s/);
      expect(screen).toMatch(
        columns < 80 ? /GET +\/items\/:id / : /GET +\/items\/:id +items\.getItem/,
      );
      expect(screen).toMatch(columns < 80 ? /POST +\/items / : /POST +\/items +items\.createItem/);
      expect(screen.split('\n').at(-1)).toContain('q leave');
      expect(terminal.isAlternate()).toBe(true);
      expect(Math.max(...screen.split('\n').map((line) => line.length))).toBeLessThanOrEqual(
        columns,
      );
    },
  );

  it('leaves the terminal as it was with q, and no server behind', async () => {
    const { folder } = await open();
    terminal.type('q');
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
    expect(terminal.isAlternate()).toBe(false);
    expect(terminal.screen()).toBe('');
    expect(await serverProcesses(folder)).toEqual([]);
  });

  it('ends with 130 on Ctrl-C, and no server behind', async () => {
    const { folder } = await open();
    terminal.type('\u0003');
    expect(await terminal.ended).toMatchObject({ exitCode: 130 });
    expect(await serverProcesses(folder)).toEqual([]);
  });

  it('leaves no server behind when it is ended from outside', async () => {
    const { folder } = await open();
    terminal.kill('SIGTERM');
    await terminal.ended;
    await waitForNoServer(folder);
    expect(terminal.isAlternate()).toBe(false);
  });

  it('leaves the terminal as it was when it crashes, and no server behind', async () => {
    const folder = await devProject({
      'crash.mjs': `process.once('SIGUSR2', () => { throw new Error('the screen fell over'); });`,
    });
    const env = { NODE_OPTIONS: `--import ${join(folder, 'crash.mjs')}` };
    terminal = openTerminal(['dev', '--port', '0'], { cwd: folder, env });
    await terminal.waitFor(/Started in/);
    terminal.kill('SIGUSR2');
    expect(await terminal.ended).toMatchObject({ exitCode: 1 });
    expect(terminal.isAlternate()).toBe(false);
    expect(terminal.screen()).toContain('the screen fell over');
    await waitForNoServer(folder);
  });

  it('says which change it reloaded for, and marks what came and went', async () => {
    const { folder, url } = await open();
    await writeTree(folder, {
      'src/server.ts': `
        import { capability, createServer, restTransport } from 'capix';
        const listNotes = capability(() => 'note');
        await createServer({ capabilities: { notes: { listNotes } }, transports: [restTransport()] }).start();`,
    });
    await terminal.waitFor(/Reloaded in [\d.]+ m?s, src\/server\.ts changed/);
    const screen = await terminal.waitFor(/\/notes .* new/);
    expect(screen).toMatch(/\/texts .* removed/);
    expect((await fetch(`${url}/notes`)).status).toBe(200);
  });

  it('fits every window that it is given, with long paths and wide characters, in each of its views', async () => {
    const listTexts = `capability(() => { console.log('${'long line '.repeat(30)}'); console.error('漢字'.repeat(60)); return 'one'; })`;
    const { url } = await open({
      'src/server.ts': `
        import { capability, createServer, restTransport } from 'capix';
        const capabilities = { texts: { listTexts: ${listTexts} } };
        const path = '/a-path/that-is-longer/than-the-window/is-wide/and/goes/on/and/on/to/:anything/' + 'x'.repeat(60);
        const overrides = { 'texts.listTexts': { method: 'GET', path } };
        await createServer({ capabilities, transports: [restTransport({ overrides })] }).start();`,
    });
    await fetch(
      `${url}/a-path/that-is-longer/than-the-window/is-wide/and/goes/on/and/on/to/${encodeURI('漢字')}/${'x'.repeat(60)}`,
    );
    await fetch(`${url}/${'漢'.repeat(80)}`);
    await terminal.waitFor('requests 2');
    terminal.resize(40, 12);
    // No number is cut: "in 96…" would be another one.
    await terminal.waitFor(/ ● http:\/\/localhost:\d+ {2}Started in…\n/);
    for (const [columns, rows] of [
      [40, 12],
      [120, 40],
      [80, 24],
    ] as const) {
      terminal.resize(columns, rows);
      for (const tab of ['1', '2', '3']) {
        terminal.type(tab);
        await terminal.waitFor((shown) => {
          const lines = shown.split('\n');
          const isWhole =
            lines.length === rows && lines[0]?.includes('dev') && lines.at(-1)?.includes('q leave');
          return isWhole === true && shown.includes(`[${tab} `);
        });
      }
    }
  });

  it('shows routes, requests and log together in a wide window, each with the keys in turn, or one of them alone', async () => {
    const listTexts = `capability(() => { console.log('reading texts'); return 'one'; })`;
    const opened = await openDevScreen({
      size: [120, 40],
      files: {
        'src/server.ts': `
          import { capability, createServer, restTransport } from 'capix';
          await createServer({ capabilities: { texts: { listTexts: ${listTexts} } }, transports: [restTransport()] }).start();`,
      },
    });
    ({ terminal } = opened);
    await fetch(`${opened.url}/texts`);
    await terminal.waitFor(
      (shown) =>
        /❯ +GET +\/texts +1 .* 200 +│ · +200 +GET +\/texts /.test(shown) &&
        shown.includes('reading texts'),
    );
    terminal.type('\t');
    await terminal.waitFor(/ 1 routes 1 .*\[2 requests 1\][^]* 3 logs 1 /);
    terminal.type('\t\r');
    await terminal.waitFor(/Enter its request/);
    terminal.type('\r');
    await terminal.waitFor(
      (shown) => /^ ?200 {2}GET \/texts/m.test(shown) && shown.includes('Esc back'),
    );
    expect(terminal.screen()).toMatch(/^ 1 routes 1 +\[2 requests 1\] +3 logs 1/m);
    terminal.type('\u001B');
    await terminal.waitFor((shown) => !shown.includes('Esc back'));
    terminal.type('z');
    await terminal.waitFor(/^ 1 routes 1 +\[2 requests 1\] +3 logs 1[^]*❯ \S+ +200/m);
    terminal.type('z1');
    await terminal.waitFor(/\[1 routes 1\].* 2 requests 1 [^]* 3 logs 1 /);
    terminal.resize(119, 40);
    await terminal.waitFor(/^ \[1 routes 1\] +2 requests 1 +3 logs 1/m);
  });

  it('counts a capability that has moved where it is now, and marks one whose contract has changed', async () => {
    const capabilities = (field: string) => `
      import { capability } from 'capix';
      import * as z from 'zod';
      const listNotes = capability(() => 'note');
      const createNote = capability(z.object({ ${field}: z.string() }), () => 'made');
      export const capabilities = { notes: { listNotes, createNote } };`;
    const server = (path: string) => `
      import { createServer, restTransport } from 'capix';
      import { capabilities } from './capabilities.ts';
      const overrides = { 'notes.listNotes': { method: 'GET', path: '${path}' } };
      await createServer({ capabilities, transports: [restTransport({ overrides })] }).start();`;
    const { folder, url } = await open({
      'src/capabilities.ts': capabilities('a'),
      'src/server.ts': server('/old'),
    });
    await fetch(`${url}/old`);
    await terminal.waitFor(/GET +\/old +notes\.listNotes +1 +0 % /);
    // The contract is read apart from the server; the palette lists it once it is there.
    terminal.type('?show notes.listNotes');
    await terminal.waitFor('GET /notes');
    terminal.type('\u001B');
    await writeTree(folder, {
      'src/capabilities.ts': capabilities('b'),
      'src/server.ts': server('/new'),
    });
    await terminal.waitFor(/POST +\/notes .* changed/);
    await terminal.waitFor(/GET +\/old +notes\.listNotes +1 .* removed/);
    await fetch(`${url}/new`);
    await terminal.waitFor(/GET +\/new +notes\.listNotes +1 .* new/);
  });

  it('restarts on r', async () => {
    await open();
    terminal.type('r');
    await terminal.waitFor(/Restarted in [\d.]+ m?s/);
  });

  it('shows why the code cannot start while what ran before answers, and forgets it when it is mended', async () => {
    const { folder, url } = await open();
    await writeTree(folder, { 'src/text.ts': 'export const = 5;' });
    const broken = await terminal.waitFor('The previous version still answers');
    expect(broken).toMatch(/src\/text\.ts:1:14: Unexpected token/);
    expect(broken).toMatch(/> 1 \| export const = 5;/);
    expect((await fetch(`${url}/texts`)).status).toBe(200);
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    const mended = await terminal.waitFor(/Reloaded in/);
    expect(mended).not.toContain('Unexpected token');
  });

  it('shows a crash with its place, and starts again on r', async () => {
    const { url } = await open({
      'src/text.ts': `export const text = () => {\n  setTimeout(() => { throw new Error('lost it'); });\n  return 'one';\n};`,
    });
    await fetch(`${url}/texts`);
    const crashed = await terminal.waitFor('Waiting for a change; r tries again');
    expect(crashed).toMatch(/The server ended with exit code 1: src\/text\.ts:2:\d+: lost it/);
    terminal.type('r');
    await terminal.waitFor(/Restarted in/);
  });

  it('says who has the port, and tries again on r', async () => {
    const taken = createServer().listen(0);
    const { port } = taken.address() as { port: number };
    terminal = openTerminal(['dev', '--port', String(port)], {
      cwd: await devProject(),
      columns: 100,
      rows: 24,
    });
    await terminal.waitFor(`Port ${port} is taken`);
    await new Promise((resolve) => taken.close(resolve));
    terminal.type('r');
    await terminal.waitFor(`http://localhost:${port}`);
  });

  it('warns of an edit that breaks callers until it is undone', async () => {
    const folder = await scaffold();
    terminal = openTerminal(['dev', '--port', '0'], { cwd: folder, columns: 120, rows: 30 });
    await terminal.waitFor(/shop .* dev[^]*Started in/);
    // The contract is read apart from the server; the palette lists it once it is there.
    terminal.type('?');
    terminal.type('show items.getItem');
    await terminal.waitFor('GET /items/:id');
    terminal.type('\u001B');
    await terminal.waitFor(/\[1 routes/);
    const file = 'src/capabilities/items/create.ts';
    const before = await readFile(`${folder}/${file}`, 'utf8');
    await writeTree(folder, {
      [file]: before.replace(
        'pick({ name: true })',
        'pick({ name: true }).extend({ email: itemSchema.shape.name })',
      ),
    });
    await terminal.waitFor(/This edit breaks `items\.createItem` for HTTP callers.*`email`/);
    await writeTree(folder, { [file]: before });
    await terminal.waitFor((screen) => !screen.includes('This edit breaks'));
  });
});

it('the contract of the last commit is held against what was already changed when the screen was opened, and folded', async () => {
  const folder = await scaffold();
  const git = (...words: string[]) =>
    execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: folder });
  await git('init', '--quiet');
  await git('add', 'src', 'package.json', 'tsconfig.json');
  await git('commit', '--quiet', '--message', 'first');
  const file = 'src/capabilities/items/create.ts';
  const before = await readFile(`${folder}/${file}`, 'utf8');
  await writeTree(folder, {
    [file]: before.replace(
      'pick({ name: true })',
      'pick({ name: true }).extend({ email: itemSchema.shape.name })',
    ),
  });
  const told = /This edit breaks `items\.createItem` for HTTP callers.*`email`/;
  terminal = openTerminal(['dev', '--port', '0'], { cwd: folder, columns: 120, rows: 30 });
  await terminal.waitFor(told);
  await writeTree(folder, { [file]: before });
  await terminal.waitFor((screen) => screen.includes('Reloaded') && !told.test(screen));
  await writeTree(folder, {
    [file]: before.replace(
      'pick({ name: true })',
      'pick({ name: true }).extend({ email: itemSchema.shape.name })',
    ),
  });
  await terminal.waitFor(told);
  terminal.type('A');
  await terminal.waitFor((screen) => /▲ 1 breaking/.test(screen) && !told.test(screen));
  terminal.type('A');
  await git('commit', '--quiet', '--all', '--message', 'next');
  await terminal.waitFor((screen) => !told.test(screen));
});

it('a checkout of a branch with another contract is no edit that breaks callers', async () => {
  const folder = await scaffold();
  const git = (...words: string[]) =>
    execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: folder });
  await git('init', '--quiet');
  await git('add', 'src', 'package.json', 'tsconfig.json');
  await git('commit', '--quiet', '--message', 'first');
  const file = 'src/capabilities/items/create.ts';
  const before = await readFile(`${folder}/${file}`, 'utf8');
  await git('checkout', '--quiet', '-b', 'topic');
  const extended = 'pick({ name: true }).extend({ email: itemSchema.shape.name })';
  await writeTree(folder, { [file]: before.replace('pick({ name: true })', extended) });
  await git('commit', '--quiet', '--all', '--message', 'next');
  await git('checkout', '--quiet', '-');
  terminal = openTerminal(['dev', '--port', '0'], { cwd: folder, columns: 120, rows: 30 });
  await terminal.waitFor('Started in');
  terminal.type('?show items.getItem');
  await terminal.waitFor('GET /items/:id');
  terminal.type('\u001B');
  await git('checkout', '--quiet', 'topic');
  // The screen has the contract of the branch.
  await terminal.waitFor(/POST +\/items +0 +changed/);
  await writeTree(folder, { [file]: before.replace('name: true', 'name: true, id: true') });
  await terminal.waitFor(/This edit breaks `items\.createItem`/);
  const alarms = new Set(terminal.output().match(/This edit breaks.{0,90}/g));
  expect([...alarms].filter((alarm) => alarm.includes('`email` was added'))).toEqual([]);
});
