import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openDevScreen, openTab } from '../helpers/open-dev-screen.ts';
import { openTestTerminal } from '../helpers/open-test-terminal.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { describeWithRedis, startRedis } from '../helpers/start-redis.ts';

/** The server of a project whose capabilities stand in the text. */
const serve = (code: string): Readonly<Record<string, string>> => ({
  'src/server.ts': `
import { capability, createServer, defineContext, defineGuard, restTransport, trace } from 'capix';
${code}`,
});

const editor = {
  VISUAL: `${process.execPath} -e "console.log('edits', ...process.argv.slice(1)); setTimeout(() => {}, 60_000)"`,
};

describeWithRedis('the times of a request on the dev screen', () => {
  it('shows the steps with what the handler waited for: PGlite, ioredis and fetch, and the line it came from', async () => {
    const other = createServer((_request, response) => void setTimeout(() => response.end(), 300));
    await once(other.listen(0), 'listening');
    onTestFinished(() => void other.close());
    const far = `http://localhost:${(other.address() as AddressInfo).port}`;
    const redis = await startRedis();
    const { terminal, url } = await openDevScreen({
      files: serve(`import { PGlite } from '@electric-sql/pglite';
import { Redis } from 'ioredis';
const db = new PGlite();
await db.exec('create table lines (id int)');
const redis = new Redis('${redis.url}');
const query = db.query.bind(db);
db.query = ((text: string, ...more: []) => trace('db', text, () => query(text, ...more))) as never;
const mustBeUser = defineGuard(async () => { await redis.get('session:4711'); }, { name: 'mustBeUser' });
const listOrders = capability(async (_input, ctx) => {
  for (let id = 0; id < 20; id += 1)
    await db.query('select * from lines where id = $1', [id] as never);
  await fetch('${far}/rates?token=topsecret');
  return 'all';
}).guard(mustBeUser);
await createServer({ capabilities: { orders: { listOrders } }, transports: [restTransport()] }).start();`),
      size: [120, 40],
      env: editor,
    });
    await fetch(`${url}/orders`);
    await openTab(terminal, '2', 'requests 1');
    await terminal.waitFor(/\/orders +▲ [\d.]+ m?s/);
    terminal.type('\r');
    const opened = await terminal.waitFor('Where the time went: db 20, http 1, redis 1');
    expect(opened).toMatch(/▲ 20 times in .*: db select \* from lines where id = \$1/);
    terminal.type('\r');
    const screen = await terminal.waitFor(/▾ handler orders\.listOrders/);
    expect(screen).toMatch(
      /guard mustBeUser[^]*redis GET session:\?[^]*handler orders\.listOrders/,
    );
    expect(screen).toMatch(/▸ ×20 db select \* from lines where id = \$1 +[\d.]+ m?s +[▐█▌]+/);
    expect(screen).toMatch(new RegExp(`http GET ${far}/rates\\?token=•••`));
    terminal.type('/rates\r');
    await terminal.waitFor(/❯ +http GET/);
    await terminal.waitFor(/took {2}[\d.]+ m?s, \d+ %, from[^]*gave {2}200/);
    terminal.type('/\u0015lines\r');
    await terminal.waitFor(/❯ +db select/);
    terminal.type('\u001B[A');
    const repeated = await terminal.waitFor(/times 20, one after the other/);
    expect(repeated).toMatch(/from {2}src\/server\.ts:13/);
    terminal.type('e');
    await terminal.waitFor(/edits .*src\/server\.ts/);
    expect(terminal.output()).not.toContain('topsecret');
  });
});

