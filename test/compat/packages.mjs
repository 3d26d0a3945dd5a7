/**
 * `npm run compat:packages`: packages that want to start first, or to be alone with a file, under `capix dev` with saves. Writes the table of
 * docs/compatibility.md. Words choose among them: `npm run compat:packages -- PGlite`. `SAVES=5` sets how many saves there are, in place of 50.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as mountedAuth from './mounted-auth.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const cache = join(root, 'node_modules', '.cache', 'capix-packages');
const page = join(root, 'docs', 'compatibility.md');
const saves = Number(process.env.SAVES ?? 50);
const run = promisify(execFile);

/** A database whose rows are counted at each start; each start adds one, and closes as its documentation says. */
const toDatabase = (open, add, count, close) => `${open}
await (async () => { ${add} })();
export const rows = Number(await (async () => ${count})());
process.once('SIGTERM', async () => { ${close}; process.exit(); });`;

/** Each: its packages, the file that the server imports first, the words that `GET /facts` must hold. `facts` is what the file exports. */
const candidates = {
  // Each of its versions before 1.0 may have other names.
  OpenTelemetry: {
    packages: {
      '@opentelemetry/sdk-node': '~0.223.0',
      '@opentelemetry/instrumentation': '~0.223.0',
      '@opentelemetry/instrumentation-http': '~0.223.0',
    },
    nodeOptions: [
      '--experimental-loader=@opentelemetry/instrumentation/hook.mjs',
      '--import',
      './otel.mjs',
    ],
    files: {
      'otel.mjs': `import { NodeSDK, tracing } from '@opentelemetry/sdk-node';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
globalThis.exporter = new tracing.InMemorySpanExporter();
const spanProcessors = [new tracing.SimpleSpanProcessor(globalThis.exporter)];
new NodeSDK({ spanProcessors, instrumentations: [new HttpInstrumentation()] }).start();`,
      'src/first.ts': `export const readFacts = () => ({ spans: globalThis.exporter.getFinishedSpans().map(({ name }) => name) });`,
    },
    isRight: ({ spans }) => spans.includes('GET'),
  },
  Sentry: {
    packages: { '@sentry/node': '*', express: '*', pg: '*' },
    files: {
      'src/instrument.ts': `import * as Sentry from '@sentry/node';
globalThis.transactions = [];
Sentry.init({
  dsn: 'https://key@127.0.0.1/1',
  tracesSampleRate: 1,
  traceLifecycle: 'static',
  beforeSendTransaction: ({ spans = [] }) => (globalThis.transactions.push(spans.map(({ origin }) => origin)), null),
  transport: () => ({ send: async () => ({}), flush: async () => true }),
});`,
      // An application of express that listens nowhere, which would be a start of its own, and a database that nobody runs.
      'src/traced.ts': `import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import express from 'express';
import pg from 'pg';
import * as Sentry from '@sentry/node';
const askExpress = () =>
  new Promise((resolve) => {
    const app = express();
    app.get('/hello', (_request, response) => response.end('hello'));
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url: '/hello' });
    const response = new ServerResponse(request).on('finish', resolve);
    response.assignSocket(socket);
    app(request, response);
  });
export const readFacts = async () => {
  await askExpress();
  const client = new pg.Client({ host: '127.0.0.1', port: 1 }).on('error', () => {});
  await client.connect().catch(() => {});
  await Promise.race([client.query('select 1').catch(() => {}), new Promise((resolve) => setTimeout(resolve, 100))]);
  await Sentry.flush(1000);
  return { isOn: Sentry.isInitialized(), trace: Sentry.getActiveSpan() !== undefined, origins: globalThis.transactions.flat() };
};`,
      'src/first.ts': `import './instrument.ts';\nexport { readFacts } from './traced.ts';`,
    },
    isRight: ({ isOn, trace, origins }) =>
      isOn &&
      trace &&
      ['auto.http.express', 'auto.db.postgres'].every((origin) => origins.includes(origin)),
  },
  'dotenv/config': {
    packages: { dotenv: '*' },
    files: {
      'settings.env': 'GREETING=hello\n',
      'src/second.ts': `export const greeting = process.env.GREETING;`,
      'src/first.ts': `import 'dotenv/config';
import { greeting } from './second.ts';
export const readFacts = () => ({ greeting });`,
    },
    environment: { DOTENV_CONFIG_PATH: 'settings.env' },
    isRight: ({ greeting }) => greeting === 'hello',
  },
  PGlite: {
    packages: { '@electric-sql/pglite': '*' },
    files: {
      'src/first.ts': `${toDatabase(
        `import { PGlite } from '@electric-sql/pglite';\nconst db = new PGlite('./pgdata');`,
        `await db.exec('create table if not exists starts (id serial); insert into starts default values');`,
        `(await db.query('select count(*) as n from starts')).rows[0].n`,
        `await db.close()`,
      )}\nexport const readFacts = () => ({ rows });`,
    },
  },
  libsql: {
    packages: { '@libsql/client': '*' },
    files: {
      'src/first.ts': `${toDatabase(
        `import { createClient } from '@libsql/client';\nconst db = createClient({ url: 'file:data.db' });`,
        `await db.executeMultiple('create table if not exists starts (id integer primary key); insert into starts default values;');`,
        `(await db.execute('select count(*) as n from starts')).rows[0].n`,
        `db.close()`,
      )}\nexport const readFacts = () => ({ rows });`,
    },
  },
  'better-sqlite3': {
    packages: { 'better-sqlite3': '*' },
    files: {
      'src/first.ts': `${toDatabase(
        `import Database from 'better-sqlite3';\nconst db = new Database('data.db');`,
        `db.exec('create table if not exists starts (id integer primary key); insert into starts default values;');`,
        `db.prepare('select count(*) as n from starts').get().n`,
        `db.close()`,
      )}\nexport const readFacts = () => ({ rows });`,
    },
  },
  // What a class is injected with is known by the metadata of its decorators.
  NestJS: {
    packages: { '@nestjs/common': '*', '@nestjs/core': '*', 'reflect-metadata': '*', rxjs: '*' },
    files: {
      'tsconfig.json':
        '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
      'src/first.ts': `import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
@Injectable() class Words { greet(): string { return 'hello'; } }
@Injectable() class Greeter { constructor(private readonly words: Words) {} greet() { return this.words.greet(); } }
@Module({ providers: [Words, Greeter] }) class AppModule {}
const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
export const readFacts = () => ({ greeting: app.get(Greeter).greet() });`,
    },
    isRight: ({ greeting }) => greeting === 'hello',
  },
  DuckDB: {
    packages: { '@duckdb/node-api': '*' },
    files: {
      'src/first.ts': `${toDatabase(
        `import { DuckDBInstance } from '@duckdb/node-api';\nconst instance = await DuckDBInstance.create('data.duckdb');\nconst db = await instance.connect();`,
        `await db.run('create table if not exists starts (number integer)'); await db.run('insert into starts values (1)');`,
        `(await db.runAndReadAll('select count(*)::integer as n from starts')).getRows()[0][0]`,
        `db.closeSync(); instance.closeSync()`,
      )}\nexport const readFacts = () => ({ rows });`,
    },
  },
};

