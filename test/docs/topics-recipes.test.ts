import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { WebSocket } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { webSocket } from '../../server-runtime/client/index.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { describeWithRedis, startRedis } from '../helpers/start-redis.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { showBookings } from './topics-recipes/calendar-page.ts';

const folder = join(packageRoot, 'test/docs/topics-recipes');

/** The code as an application has it. */
function readRecipe(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
    .replaceAll(/\.\.\/\.\.\/\.\.\/server-runtime(\/\w+)?\/index\.ts/g, 'capix$1')
    .replace('../../../server-runtime/stores/redis-store.ts', 'capix/redis')
    .replace('./calendar.ts', '../../server/src/server.ts');
}

it.each(readdirSync(folder))('docs/topics.md shows %s as it is tested here', (name) => {
  const page = readFileSync(join(packageRoot, 'docs/topics.md'), 'utf8');
  expect(page).toContain(`\`\`\`ts\n${readRecipe(name)}\`\`\``);
});

describeWithRedis('a live calendar of two processes', () => {
  it('shows in one what is booked in the other, and loses nothing with a Redis that is started again', async () => {
    const redis = await startRedis({ keeps: true });
    const [one, other] = await startCalendars(redis.url);
    const book = async (at: string, id: string): Promise<number> => {
      const body = JSON.stringify({ id, room: `Room ${id}`, from: '2026-01-02T03:04:05.000Z' });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${at}/bookings`, { method: 'POST', headers, body })).status;
    };
    expect(await book(one, '1')).toBe(200);

    const overEvents = await watchEvents(one);
    const overSocket = watchSocket(one);
    await expect.poll(() => overEvents.seen).toEqual(['1']);
    await expect.poll(() => overSocket).toEqual(['Room 1']);

    expect(await book(other, '2')).toBe(200);
    await expect.poll(() => overEvents.seen).toEqual(['1', '2']);
    await expect.poll(() => overSocket).toEqual(['Room 1', 'Room 2']);

    await redis.kill();
    await redis.restart();
    await expect.poll(() => book(other, '3')).toBe(200);
    await expect.poll(() => overEvents.seen).toEqual(['1', '2', '3']);
    await expect.poll(() => overSocket).toEqual(['Room 1', 'Room 2', 'Room 3']);

    overEvents.leave();
    expect(await book(one, '4')).toBe(200);
    const again = await watchEvents(other, overEvents.lastId());
    await expect.poll(() => again.seen).toEqual(['4']);
    const fromNowhere = await watchEvents(other, '1-1');
    await expect.poll(() => fromNowhere.seen.toSorted()).toEqual(['1', '2', '3', '4']);
  });
});

/** Runs the recipe in two processes, which end with the test. Gives their addresses. */
async function startCalendars(redis: string): Promise<readonly [string, string]> {
  const project = await temporaryFolder();
  const { code } = await transform(readRecipe('calendar.ts'), { loader: 'ts', format: 'esm' });
  await writeTree(project, {
    'package.json': '{ "type": "module" }\n',
    'calendar.js': code,
    'main.js':
      "import { server } from './calendar.js';\nconst [{ url }] = await server.start();\nconsole.log(`at ${url}`);\n",
  });
  await mkdir(join(project, 'node_modules'));
  for (const name of ['zod', 'ioredis', 'ws'])
    await symlink(
      join(packageRoot, 'node_modules', name),
      join(project, 'node_modules', name),
      'junction',
    );
  await symlink(packageRoot, join(project, 'node_modules', 'capix'), 'junction');
  const start = async (): Promise<string> => {
    const env = { REDIS_URL: redis, PORT: '0' };
    const running = startInBackground([process.execPath, 'main.js'], { cwd: project, env });
    return (await running.waitFor(/^at (\S+)$/m))[1] ?? '';
  };
  return [await start(), await start()];
}

/** Reads the list as `EventSource` does; gives the ids of the bookings that come. */
async function watchEvents(url: string, lastId?: string) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const headers = lastId === undefined ? undefined : { 'last-event-id': lastId };
  const response = await fetch(`${url}/bookings`, {
    headers: { ...headers },
    signal: leaving.signal,
  });
  const seen: string[] = [];
  let text = '';
  const read = async (): Promise<void> => {
    const parts = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
    for await (const part of parts) {
      text += part;
      seen.length = 0;
      for (const [, data = '[]'] of text.matchAll(/^data: (.*)\n\n/gm))
        seen.push(...(JSON.parse(data) as { id: string }[]).map(({ id }) => id));
    }
  };
  read().catch(() => {});
  const lastIdSeen = (): string => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
  return { seen, lastId: lastIdSeen, leave: () => leaving.abort() };
}

/** Reads the list by the page of the recipe; gives the rooms that it shows. */
function watchSocket(url: string): readonly string[] {
  const leaving = new AbortController();
  const transport = webSocket(url, { WebSocket });
  onTestFinished(() => {
    leaving.abort();
    transport.close();
  });
  const shown: string[] = [];
  showBookings(transport, (room) => void shown.push(room), leaving.signal).catch(() => {});
  return shown;
}
