import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request as httpRequest } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  type RestOptions,
  restTransport,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { localhost } from '../../helpers/localhost-certificate.ts';

const items = {
  getItem: capability(z.object({ id: z.string() }), (input) => input),
  createItem: capability(z.object({ name: z.string() }), (input) => input),
  listItems: capability(async function* () {
    yield 1;
    yield 2;
  }),
};

async function start(
  rest: RestOptions,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const server = createServer({
    capabilities: { items },
    transports: [restTransport(rest)],
    logger: silentLogger,
  });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { url: started?.url ?? '', stop: () => server.stop() };
}

describe('where it listens', () => {
  it.each([
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
  ])('host %s', async (host, expected) => {
    const { url } = await start({ port: 0, host });
    expect(url).toMatch(expected);
    expect((await fetch(`${url}/items/7`)).status).toBe(200);
  });

  it('a Unix socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capix-socket-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'api.sock');
    const { url, stop } = await start({ unix: path });
    expect(url).toBe(`unix:${path}`);
    const dispatcher = new Agent({ connect: { socketPath: path } });
    onTestFinished(() => dispatcher.destroy());
    const { statusCode, body } = await httpRequest('http://any/items/7', { dispatcher });
    expect([statusCode, await body.json()]).toEqual([200, { data: { id: '7' } }]);
    await expect(start({ unix: path })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringContaining(`The socket ${path} is already in use`),
    });
    await stop();
  });

  it('a Unix socket that a killed process left behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capix-socket-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'api.sock');
    const listen = "require('net').createServer().listen(process.argv[1], () => console.log(1))";
    const killed = spawn(process.execPath, ['-e', listen, path]);
    await once(killed.stdout, 'data');
    await expect(start({ unix: path })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect((await lstat(path)).isSocket()).toBe(true);
    await start({ unix: path });
    const dispatcher = new Agent({ connect: { socketPath: path } });
    onTestFinished(() => dispatcher.destroy());
    const { statusCode } = await httpRequest('http://any/items/7', { dispatcher });
    expect(statusCode).toBe(200);
  });

  it('no file that is not a socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capix-socket-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'api.sock');
    await writeFile(path, 'mine');
    await expect(start({ unix: path })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  it('HTTPS', async () => {
    const { url } = await start({ port: 0, https: localhost });
    expect(url).toMatch(/^https:\/\/localhost:\d+$/);
    const dispatcher = new Agent({ connect: { ca: localhost.cert } });
    onTestFinished(() => dispatcher.destroy());
    const { statusCode, body } = await httpRequest(`${url}/items/7`, { dispatcher });
    expect([statusCode, await body.json()]).toEqual([200, { data: { id: '7' } }]);
  });
});

it.each([
  [{ port: -1 }, /restTransport port: expected an integer from 0 to 65535, got -1/],
  [{ port: 65_536 }, /restTransport port/],
  [{ port: Number.NaN }, /got NaN/],
  [{ port: '3000' as unknown as number }, /got the string '3000'/],
  [{ maxBodySize: -1 }, /restTransport maxBodySize: expected an integer of at least 0/],
  [
    { urlCase: 'pascal' as unknown as 'kebab' },
    /restTransport urlCase: expected 'kebab', 'snake' or 'camel', got 'pascal'/,
  ],
  [
    { overrides: [] as unknown as Record<never, never> },
    /restTransport overrides: expected \{ 'users.getUser'/,
  ],
  [{ heartbeatMs: 0 }, /restTransport heartbeatMs/],
])('refuses %j when the transport is made', (options, message) => {
  expect(() => restTransport(options)).toThrow(message);
});