/** What docs/operating.md says of production: `capix start` with the file that it shows. */
const production = 'OpenTelemetry, `capix start`';
/** What docs/mounting.md says of a handler inside capix. */
const mounted = 'better-auth behind `mounts`';

const toServer = (save) => `import { readFacts } from './first.ts';
import { capability, createServer, restTransport } from 'capix';
const listFacts = capability(async () => ({ save: ${save}, ...(await readFacts()) }));
await createServer({ capabilities: { facts: { listFacts } }, transports: [restTransport()] }).start();
`;

async function install() {
  await mkdir(cache, { recursive: true });
  const dependencies = Object.assign(
    {},
    ...Object.values(candidates).map(({ packages }) => packages),
    mountedAuth.packages,
  );
  await writeFile(join(cache, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: cache });
}

/** A project that finds the packages of the cache, and this checkout. */
async function makeProject(packages, files) {
  const folder = await mkdtemp(join(tmpdir(), 'capix-packages-'));
  const write = async (file, text) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  const manifest = { type: 'module', private: true, dependencies: packages };
  await write('package.json', JSON.stringify(manifest));
  await mkdir(join(folder, 'node_modules'));
  await linkAll(folder);
  for (const [file, text] of Object.entries(files)) await write(file, text);
  return { folder, write };
}

