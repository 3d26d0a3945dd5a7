import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, startPostgres } from '../compat/start-postgres.mjs';
import { openDevScreen, openTab } from '../helpers/open-dev-screen.ts';
import { packageRoot } from '../helpers/run-capix.ts';

/** In a folder of this checkout, whose PGlite they find. */
const packages = { 'drizzle-orm': '0.45.4', pg: '8.23.1' };
const cache = join(packageRoot, 'node_modules', '.cache', 'capix-databases');
const installed = join(cache, 'node_modules');
beforeAll(async () => {
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, 'package.json'), JSON.stringify({ dependencies: packages }));
  await execa('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: cache });
});

interface Handler {
  readonly imports: string;
  readonly body: string;
  /** A word of the statement that it runs many times. */
  readonly word: string;
}

/** The times of the second call of a handler, the statement of many selected: the first one connects. */
async function drawTimes({ imports, body, word }: Handler): Promise<readonly string[]> {
  const { terminal, url } = await openDevScreen({
    files: {
      'src/server.ts': `
import { capability, createServer, restTransport, trace } from 'capix';
${imports}
const listOrders = capability(async () => {
  ${body}
  return 'all';
});
await createServer({ capabilities: { orders: { listOrders } }, transports: [restTransport()] }).start();`,
    },
    size: [120, 40],
  });
  for (const _ of ['first', 'second']) {
    const answer = await fetch(`${url}/orders`);
    expect(answer.status).toBe(200);
    await answer.text();
  }
  await openTab(terminal, '2', 'requests 2');
  terminal.type('\r');
  await terminal.waitFor('Where the time went');
  terminal.type('\r');
  const screen = await terminal.waitFor(/▾ handler orders\.listOrders/);
  terminal.type(`/${word}\r`);
  await terminal.waitFor(/❯ +db select/);
  terminal.type('\u001B[A');
  return [screen, await terminal.waitFor(/times \d+, /)];
}

describe.runIf(hasPostgres || process.env['CI'])('with a PostgreSQL', () => {
  it('shows the statements of pg, which nothing was set up for, and many of one as one bar', async () => {
    const postgres = await startPostgres();
    onTestFinished(postgres.end);
    const [screen = '', chosen] = await drawTimes({
      word: 'pg_sleep',
      imports: `import pg from '${installed}/pg/lib/index.js';
const pool = new pg.Pool({ connectionString: '${postgres.url}', max: 1 });`,
      body: `await pool.query('select $1::text as name', ['topsecret']);
  for (const id of [1, 2, 3, 4, 5, 6, 7]) await pool.query('select pg_sleep(0.01), $1::int as id', [id]);`,
    });
    expect(screen).toContain('db 8');
    expect(screen).toMatch(
      /▾ handler orders\.listOrders[^]*db select \$1::text as name +[\d.]+ m?s +[▐█▌]+[^]*▸ ×7 db select pg_sleep\(\?\), \$1::int as id +[\d.]+ m?s +[▐█▌]+/,
    );
    expect(chosen).toContain('times 7, one after the other');
    expect(screen).not.toContain('topsecret');
  });
});

it('shows the statements of drizzle on PGlite by the one line of the page', async () => {
  const [screen, chosen] = await drawTimes({
    word: 'order_id',
    imports: `import { PGlite } from '@electric-sql/pglite';
import { drizzle } from '${installed}/drizzle-orm/pglite/index.js';
import { integer, pgTable } from '${installed}/drizzle-orm/pg-core/index.js';
import { eq } from '${installed}/drizzle-orm/index.js';
const db = await PGlite.create();
await db.exec('create table lines (order_id int); insert into lines select generate_series(1, 5000)');
const query = db.query.bind(db);
db.query = ((text: string, ...more: []) => trace('db', text, () => query(text, ...more))) as never;
const orm = drizzle(db as never);
const lines = pgTable('lines', { orderId: integer('order_id') });`,
    body: `for (const id of [1, 2, 3, 4, 5, 6]) await orm.select().from(lines).where(eq(lines.orderId, id));`,
  });
  expect(screen).toContain('db 6');
  expect(screen).toMatch(
    /▾ handler orders\.listOrders[^]*▸ ×6 db select "order_id" from "lines" where "lines… +[\d.]+ m?s +[▐█▌ ]+/,
  );
  // The query of drizzle runs when it is awaited. Before Node 26, of the project only the wrapper is in its stack.
  const line = Number.parseInt(process.versions.node, 10) >= 26 ? 14 : 10;
  expect(chosen).toMatch(
    new RegExp(`times 6, one after the other[^]*from {2}src/server\\.ts:${line}`),
  );
});
