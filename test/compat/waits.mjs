/**
 * `npm run compat:waits`: what `capix dev` sees of the clients of databases, of Redis and of HTTP in today's versions, with real servers. Writes
 * the table of docs/where-time-goes.md. A client whose server this machine lacks is counted as not run.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findRedisServer } from '../../scripts/find-redis-server.mjs';
import { findPort, hasPostgres, startPostgres } from './start-postgres.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const cache = join(root, 'node_modules', '.cache', 'capix-waits');
const page = join(root, 'docs', 'where-time-goes.md');
const run = promisify(execFile);

/** What a project with instrumentations has: an SDK, and the line that shows its spans under `capix dev`. */
const sdk = `import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { devSpans } from 'capix/opentelemetry';
new NodeTracerProvider({ spanProcessors: [devSpans()] }).register();
`;
const sdkPackages = {
  '@opentelemetry/api': '1.9.1',
  '@opentelemetry/sdk-trace-node': '2.12.1',
  '@opentelemetry/instrumentation': '0.223.0',
};

/** Each: its packages, what the server needs, the code of a handler, and the marks that it must have. */
const clients = {
  'fetch of Node': {
    code: "await (await fetch('URL/far?token=secret')).text();",
    marks: [/^http GET URL\/far\?token=•••$/],
  },
  undici: {
    packages: { undici: '^7' },
    imports: "import { request } from 'undici';",
    code: "await (await request('URL/far')).body.text();",
    marks: [/^http GET URL\/far$/],
  },
  'axios, by node:http': {
    packages: { axios: '*' },
    imports: "import axios from 'axios';",
    code: "await axios.get('URL/far');",
    marks: [/^http GET URL\/far$/],
  },
  ioredis: {
    packages: { ioredis: '*' },
    needs: 'REDIS',
    imports: "import { Redis } from 'ioredis'; const redis = new Redis('REDIS');",
    code: "await redis.get('user:7');",
    marks: [/^redis GET user:\?$/],
  },
  'node-redis': {
    packages: { redis: '*' },
    needs: 'REDIS',
    imports:
      "import { createClient } from 'redis'; const client = await createClient({ url: 'REDIS' }).connect();",
    code: "await client.get('user:7');",
    marks: [/^redis GET user:\?$/],
  },
  'pg, a pool under contention': {
    packages: { pg: '*' },
    needs: 'POSTGRES',
    imports:
      "import pg from 'pg'; const pool = new pg.Pool({ connectionString: 'POSTGRES', max: 1 });",
    code: "await Promise.all([1, 2, 3].map((id) => pool.query('select $1::int, ' + id, [id])));",
    marks: [/^db select \$1::int, \?$/, /^db select \$1::int, \?$/, /^db select \$1::int, \?$/],
  },
  'drizzle on pg': {
    packages: { 'drizzle-orm': '*', pg: '*' },
    needs: 'POSTGRES',
    imports:
      "import { drizzle } from 'drizzle-orm/node-postgres'; import { sql } from 'drizzle-orm'; const orm = drizzle('POSTGRES');",
    code: "await orm.execute(sql`select 4711 as a, ${'secret'}::text`);",
    marks: [/^db select \? as a, \$1::text$/],
  },
  'kysely on pg': {
    packages: { kysely: '*', pg: '*' },
    needs: 'POSTGRES',
    imports:
      "import pg from 'pg'; import { Kysely, PostgresDialect, sql } from 'kysely'; const orm = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: 'POSTGRES' }) }) });",
    code: 'await sql`select 4711`.execute(orm);',
    marks: [/^db select \?$/],
  },
  'node:sqlite': {
    node: 26,
    imports: "import { DatabaseSync } from 'node:sqlite'; const db = new DatabaseSync(':memory:');",
    code: "db.prepare('select ?').all('secret');",
    marks: [/^db select \?$/],
  },
  // The channels of undici, and the wrapped client of pg, see the same.
  'undici with instrumentation, once': {
    packages: { ...sdkPackages, '@opentelemetry/instrumentation-undici': '0.33.0', undici: '^7' },
    imports: `${sdk}import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { request } from 'undici';
registerInstrumentations({ instrumentations: [new UndiciInstrumentation()] });`,
    code: "await (await request('URL/far?token=secret')).body.text();",
    marks: [/^http GET URL\/far\?token=•••$/],
  },
  'pg with instrumentation, once': {
    packages: { ...sdkPackages, '@opentelemetry/instrumentation-pg': '0.76.0', pg: '*' },
    needs: 'POSTGRES',
    imports: `${sdk}import { createRequire } from 'node:module';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
registerInstrumentations({ instrumentations: [new PgInstrumentation()] });
const pg = createRequire(import.meta.url)('pg');
const pool = new pg.Pool({ connectionString: 'POSTGRES', max: 1 });`,
    code: "await Promise.all([1, 2].map((id) => pool.query('select $1::int, ' + id, [id])));",
    marks: [
      /^trace pg-pool\.connect$/,
      /^trace pg-pool\.connect$/,
      /^db select \$1::int, \?$/,
      /^db select \$1::int, \?$/,
    ],
  },
  'a span of your own': {
    packages: sdkPackages,
    imports: `${sdk}import { trace } from '@opentelemetry/api';`,
    code: "await trace.getTracer('own').startActiveSpan('read prices', async (span) => { await Promise.resolve(); span.end(); });",
    marks: [/^trace read prices$/],
  },
};

