import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createClient, webSocket } from '../../server-runtime/client/index.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { openTalk } from '../helpers/start-web-sockets.ts';
import { showTasks } from './websocket-recipes/live-client.ts';
import { server } from './websocket-recipes/live-list.ts';

let url = '';
beforeAll(async () => {
  const [started] = await server.start();
  url = started?.url ?? '';
});
afterAll(() => server.stop({ graceMs: 0 }));

const folder = join(packageRoot, 'test/docs/websocket-recipes');

it.each(readdirSync(folder))('docs/websocket.md shows %s as it is tested here', (name) => {
  const code = readFileSync(join(folder, name), 'utf8')
    .replaceAll(/\.\.\/\.\.\/\.\.\/server-runtime(\/\w+)?\/index\.ts/g, 'capix$1')
    .replace('./live-list.ts', '../../server/src/server.ts');
  expect(readFileSync(join(packageRoot, 'docs/websocket.md'), 'utf8')).toContain(
    `\`\`\`ts\n${code}\`\`\``,
  );
});

it('a client in any language says and hears what docs/websocket.md shows', async () => {
  const page = readFileSync(join(packageRoot, 'docs/websocket.md'), 'utf8');
  const lines = /```text\n(→[^`]+)```/.exec(page)?.[1]?.trim().split('\n') ?? [];
  expect(lines).toHaveLength(10);
  const talk = await openTalk(url.replace('http', 'ws'));
  for (const line of lines) {
    const message = JSON.parse(line.slice(2)) as object;
    if (line.startsWith('→')) talk.send(message);
    else expect(await talk.next()).toEqual({ jsonrpc: '2.0', ...message });
  }
  expect(talk.unread).toEqual([]);
});

it('a live list has what is there, and then each change, with its dates', async () => {
  const connect = () => {
    const transport = webSocket(url, { WebSocket });
    onTestFinished(() => transport.close());
    return transport;
  };
  const { tasks } = createClient<typeof server>({ transport: connect() });
  const due = new Date(0);
  await tasks.saveTask({ id: '1', title: 'Write', due });
  const leaving = new AbortController();
  const shown: unknown[] = [];
  const seen = { first: () => {}, second: () => {} };
  const first = new Promise<void>((resolve) => (seen.first = resolve));
  const second = new Promise<void>((resolve) => (seen.second = resolve));
  const showing = showTasks(
    connect(),
    (title, at) => {
      shown.push([title, at]);
      if (shown.length === 1) seen.first();
      else seen.second();
    },
    leaving.signal,
  );
  await first;
  await tasks.saveTask({ id: '2', title: 'Read', due });
  await second;
  leaving.abort(new Error('enough'));
  await expect(showing).rejects.toThrow('enough');
  expect(shown).toEqual([
    ['Write', due],
    ['Read', due],
  ]);
});
