import { createSocket } from 'node:dgram';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { openDev, openDevJson, serverProcesses } from '../helpers/open-dev.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

describe('capix dev', () => {
  it('prints the start line and the routes as the server does by itself', async () => {
    const dev = openDev(await scaffold(), ['--port', '0']);
    await dev.waitForLine(/items\.createItem/);
    expect(dev.stdout()).toMatch(
      /^\[capix\] Server started on http:\/\/localhost:\d+\n\[capix\] Routes:\n {2}GET {3}\/items\/:id {2}items\.getItem\n {2}GET {3}\/items {6}items\.listItems\n {2}POST {2}\/items {6}items\.createItem\n$/,
    );
  });

  it('keeps the routes in columns where a method is longer than POST', async () => {
    const folder = await devProject({
      'src/server.ts': `
        import { capability, createServer, restTransport } from 'capix';
        import * as z from 'zod';
        const byId = z.object({ id: z.string() });
        const texts = { listTexts: capability(() => []), deleteText: capability(byId, () => null) };
        await createServer({ capabilities: { texts }, transports: [restTransport()] }).start();
      `,
    });
    const dev = openDev(folder, ['--port', '0']);
    await dev.waitForLine(/texts\.deleteText/);
    expect(dev.stdout()).toContain(
      '  GET     /texts      texts.listTexts\n  DELETE  /texts/:id  texts.deleteText\n',
    );
  });

  it('answers with the new code after a change, and says which file it was', async () => {
    const folder = await devProject();
    const dev = openDev(folder, ['--port', '0']);
    const url = toUrl(await dev.waitForLine(/started on/));
    expect(await getText(url)).toBe('one');
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    expect(await dev.waitForLine(/reloaded/)).toMatch(
      /^\[capix\] src\/text\.ts changed, reloaded in \d+ ms$/,
    );
    expect(await getText(url)).toBe('two');
  });

  it('serves a capability that is generated while it runs, and prints its route', async () => {
    const folder = await scaffold();
    const dev = openDev(folder, ['--port', '0']);
    const url = toUrl(await dev.waitForLine(/started on/));
    const { exitCode } = await runCapix(['g', 'capability', 'users', 'getUser', '--input'], {
      cwd: folder,
    });
    expect(exitCode).toBe(0);
    expect(await dev.waitForLine(/users\.getUser/)).toBe('  + GET   /users/:id  users.getUser');
    await dev.waitForLine(/reloaded/);
    expect((await fetch(`${url}/users/7`)).status).toBe(200);
  });

  it('passes on what the server writes, each stream on its own, without escape sequences', async () => {
    const folder = await devProject({
      'src/text.ts': `console.log('to \\u001b[31mout'); console.error('to err'); export const text = () => 'one';`,
    });
    const dev = openDev(folder, ['--port', '0']);
    await dev.waitForLine(/^to err$/);
    await dev.waitForLine(/listTexts/);
    expect(dev.stdout()).toContain('to out\n');
    expect(dev.stderr()).toBe('to err\n');
  });

  it('runs the entry that is named, as its main file', async () => {
    const folder = await devProject({
      'admin.ts': `console.log('main', process.argv.slice(1)); import './src/server.ts';`,
    });
    const dev = openDev(folder, ['admin.ts', '--port', '0']);
    expect(await dev.waitForLine(/^main /)).toBe(`main [ '${join(folder, 'admin.ts')}' ]`);
  });

  it('says what is missing where there is no entry', async () => {
    const { stderr, exitCode } = await runCapix(['dev', 'src/nothing.ts'], {
      cwd: await devProject(),
    });
    expect({ stderr, exitCode }).toEqual({
      stderr:
        'error: Could not find src/nothing.ts to start.\nName the file that starts the server.\n',
      exitCode: 1,
    });
  });

  it('refuses a port that cannot be', async () => {
    const { stderr, exitCode } = await runCapix(['dev', '--port', '70000'], {
      cwd: await devProject(),
    });
    expect({ stderr, exitCode }).toEqual({
      stderr:
        "error: option '--port': Too big: expected number to be <=65535\nRun `capix dev --help` to see how it is used.\n",
      exitCode: 2,
    });
  });

  it('writes one JSON document a line with --json', async () => {
    const folder = await devProject();
    const dev = openDevJson(folder);
    await dev.waitFor('ready');
    await writeTree(folder, { 'src/text.ts': `console.log('hello'); ${textFile('two')}` });
    const ready = await dev.waitFor('ready');
    expect(ready).toMatchObject({
      cause: { kind: 'change', files: ['src/text.ts'] },
      routes: [{ method: 'GET', path: '/texts', key: 'texts.listTexts' }],
    });
    await dev.waitFor('notice');
    const documents = dev
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    expect(documents.map(({ event }) => event).toSorted()).toEqual([
      'notice',
      'output',
      'ready',
      'ready',
      'starting',
      'starting',
    ]);
    expect(dev.stderr()).toBe('');
  });

  it('does not look at changes with --no-watch', async () => {
    const folder = await devProject();
    const dev = openDevJson(folder, ['--no-watch']);
    const url = await dev.url();
    expect(await serverProcesses(folder)).toHaveLength(1);
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    expect(await getText(url)).toBe('one');
  });

  it('ends with the fault of the code with --no-watch', async () => {
    const folder = await devProject({
      'src/text.ts': `throw new Error('not today'); export const text = () => '';`,
    });
    const { stderr, exitCode } = await runCapix(['dev', '--no-watch', '--port', '0'], {
      cwd: folder,
    });
    expect(stderr).toContain('error: src/text.ts:1:7: not today');
    expect(exitCode).toBe(1);
  });
});

