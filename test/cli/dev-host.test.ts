import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { openDev, openDevJson } from '../helpers/open-dev.ts';
import { openTerminal } from '../helpers/open-terminal.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { runScript, scaffold, writeTree } from '../helpers/scaffold.ts';

/** An address of this machine that a server at `127.0.0.1` does not have, where the system gives all of 127.0.0.0/8 to the machine. */
const OTHER_ADDRESS = '127.0.0.2';
const hasOtherAddress = process.platform === 'linux';

describe('capix dev', () => {
  it('is reached by this machine only, by both of its loopback addresses', async () => {
    const dev = openDevJson(await devProject());
    const ready = await dev.waitFor('ready');
    const { port } = new URL(ready.urls?.[0] ?? '');
    expect(ready.urls).toEqual([`http://localhost:${port}`]);
    expect(ready).not.toHaveProperty('networkUrls');
    expect(await answers('127.0.0.1', port)).toBe(true);
    expect(await answers('::1', port)).toBe(await isHere('::1'));
    expect(await answers(OTHER_ADDRESS, port)).toBe(false);
  });

  it('with --host 0.0.0.0 is reached at every address, and says so', async () => {
    const folder = await devProject({
      'src/text.ts': 'export const text = () => process.env.HOST;',
    });
    const dev = openDev(folder, ['--host', '0.0.0.0', '--port', '0']);
    const url = (await dev.waitForLine(/started on http:\/\/localhost:\d+$/)).replace(/.* on /, '');
    await dev.waitForLine(
      /^\[capix\] It listens at every address of this machine(: http:\/\/\d\S+)?/,
    );
    expect(await (await fetch(`${url}/texts`)).text()).toBe('{"data":"0.0.0.0"}');
    expect(await answers(OTHER_ADDRESS, new URL(url).port)).toBe(hasOtherAddress);
  });

  it('with another --host names it, and keeps it over a reload', async () => {
    const host = hasOtherAddress ? OTHER_ADDRESS : '127.0.0.1';
    const folder = await devProject();
    const dev = openDevJson(folder, ['--host', host]);
    const url = await dev.url();
    expect(new URL(url).hostname).toBe(host);
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    expect((await dev.waitFor('ready')).urls).toEqual([url]);
    expect(await (await fetch(`${url}/texts`)).text()).toBe('{"data":"two"}');
  });

  it('says which --host this machine does not have', async () => {
    const { stderr, exitCode } = await runCapix(
      ['dev', '--no-watch', '--host', '203.0.113.7', '--port', '0'],
      {
        cwd: await devProject(),
      },
    );
    expect(stderr).toContain(
      'This machine has no address 203.0.113.7. Choose another: capix dev --host 0.0.0.0',
    );
    expect(exitCode).toBe(1);
  });

  it('leaves a server the host that it asks for itself, such as that of HOST', async () => {
    const dev = openDevJson(await scaffold(), [], { HOST: '0.0.0.0' });
    const ready = await dev.waitFor('ready');
    expect(ready.networkUrls).toBeDefined();
    expect(await answers(OTHER_ADDRESS, new URL(ready.urls?.[0] ?? '').port)).toBe(hasOtherAddress);
  });

  it('shows on its screen where the server is reached', async () => {
    const terminal = openTerminal(['dev', '--port', '0', '--host', '127.0.0.1'], {
      cwd: await devProject(),
    });
    onTestFinished(() => terminal.close());
    await terminal.waitFor(/ http:\/\/127\.0\.0\.1:\d+ /);
  });
});

describe('a request under `capix dev`', () => {
  const own = `
    import { createServer } from 'node:http';
    createServer((request, response) => response.end('one')).listen(process.env.OWN_PORT);`;

  it.each([
    ['a server of capix', {}, '/texts'],
    ['one that listens by itself', { 'src/server.ts': own }, '/'],
  ])('to %s is answered for hosts of this machine only', async (_, files, path) => {
    const dev = openDevJson(await devProject(files), [], {
      OWN_PORT: String(await findFreePort()),
    });
    const { port } = new URL(await dev.url());
    const ask = (host: string) => askFor(host, { port, path });
    for (const host of [
      'localhost',
      `localhost:${port}`,
      'api.localhost',
      '127.0.0.1',
      '[::1]:3000',
      '192.168.1.7',
    ])
      expect([host, (await ask(host)).status]).toEqual([host, 200]);
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'evil.example:80',
    ])
      expect([host, (await ask(host)).status]).toEqual([host, 403]);
    expect(JSON.parse((await ask('evil.example')).body)).toEqual({
      error: 'Forbidden',
      message:
        'The host "evil.example" is not one of this machine. Name it in dev.allowedHosts of the settings of capix.',
    });
  });

  it('is answered for the hosts that the settings name, also after a reload', async () => {
    const settings = JSON.stringify({ dev: { allowedHosts: ['Shop.test', '.tunnel.example'] } });
    const folder = await devProject({ 'capix.json': settings });
    const dev = openDevJson(folder);
    const { port } = new URL(await dev.url());
    const ask = async (host: string) => (await askFor(host, { port, path: '/texts' })).status;
    const statuses = async () => [
      await ask('shop.test:80'),
      await ask('a.b.tunnel.example'),
      await ask('my.shop.test'),
    ];
    expect(await statuses()).toEqual([200, 200, 403]);
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await dev.waitFor('ready');
    expect(await statuses()).toEqual([200, 200, 403]);
  });
});

/** A request with a `Host` of its own. */
async function askFor(
  host: string,
  { port, path }: { readonly port: string; readonly path: string },
) {
  const [response] = (await once(
    get({ host: '127.0.0.1', port, path, headers: { host } }),
    'response',
  )) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

describe('a scaffolded server that is built', () => {
  it.each([
    ['at every address without HOST', '', 'localhost', true],
    ['at HOST', '127.0.0.1', '127.0.0.1', false],
  ])('listens %s, and says so', async (_, HOST, name, isOpen) => {
    const folder = await scaffold();
    await runScript(folder, 'build');
    const server = startInBackground([process.execPath, 'dist/server.js'], {
      cwd: folder,
      env: { HOST, PORT: '0' },
    });
    const [, port = ''] = await server.waitFor(
      new RegExp(`^\\[capix\\] Server started on http://${name}:(\\d+)\n`),
    );
    await server.waitFor(isOpen ? /every address of this machine/ : /items\.createItem\n/);
    expect(await answers('127.0.0.1', port)).toBe(true);
    expect(await answers(OTHER_ADDRESS, port)).toBe(isOpen && hasOtherAddress);
    await server.stop();
    expect(/every address of this machine/.test(server.output())).toBe(isOpen);
  });
});

/** Whether this machine has the address. */
function isHere(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen({ host, port: 0 }, () => server.close(() => resolve(true)));
  });
}

/** Whether something takes connections there. */
function answers(host: string, port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) }, () => resolve(socket.destroy() && true));
    socket.once('error', () => resolve(false));
  });
}
