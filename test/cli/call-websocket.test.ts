import { beforeAll, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { askCapix } from '../helpers/ask-capix.ts';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';

let folder: string;
let url: string;
beforeAll(async () => {
  folder = await devProject({
    'src/capabilities.ts': `
      import { capability, defaultErrors, defineContext } from 'capix';
      import * as z from 'zod';
      export const restOptions = { prefix: '/api' };
      export const context = defineContext(({ headers }) => ({ user: headers['x-user'] }));
      export const capabilities = { items: {
        getItem: capability(z.object({ id: z.string() }), ({ id }, ctx) => ({ id, at: new Date(0), user: ctx.user })),
        getFeed: capability(async function* () { yield 1; yield 2; }),
        getHalf: capability(async function* () { yield 1; throw defaultErrors.Conflict('It has changed'); }),
      } };`,
    'src/server.ts': `
      import { createServer, restTransport } from 'capix';
      import { webSocketTransport } from 'capix/websocket';
      import { capabilities, context, restOptions } from './capabilities.ts';
      await createServer({
        capabilities, context, transports: [restTransport({ ...restOptions, port: 0 }), webSocketTransport()],
      }).start();`,
  });
});

const call = (...words: readonly string[]) => askCapix(['call', ...words], { cwd: folder });

it('call --ws calls the server over its WebSocket: data, streams, errors, and what is not there', async () => {
  const dev = openDevJson(folder);
  url = await dev.url();
  const { stdout } = await call(
    'items.getItem',
    '--id',
    '7',
    '--server',
    '--ws',
    '-H',
    'x-user: ada',
  );
  expect(JSON.parse(stdout)).toEqual({ id: '7', at: '1970-01-01T00:00:00.000Z', user: 'ada' });
  await expect.poll(() => dev.stdout()).toMatch(/"method":"WS","url":"items.getItem"/);
  const feed = await call('items.getFeed', '--url', url, '--ws');
  expect([feed.exitCode, JSON.parse(feed.stdout)]).toEqual([0, [1, 2]]);
  const half = await call('items.getHalf', '--url', url, '--ws');
  expect([half.exitCode, half.stdout]).toEqual([1, '[\n  1\n]\n']);
  expect(half.stderr).toContain('error: Conflict (409): It has changed');
  const wrong = await call('items.getItem', '{}', '--url', url, '--ws', '--json');
  expect(JSON.parse(wrong.stdout)).toMatchObject({
    ok: false,
    error: { code: 'BadRequest', status: 400 },
  });

  const alone = await call('items.getItem', '--id', '7', '--ws');
  expect([alone.exitCode, alone.stderr]).toEqual([
    2,
    expect.stringContaining('option --ws: it needs --url or --server, whose WebSocket it is'),
  ]);
  const other = new WebSocketServer({ port: 0, path: '/elsewhere' });
  const { port } = other.address() as { readonly port: number };
  const none = await call(
    'items.getItem',
    '--id',
    '7',
    '--url',
    `http://127.0.0.1:${port}`,
    '--ws',
  );
  expect(none.exitCode).toBe(1);
  expect(none.stderr).toContain('no WebSocket is open at /api/_call');
  other.close();
});
