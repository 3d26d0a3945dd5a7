import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { serverProcesses, waitForNoServer } from '../helpers/open-dev.ts';
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

async function open(files: Readonly<Record<string, string>> = {}, [columns, rows] = [100, 30]): Promise<OpenScreen> {
  const folder = await devProject(files);
  terminal = openTerminal(['dev', '--port', '0'], { cwd: folder, columns, rows });
  const screen = await terminal.waitFor(/http:\/\/localhost:\d+/);
  return { folder, url: /http:\S+/.exec(screen)?.[0] ?? '' };
}

async function openTab(key: string, tab: string): Promise<void> {
  terminal.type(key);
  await terminal.waitFor(`[${key} ${tab}`);
}

describe('the dev screen', () => {
  it.each(sizes)('shows how the server stands and its routes in %i columns and %i rows', async (columns, rows) => {
    const folder = await scaffold();
    terminal = openTerminal(['dev', '--port', '0'], { cwd: folder, columns, rows });
    const screen = await terminal.waitFor(/Started in \d+ ms/);
    expect(screen).toMatch(columns < 80 ? /GET +\/items\/:id / : /GET +\/items\/:id +items\.getItem/);
    expect(screen).toMatch(columns < 80 ? /POST +\/items / : /POST +\/items +items\.createItem/);
    expect(screen.split('\n').at(-1)).toContain('q leave');
    expect(terminal.isAlternate()).toBe(true);
    expect(Math.max(...screen.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

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
    await terminal.waitFor(/Reloaded in \d+ ms, src\/server\.ts changed/);
    const screen = await terminal.waitFor(/\/notes .* new/);
    expect(screen).toMatch(/\/texts .* gone/);
    expect((await fetch(`${url}/notes`)).status).toBe(200);
  });

  it('restarts on r', async () => {
    await open();
    terminal.type('r');
    await terminal.waitFor(/Restarted in \d+ ms/);
  });

  it('shows why the code cannot start while what ran before answers, and forgets it when it is mended', async () => {
    const { folder, url } = await open();
    await writeTree(folder, { 'src/text.ts': 'export const = 5;' });
    const broken = await terminal.waitFor('The version before still answers');
    expect(broken).toMatch(/src\/text\.ts:1:14: Expected identifier/);
    expect(broken).toMatch(/> 1 \| export const = 5;/);
    expect((await fetch(`${url}/texts`)).status).toBe(200);
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    const mended = await terminal.waitFor(/Reloaded in/);
    expect(mended).not.toContain('Expected identifier');
  });

  it('shows a crash with its place, and starts again on r', async () => {
    const { url } = await open({
      'src/text.ts': `export const text = () => {\n  setTimeout(() => { throw new Error('lost it'); });\n  return 'one';\n};`,
    });
    await fetch(`${url}/texts`);
    const crashed = await terminal.waitFor('Waiting for a change; r starts it again');
    expect(crashed).toMatch(/The server ended with exit code 1: src\/text\.ts:2:\d+: lost it/);
    terminal.type('r');
    await terminal.waitFor(/Restarted in/);
  });

  it('says who has the port, and tries again on r', async () => {
    const taken = createServer().listen(0);
    const { port } = taken.address() as { port: number };
    terminal = openTerminal(['dev', '--port', String(port)], { cwd: await devProject(), columns: 100, rows: 24 });
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
    terminal.type(':');
    terminal.type('show items.getItem');
    await terminal.waitFor('GET /items/:id');
    terminal.type('\u001B');
    await terminal.waitFor(/\[1 routes/);
    const file = 'src/capabilities/items/create.ts';
    const before = await readFile(`${folder}/${file}`, 'utf8');
    await writeTree(folder, {
      [file]: before.replace('pick({ name: true })', 'pick({ name: true }).extend({ email: itemSchema.shape.name })'),
    });
    await terminal.waitFor(/This edit breaks `items\.createItem` for HTTP callers.*`email`/);
    await writeTree(folder, { [file]: before });
    await terminal.waitFor((screen) => !screen.includes('This edit breaks'));
  });
});

describe('the contract of the last commit', () => {
  it('is held against what was already changed when the screen was opened', async () => {
    const folder = await scaffold();
    const git = (...words: string[]) =>
      execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: folder });
    await git('init', '--quiet');
    await git('add', 'src', 'package.json', 'tsconfig.json');
    await git('commit', '--quiet', '--message', 'first');
    const file = 'src/capabilities/items/create.ts';
    const before = await readFile(`${folder}/${file}`, 'utf8');
    await writeTree(folder, {
      [file]: before.replace('pick({ name: true })', 'pick({ name: true }).extend({ email: itemSchema.shape.name })'),
    });
    terminal = openTerminal(['dev', '--port', '0'], { cwd: folder, columns: 120, rows: 30 });
    await terminal.waitFor(/Since the last commit broken: `items\.createItem` for HTTP callers.*`email`/);
    await writeTree(folder, { [file]: before });
    await terminal.waitFor((screen) => screen.includes('Reloaded') && !screen.includes('Since the last commit'));
  });
});

describe('the requests on the dev screen', () => {
  it('counts them by route, and lists and opens them with their secrets masked', async () => {
    const server = `
      import { capability, createServer, restTransport, defineContext, defineGuard } from 'capix';
      import * as z from 'zod';
      const context = defineContext(({ headers }) => ({ user: headers['x-user'] }));
      const mustBeKnown = defineGuard((ctx: { user?: unknown }) => { if (!ctx.user) throw new Error('who?'); }, { name: 'mustBeKnown' });
      const createNote = capability.withContext<{ user?: unknown }>()(z.object({ text: z.string(), password: z.string() }), ({ text }) => { console.log('writing ' + text); return { text }; }).guard(mustBeKnown);
      await createServer({ context, capabilities: { notes: { createNote } }, transports: [restTransport()] }).start();`;
    const { url } = await open({ 'src/server.ts': server }, [100, 50]);
    const headers = { 'content-type': 'application/json', 'x-user': 'ada', authorization: 'Bearer topsecret' };
    const body = JSON.stringify({ text: 'hello', password: 'hunter2' });
    await fetch(`${url}/notes?from=test`, { method: 'POST', headers, body });
    await terminal.waitFor(/POST +\/notes +notes\.createNote +1 +0 %.* 200/);
    await openTab('2', 'requests 1');
    terminal.type('\r');
    const details = await terminal.waitFor(/x-user: ada/);
    expect(details).toMatch(/POST \/notes\?from=test {2}200/);
    expect(details).toContain('mustBeKnown passed');
    expect(details).toContain('"text": "hello"');
    expect(details).toContain('"password": "•••"');
    expect(details).toContain('authorization: •••');
    expect(details).toContain('writing hello');
    expect(terminal.output()).not.toMatch(/hunter2|topsecret/);
  });

  it('shows an error with its place in the source', async () => {
    const { url } = await open(
      { 'src/text.ts': `export const text = () => {\n  throw new Error('no luck');\n};` },
      [100, 40],
    );
    await fetch(`${url}/texts`);
    await terminal.waitFor(/GET +\/texts +texts\.listTexts +1 +100 %/);
    await openTab('2', 'requests 1');
    terminal.type('\r');
    const details = await terminal.waitFor('Error: no luck');
    expect(details).toMatch(/src\/text\.ts:2\b/);
    expect(details).toMatch(/> 2 \| {3}throw new Error\('no luck'\);/);
  });

  it('sends a request again, and copies it as a curl command', async () => {
    const { url } = await open();
    await fetch(`${url}/texts?a=1`, { headers: { authorization: 'Bearer topsecret' } });
    await openTab('2', 'requests 1');
    terminal.type('a');
    await terminal.waitFor(/Sent again: 200 in/);
    await terminal.waitFor('[2 requests 2]');
    terminal.type('y');
    await terminal.waitFor('Copied the curl command');
    const copied = /\u001B\]52;c;([^\u0007]+)/.exec(terminal.output())?.[1] ?? '';
    expect(Buffer.from(copied, 'base64').toString()).toMatch(
      new RegExp(`^curl '${url}/texts\\?a=1' .*-H "authorization: \\$AUTHORIZATION"`),
    );
  });

  it('filters them by text and by route', async () => {
    const { url } = await open();
    await fetch(`${url}/texts`);
    await fetch(`${url}/nothing`);
    await openTab('2', 'requests 2');
    terminal.type('/404');
    await terminal.waitFor('1 of 2');
    expect(terminal.screen()).not.toMatch(/GET +\/texts/);
  });
});