async function readVersions(packages) {
  const read = async (name) =>
    JSON.parse(await readFile(join(cache, 'node_modules', name, 'package.json'), 'utf8'));
  return Promise.all(
    Object.keys(packages).map(async (name) => `${name} ${(await read(name)).version}`),
  );
}

async function tryCandidate(
  name,
  { packages, files, environment = {}, nodeOptions = [], isRight },
) {
  const { folder, write } = await makeProject(packages, { ...files, 'src/server.ts': toServer(0) });
  const child = spawn(
    process.execPath,
    [
      join(root, 'dist', 'cli.cjs'),
      'dev',
      'src/server.ts',
      '--json',
      '--port',
      '0',
      '--',
      ...nodeOptions,
    ],
    {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const isWell = isRight ?? (({ rows }, index) => rows === index + 1);
  try {
    const seen = [];
    let save = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      const event = JSON.parse(line);
      if (event.event === 'failed' || event.event === 'exited') throw new Error(line.slice(0, 600));
      if (event.event !== 'ready') continue;
      seen.push(
        await readUntil(new URL(event.urls[0]).port, save, (facts) => isWell(facts, seen.length)),
      );
      if (save === saves) break;
      save += 1;
      await write('src/server.ts', toServer(save));
    }
    const wrong = seen.findIndex((facts, index) => !isWell(facts, index));
    if (seen.length !== saves + 1 || wrong >= 0)
      throw new Error(`${name}: ${JSON.stringify(seen)}`);
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) =>
      child.exitCode === null ? child.once('exit', resolve) : resolve(),
    );
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * Two processes of `capix start` send their spans to a collector, the last of them as they end. The file that sets the SDK up is the one of
 * docs/operating.md.
 */
async function tryProduction() {
  const operating = await readFile(join(root, 'docs', 'operating.md'), 'utf8');
  const [setUp] = /(?<=```ts\n)import \{ register \}[^]*?(?=```)/.exec(operating) ?? [];
  if (setUp === undefined) throw new Error('docs/operating.md shows no file that starts an SDK.');
  const collector = await openCollector();
  const { folder } = await makeProject(candidates.OpenTelemetry.packages, {
    'dist/otel.js': setUp,
    'dist/server.js': `import { sdk } from './otel.js';
import { openTelemetry } from 'capix/opentelemetry';
import { capability, createServer, restTransport } from 'capix';
const listFacts = capability(() => process.pid);
const server = createServer({
  capabilities: { facts: { listFacts } }, plugins: [openTelemetry()], transports: [restTransport({ port: Number(process.env.PORT) })],
});
await server.start();
process.once('SIGTERM', () => server.stop().then(() => sdk.shutdown()).then(() => process.exit()));`,
  });
  const words = [
    'start',
    '--workers',
    '2',
    '--json',
    '--port',
    '0',
    '--',
    '--import',
    './dist/otel.js',
  ];
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), ...words], {
    cwd: folder,
    env: {
      ...process.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const ready = await readEvents(child.stdout, ['ready', 'worker-started']);
    const pids = new Set();
    for (let asked = 0; asked < 4; asked++) {
      const response = await fetch(`${ready.urls[0]}/facts`, { headers: { connection: 'close' } });
      pids.add((await response.json()).data);
    }
    child.kill('SIGTERM');
    const exitCode = await ended;
    const names = collector.spans();
    const isRight = ['GET /facts', 'facts.listFacts', 'handler facts.listFacts'].every(
      (wanted) => names.filter((name) => name === wanted).length === 4,
    );
    if (exitCode !== 0 || pids.size !== 2 || collector.senders() !== 2 || !isRight)
      throw new Error(`${exitCode} ${[...pids]} ${names}`);
  } finally {
    child.kill('SIGKILL');
    collector.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** A process of `capix start`, in which better-auth answers below a path and a guard reads its sessions. */
async function tryMounted() {
  const { folder } = await makeProject(mountedAuth.packages, mountedAuth.files);
  const words = ['start', '--workers', '1', '--json', '--port', '0'];
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const ready = await readEvents(child.stdout, ['ready']);
    await mountedAuth.check(ready.urls[0]);
    child.kill('SIGTERM');
    if ((await ended) !== 0) throw new Error('It did not end well.');
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Takes spans as OTLP in JSON. */
async function openCollector() {
  const bodies = [];
  const server = createHttpServer((request, response) => {
    const take = (body) => {
      bodies.push(JSON.parse(body));
      response.end('{}');
    };
    text(request).then(take, () => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const all = () => bodies.flatMap(({ resourceSpans }) => resourceSpans);
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    spans: () =>
      all().flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans.map(({ name }) => name)),
      ),
    senders: () => {
      const attributes = all().flatMap(({ resource }) => resource.attributes);
      const pids = attributes.filter(({ key }) => key === 'process.pid');
      return new Set(pids.map(({ value }) => JSON.stringify(value))).size;
    },
    close: () => server.close(),
  };
}

/** Reads lines until each of these events was there once. Gives the first. */
async function readEvents(output, names) {
  const seen = [];
  for await (const line of createInterface({ input: output })) {
    seen.push(JSON.parse(line));
    if (names.every((name) => seen.some(({ event }) => event === name)))
      return seen.find(({ event }) => event === names[0]);
  }
  throw new Error(`The command ended after ${JSON.stringify(seen)}.`);
}

/** The packages of the cache, and this checkout. */
async function linkAll(folder) {
  const { dependencies } = JSON.parse(await readFile(join(cache, 'package.json'), 'utf8'));
  const targets = Object.keys(dependencies).map((name) => [
    name,
    join(cache, 'node_modules', name),
  ]);
  for (const [name, target] of [
    ...targets,
    ['capix', root],
    ['zod', join(root, 'node_modules', 'zod')],
  ]) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true });
    await symlink(target, join(folder, 'node_modules', name));
  }
}