describe('the times of a request on the dev screen', () => {
  it('shows those of a job and of a stream, and goes back to where it came from', async () => {
    const { terminal, url } = await openDevScreen({
      files: serve(`import { queueTransport } from 'capix/queue';
const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));
const send = capability(async (_input, ctx) => { await trace(ctx, 'hand over', () => pause(30)); });
const jobs = queueTransport({ capabilities: { emails: { send } } });
const getTexts = capability(async function* (_input, ctx) {
  await jobs.enqueue('emails.send', {}, { now: true });
  yield await trace(ctx, 'first item', async () => 'one');
  yield await trace(ctx, 'second item', async () => { await pause(40); return 'two'; });
}, 'query');
await createServer({ capabilities: { texts: { getTexts } }, transports: [restTransport(), jobs] }).start();`),
      size: [80, 30],
    });
    await (await fetch(`${url}/texts`)).text();
    await openTab(terminal, '2', 'requests 2');
    const search = async (words: string): Promise<void> => {
      terminal.type(`/\u0015${words}\r`);
      await terminal.waitFor(new RegExp(`❯ .*${words}`));
      terminal.type('\r');
      await terminal.waitFor('Where the time went');
      terminal.type('\r');
    };
    await search('emails');
    const job = await terminal.waitFor(/▾ handler emails\.send[^]*hand over +[\d.]+ m?s +[▐█▌]+/);
    expect(job).toMatch(/200 {2}JOB emails\.send/);
    terminal.type('\u001B');
    await terminal.waitFor('Where the time went');
    terminal.type('\u001B');
    await terminal.waitFor(/❯ .*emails/);
    await search('/texts');
    const stream = await terminal.waitFor(/▾ sending[^]*second item +[\d.]+ m?s/);
    expect(stream).toMatch(/▾ sending[^]*first item[^]*second item/);
    expect(stream).toMatch(/job emails\.send +●/);
  });

  it('shows the times of a request that is sent again beside those of the one before', async () => {
    const { terminal, url } = await openDevScreen({
      files: serve(`let count = 0;
const getText = capability(async (_input, ctx) => {
  count += 1;
  for (let at = 0; at < count * 3; at += 1) await trace('db', 'select ' + at, async () => {});
  return 'one';
});
await createServer({ capabilities: { texts: { getText } }, transports: [restTransport()] }).start();`),
      size: [120, 40],
    });
    await fetch(`${url}/texts`);
    await openTab(terminal, '2', 'requests 1');
    terminal.type('a');
    const both = await terminal.waitFor(/Before: .*, db 3 +Now: .*, db 6/);
    expect(both).toMatch(/▲ 6 times in .*: db select \?/);
    expect(both).toContain('Sent again: no differences');
  });

  it('says at once what a save made worse, until it is mended', async () => {
    const toText = (count: number): string =>
      `import { trace } from 'capix';
export const text = async () => {
  for (let at = 0; at < ${count}; at += 1) await trace('db', 'select ' + at, async () => {});
  return 'saved with ${count}';
};`;
    const { terminal, url, folder } = await openDevScreen({
      files: { 'src/text.ts': toText(2) },
      size: [100, 30],
    });
    const save = async (count: number): Promise<void> => {
      await writeFile(join(folder, 'src/text.ts'), toText(count));
      await vi.waitFor(
        async () => expect(await (await fetch(`${url}/texts`)).text()).toContain(`with ${count}`),
        { timeout: PATIENCE_MS },
      );
      await terminal.waitFor('Reloaded');
      await fetch(`${url}/texts`);
    };
    await (await fetch(`${url}/texts`)).text();
    await terminal.waitFor(/GET +\/texts +texts\.listTexts +1/);
    await save(41);
    await terminal.waitFor(/▲ GET \/texts: queries 2 → 41 since \d\d:\d\d:\d\d/);
    await save(3);
    await terminal.waitFor((screen) => !screen.includes('queries 2'));
  });
});

it('call shows the times of a call in its own process, behind a line', async () => {
  const folder = await devProject({
    'src/capabilities.ts': `import { capability, trace } from 'capix';
export const texts = {
  listTexts: capability(async (_input, ctx) => {
    for (let at = 0; at < 7; at += 1) await trace('db', 'select ' + at, async () => {});
    return trace(ctx, 'read the page', async () => ['one', 'two']);
  }, 'query'),
};`,
    'src/server.ts': `import { createServer, restTransport } from 'capix';
import { texts } from './capabilities.ts';
await createServer({ capabilities: { texts }, transports: [restTransport()] }).start();`,
  });
  const call = openTestTerminal(['call', 'texts.listTexts'], { cwd: folder, rows: 40 });
  await call.waitFor('in this process');
  call.type('\r');
  await call.waitFor(/▸ time {2}db 7 ▲/);
  call.type('\u000F');
  await call.waitFor(/❯ ▾ body/);
  call.type('G');
  await call.waitFor(/❯ ▸ time {2}db 7/);
  call.type('\u001B[C');
  const shown = await call.waitFor(/▲ 7 times in [\d.]+ m?s: db select \?/);
  expect(shown).toMatch(/handler texts\.listTexts +[\d.]+ m?s +[▐█▌]+[^]*read the page/);
  await call.close();
});