const ends = [];
/** @type {[string, { outcome: string, event?: unknown }][]} */
const results = [];
try {
  await install();
  const addresses = { REDIS: await startRedis(), POSTGRES: await startDatabase() };
  for (const [name, client] of Object.entries(clients))
    results.push([name, await look(client, addresses)]);
  for (const [name, { outcome }] of results) process.stdout.write(`${name}: ${outcome}\n`);
  await writeTable();
} finally {
  for (const end of ends.toReversed()) await end();
}
process.exitCode = results.every(([, { outcome }]) => outcome !== 'NOT SEEN') ? 0 : 1;

async function install() {
  await mkdir(cache, { recursive: true });
  const dependencies = Object.assign({}, ...Object.values(clients).map(({ packages }) => packages));
  await writeFile(join(cache, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: cache });
  const packages = join(cache, 'node_modules');
  for (const [name, target] of [
    ['capix', root],
    ['zod', join(root, 'node_modules', 'zod')],
  ])
    if (!existsSync(join(packages, name))) await symlink(target, join(packages, name), 'junction');
}

/** Runs the client in a handler under `capix dev`, and looks at the marks of the second call: the first one connects. */
async function look({ imports = '', code, marks, needs, node }, addresses) {
  if (node !== undefined && Number(process.versions.node.split('.')[0]) < node)
    return { outcome: `not run: publishes from Node ${node} on` };
  if (needs !== undefined && addresses[needs] === undefined)
    return { outcome: `not run: no ${needs.toLowerCase()} here` };
  const port = await findPort();
  const url = `http://localhost:${port}`;
  const fill = (text) =>
    text.replaceAll(/REDIS|POSTGRES/g, (name) => addresses[name]).replaceAll('URL', url);
  await mkdir(join(cache, 'src'), { recursive: true });
  await writeFile(
    join(cache, 'src', 'server.ts'),
    `import { capability, createServer, restTransport } from 'capix';
${fill(imports)}
const getFar = capability(() => 'far', 'query').route('GET', '/far');
const getAll = capability(async () => { ${fill(code)} return 'all'; }, 'query').route('GET', '/all');
await createServer({ capabilities: { a: { getFar, getAll } }, transports: [restTransport({ port: ${port} })] }).start();
`,
  );
  const dev = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), 'dev', '--json'], {
    cwd: cache,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => dev.once('exit', resolve));
  try {
    let count = 0;
    for await (const line of createInterface(dev.stdout)) {
      const event = JSON.parse(line);
      if (['failed', 'exited'].includes(event.event)) return { outcome: 'NOT SEEN', event };
      if (event.event === 'output') process.stderr.write(`${event.line}\n`);
      if (event.event === 'ready' || (event.capability === 'a.getAll' && ++count === 1))
        void fetch(`${url}/all`).then((answer) => answer.text());
      if (count < 2 || event.capability !== 'a.getAll') continue;
      const waits = event.marks.list
        .filter(({ kind }) => /^(http|db|redis|trace)$/.test(kind))
        .map(({ kind, name }) => `${kind} ${name}`.replaceAll(url, 'URL'));
      const isSeen =
        waits.length === marks.length && marks.every((mark, at) => mark.test(waits[at]));
      if (!isSeen) process.stderr.write(`${JSON.stringify(waits)}\n`);
      return { outcome: isSeen ? `seen, as ${[...new Set(waits)].join(', ')}` : 'NOT SEEN' };
    }
    return { outcome: 'NOT SEEN' };
  } finally {
    dev.kill();
    await ended;
  }
}

async function startRedis() {
  const program = findRedisServer();
  if (program === undefined) return undefined;
  const port = await findPort();
  const child = spawn(program, ['--port', String(port), '--save', ''], { stdio: 'ignore' });
  ends.push(async () => child.kill());
  return `redis://localhost:${port}`;
}

/** Undefined where this machine has none. */
async function startDatabase() {
  if (!hasPostgres) return undefined;
  const { url, end } = await startPostgres();
  ends.push(end);
  return url;
}

async function writeTable() {
  const before = await readFile(page, 'utf8');
  const versionOf = async (name) => {
    const file = join(cache, 'node_modules', name, 'package.json');
    const shown = name.replace('@opentelemetry/', '');
    return existsSync(file) ? `${shown} ${JSON.parse(await readFile(file, 'utf8')).version}` : '';
  };
  const rows = await Promise.all(
    results.map(async ([name, { outcome }]) => {
      const packages = Object.keys(clients[name].packages ?? {}).filter(
        (each) => !['@opentelemetry/api', '@opentelemetry/instrumentation'].includes(each),
      );
      const versions = await Promise.all(packages.map(versionOf));
      const shown = outcome.replaceAll(/ as (.*)$/g, ' as `$1`').replaceAll('URL', 'http://…');
      return `| ${name} | ${versions.join(', ') || `Node ${process.versions.node}`} | ${shown} |`;
    }),
  );
  const table = ['| Client | Version | Under `capix dev` |', '|---|---|---|', ...rows].join('\n');
  const marked = /(<!-- waits -->\n)[^]*(\n<!-- \/waits -->)/;
  await writeFile(
    page,
    before.replace(marked, (_, start, end) => start + table + end),
  );
}