describe('the log on the dev screen', () => {
  const logging = (lines: string) => `${lines}\nexport const text = () => 'one';`;

  it('tells stdout and stderr apart, makes JSON readable, and lets no escape sequence through', async () => {
    await open({
      'src/text.ts': logging(`
        console.log('plain \\u001b]0;evil\\u0007line');
        console.error('on stderr');
        console.log(JSON.stringify({ level: 40, time: 1, pid: 2, hostname: 'h', msg: 'pool is full', size: 7 }));`),
    });
    await openTab('3', 'logs 3');
    const screen = await terminal.waitFor('pool is full');
    expect(screen).toMatch(/ plain line/);
    expect(screen).toMatch(/! error on stderr/);
    expect(screen).toMatch(/warn pool is full {2}size=7/);
    expect(terminal.output()).not.toContain('evil');
  });

  it('filters by text and level, finds, clears and saves', async () => {
    const { folder } = await open({
      'src/text.ts': logging(`for (let i = 0; i < 100; i++) console.log('line ' + i); console.error('the end');`),
    });
    await openTab('3', 'logs 101');
    terminal.type('/line 7\r');
    await terminal.waitFor('11 of 101');
    terminal.type('\u001B');
    await terminal.waitFor((screen) => !screen.includes('11 of 101'));
    terminal.type('lll');
    await terminal.waitFor(
      (screen) => screen.includes('from error on') && screen.includes('the end') && !screen.includes('line 99'),
    );
    terminal.type('l');
    await terminal.waitFor('line 99');
    terminal.type('fline 42\r');
    await terminal.waitFor(/held at 43 of 101, finds 'line 42'/);
    terminal.type(' ');
    await terminal.waitFor(/follows/);
    terminal.type('w');
    await terminal.waitFor(/Saved capix-dev-.*\.log/);
    expect((await readdir(folder)).filter((name) => name.endsWith('.log'))).toHaveLength(1);
    terminal.type('x');
    await terminal.waitFor('[3 logs 0]');
  });

  it('stays quick under 200,000 lines, and says how many it has dropped', async () => {
    const { url } = await open({
      'src/text.ts': `export const text = () => {
        let left = 200;
        const timer = setInterval(() => {
          for (let i = 0; i < 1000; i++) console.log('a line of the flood, not too short ' + i);
          if (--left === 0) clearInterval(timer);
        }, 50);
        return 'one';
      };`,
    });
    await openTab('3', 'logs');
    await fetch(`${url}/texts`);
    await terminal.waitFor(/older lines dropped/);
    const startedAt = performance.now();
    terminal.type('1');
    await terminal.waitFor('[1 routes');
    // The budget is 100 ms; on a loaded machine only the order of magnitude can be held.
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await terminal.waitFor('logs 200000');
    await openTab('3', 'logs 200000');
    await terminal.waitFor('190000 older lines dropped');
  });
});
