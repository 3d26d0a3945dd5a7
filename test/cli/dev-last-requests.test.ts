import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';

/** A server that ends with its answer, while a socket of its is on its way to the tool. */
const server = `
  import { createSocket } from 'node:dgram';
  import { once } from 'node:events';
  import { writeFileSync } from 'node:fs';
  import * as z from 'zod';
  import { capability, createServer, restTransport } from 'capix';
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  process.once('exit', () => writeFileSync('ended.txt', ''));
  const endWith = capability(z.object({ what: z.string() }), async ({ what }) => {
    process.send({ mine: 1 }, socket);
    setTimeout(() => {
      if (what === 'error') throw new Error('The last word.');
      process.exit(7);
    }, 20);
    return what;
  });
  await createServer({
    capabilities: { ends: { endWith } },
    transports: [restTransport({ port: 0 })],
  }).start();`;

it.each(['exit', 'error'])(
  'the request is told that ends a process by an %s, also while a socket is on its way',
  async (what) => {
    const folder = await devProject({ 'src/server.ts': server });
    const dev = openDevJson(folder);
    const url = await dev.url();
    // What the process sends next waits behind the socket, until the tool has taken that.
    process.kill(dev.pid, 'SIGSTOP');
    const response = await fetch(`${url}/ends/end-with`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ what }),
    });
    expect(await response.json()).toEqual({ data: what });
    await expect.poll(() => existsSync(join(folder, 'ended.txt'))).toBe(true);
    process.kill(dev.pid, 'SIGCONT');
    const exited = await dev.waitFor('exited');
    expect(exited.exitCode).toBe(what === 'error' ? 1 : 7);
    if (what === 'error') expect(exited.error?.message).toMatch(/The last word\.$/);
    await expect.poll(() => dev.stdout()).toMatch(/"event":"request".*"url":"\/ends\/end-with"/);
  },
);