describe('a port that is taken', () => {
  it('ends the first start with the process that has it and another port', async () => {
    const taken = createServer().listen(0);
    const { port } = taken.address() as { port: number };
    const { stderr, exitCode } = await runCapix(['dev', '--port', String(port)], {
      cwd: await devProject(),
    });
    taken.close();
    const owner = process.platform === 'linux' ? ` by process ${process.pid} \\(.+\\)` : '.*';
    expect(stderr).toMatch(
      new RegExp(
        `^error: Port ${port} is taken${owner}\\.\nEnd it, or choose another port: capix dev --port ${port + 1}\n$`,
      ),
    );
    expect(exitCode).toBe(1);
  });

  it.each([
    [
      'a server of the code',
      `import { createServer as own } from 'node:http'; own().listen(Number(process.env.TAKEN)); await new Promise((go) => setTimeout(go, 100));`,
      'rest(0)',
    ],
    ['a second transport', '', 'rest(0), rest(process.env.TAKEN)'],
    [
      'a UDP socket',
      `import { createSocket } from 'node:dgram'; createSocket('udp4').bind(Number(process.env.TAKEN)); await new Promise((go) => setTimeout(go, 100));`,
      'rest(0)',
    ],
  ])('by %s is none that --port would replace', async (name, first, transports) => {
    const taken = createServer().listen(0);
    const { port } = taken.address() as { port: number };
    const isUdp = name.includes('UDP');
    const datagrams = createSocket('udp4').bind(isUdp ? port : 0);
    const folder = await devProject({
      'src/server.ts': `
        import { capability, createServer, restTransport } from 'capix';
        const rest = (port) => restTransport({ port: Number(port) });
        ${first}
        await createServer({ capabilities: { texts: { listTexts: capability(() => 1) } }, transports: [${transports}] }).start();`,
    });
    const { stderr, exitCode } = await runCapix(['dev', '--plain'], {
      cwd: folder,
      env: { TAKEN: String(port) },
    });
    taken.close();
    datagrams.close();
    expect(stderr).toMatch(
      new RegExp(
        `^error: Port ${port} is taken.*\nEnd it, or let the code listen at another port.\n$`,
        'm',
      ),
    );
    // Another program may have the TCP port of that number.
    if (isUdp) expect(stderr).toContain(`error: Port ${port} is taken.\n`);
    expect(exitCode).toBe(1);
  });

  it('leaves the code before serving when a change asks for it', async () => {
    const taken = createServer().listen(0);
    const { port } = taken.address() as { port: number };
    const folder = await devProject();
    const dev = openDevJson(folder);
    const url = await dev.url();
    const server = `import { capability, createServer, restTransport } from 'capix'; import { text } from './text.ts';
      const transports = [restTransport({ port: 0, host: '127.0.0.1' }), restTransport({ port: ${port} })];
      await createServer({ capabilities: { texts: { listTexts: capability(text) } }, transports }).start();`;
    await writeTree(folder, { 'src/server.ts': server });
    expect(await dev.waitFor('port-taken')).toMatchObject({ port, stillServing: true });
    expect(await getText(url)).toBe('one');
    taken.close();
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await dev.waitFor('ready');
    expect(await getText(`http://localhost:${port}`)).toBe('two');
  });
});