/** A few requests: one has ended for its client before whoever traces it knows that. */
async function readUntil(port, save, isWell) {
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/facts`);
    const text = await response.text();
    if (!text.startsWith('{"data"'))
      throw new Error(`Save ${save} is answered by ${response.status} ${text}.`);
    return JSON.parse(text).data;
  };
  const first = await ask();
  if (first.save !== save)
    throw new Error(`Save ${save} is answered by the code of ${first.save}.`);
  let facts = await ask();
  for (let more = 0; more < 5 && !isWell(facts); more++) facts = await ask();
  return facts;
}

async function writeRows(rows) {
  const text = await readFile(page, 'utf8');
  const written = rows.reduce((before, [name, versions, result]) => {
    const row = `| ${name} | ${versions.join(', ')} | ${result} |`;
    const old = before.split('\n').find((line) => line.startsWith(`| ${name} |`));
    return old === undefined ? before : before.replace(old, () => row);
  }, text);
  await writeFile(page, written);
}

const words = process.argv.slice(2);
await install();
const isWanted = (name) =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));
const trials = [
  ...Object.entries(candidates).map(([name, candidate]) => ({
    name,
    packages: candidate.packages,
    result: `yes, ${saves} saves`,
    run: () => tryCandidate(name, candidate),
  })),
  {
    name: production,
    packages: candidates.OpenTelemetry.packages,
    result: 'yes',
    run: tryProduction,
  },
  {
    name: mounted,
    packages: mountedAuth.packages,
    result: 'yes: sign-up, sign-out, sign-in, and the session in a guard',
    run: tryMounted,
  },
];
const rows = [];
for (const { name, packages, result, run: runTrial } of trials.filter((trial) =>
  isWanted(trial.name),
)) {
  const failed = await runTrial().then(
    () => undefined,
    (error) => error.message,
  );
  process.stdout.write(`${name.padEnd(36)} ${failed === undefined ? 'yes' : `no: ${failed}`}\n`);
  rows.push([name, await readVersions(packages), failed === undefined ? result : 'no']);
}
await writeRows(rows);
process.exitCode = rows.some(([, , result]) => result === 'no') ? 1 : 0;