describe('the environment of the server', () => {
  it('has the variables of .env, under those that are set, and restarts when the file changes', async () => {
    const folder = await devProject({
      '.env': 'GREETING=from file\nNAME=file',
      'src/text.ts': `export const text = () => \`\${process.env.GREETING} \${process.env.NAME}\`;`,
    });
    const dev = openDevJson(folder, [], { NAME: 'shell' });
    const url = await dev.url();
    expect(await getText(url)).toBe('from file shell');
    await writeFile(join(folder, '.env'), 'GREETING=changed');
    expect((await dev.waitFor('ready')).cause).toEqual({ kind: 'change', files: ['.env'] });
    expect(await getText(url)).toBe('changed shell');
  });

  it('takes another file with --env-file, and its changes', async () => {
    const folder = await devProject({
      'my.env': 'A=1',
      'src/text.ts': `export const text = () => process.env.A;`,
    });
    const dev = openDevJson(folder, ['--env-file', 'my.env']);
    const url = await dev.url();
    expect(await getText(url)).toBe('1');
    await writeFile(join(folder, 'my.env'), 'A=2');
    await dev.waitFor('ready');
    expect(await getText(url)).toBe('2');
  });

  it('ends where the file of --env-file is missing', async () => {
    // Node 20 looks for the option in the words of the script too, and says it before the script runs.
    const { stderr, exitCode } = await runCapix(['dev', '--env-file', 'none.env'], {
      cwd: await devProject(),
    });
    expect(stderr).toMatch(/none\.env/);
    expect(exitCode).not.toBe(0);
  });

  it.each(['tsconfig.json', 'package.json'])('is new when %s changes', async (file) => {
    const folder = await devProject({ 'tsconfig.json': '{}' });
    const dev = openDevJson(folder);
    await dev.waitFor('ready');
    await writeTree(folder, {
      [file]:
        file === 'package.json'
          ? '{"name": "other", "type": "module"}'
          : '{"compilerOptions": {"strict": true}}',
    });
    expect((await dev.waitFor('ready')).cause).toEqual({ kind: 'change', files: [file] });
  });

  it('is left alone when a package or built output changes', async () => {
    const folder = await devProject({ 'dist/server.js': '', 'src/notes.txt': '' });
    const dev = openDevJson(folder);
    await dev.waitFor('ready');
    await writeTree(folder, {
      'dist/server.js': '1',
      'node_modules/other/index.js': '1',
      'src/notes.txt': '1',
    });
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    expect((await dev.waitFor('ready')).cause).toEqual({ kind: 'change', files: ['src/text.ts'] });
  });
});

describe('--inspect', () => {
  it('lets a debugger connect on the port, before and after a reload', async () => {
    const inspectPort = await findFreePort();
    const folder = await devProject();
    const dev = openDevJson(folder, ['--inspect-port', String(inspectPort)]);
    const url = await dev.url();
    const findTargets = async () =>
      (await fetch(`http://127.0.0.1:${inspectPort}/json/list`)).json();
    expect(await findTargets()).toMatchObject([{ type: 'node' }]);
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await dev.waitFor('ready');
    expect(await findTargets()).toMatchObject([{ type: 'node' }]);
    expect(await getText(url)).toBe('two');
  });
});

function toUrl(startLine: string): string {
  return startLine.replace(/.* on /, '');
}

async function getText(url: string): Promise<unknown> {
  return ((await (await fetch(`${url}/texts`)).json()) as { data: unknown }).data;
}
