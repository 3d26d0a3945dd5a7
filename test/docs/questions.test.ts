import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { execa } from 'execa';
import { SignJWT } from 'jose';
import { Database } from 'node-sqlite3-wasm';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  type GroupTree,
  type Server,
  silentLogger,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { testServer } from '../../server-runtime/testing/test-server.ts';
import { askCapix } from '../helpers/ask-capix.ts';
import { devProject } from '../helpers/dev-project.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { openStart } from '../helpers/open-start.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { runScript, scaffold } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const recipes = join(packageRoot, 'test/docs/questions');
const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');
const pages = readdirSync(join(packageRoot, 'docs/questions'));

it('docs/README.md begins with the twenty questions, and each is one click from it', () => {
  const index = read('docs/README.md');
  const first = index.slice(0, index.indexOf('## All pages'));
  const linked = [...first.matchAll(/\]\(questions\/([^)]+)\)/g)].map(([, name]) => name);
  expect(linked.toSorted()).toEqual(pages.toSorted());
  expect(linked).toHaveLength(20);
});

it('capix --help names the page of each command, and so does the help of the command', async () => {
  const { stdout } = await askCapix(['--help']);
  const [, list = ''] = /\nPages, in docs\/ of the package:\n([^]*?)\n\n/.exec(stdout) ?? [];
  const [first, ...lines] = list.split('\n');
  expect(first).toMatch(/^ {2}README\.md +twenty questions, and all pages$/);
  const named = lines.flatMap((line) => {
    const [, page = '', names = ''] = /^ {2}(\S+) +(.+)$/.exec(line) ?? [];
    return names.split(', ').map((name) => [name, page] as const);
  });
  const commands = readdirSync(join(packageRoot, 'commands'))
    .map((file) => file.replace('.ts', ''))
    .filter((name) => name !== 'index');
  expect(named.map(([name]) => name).toSorted()).toEqual(commands.toSorted());
  for (const [name, page] of named) {
    expect([name, read(`docs/${page}`)]).toEqual([name, expect.stringContaining(`capix ${name}`)]);
    const { stdout: help } = await askCapix([name, '--help']);
    expect(help).toContain(`\nPage:\n  docs/${page}, in the package\n`);
  }
});

it.each(pages)(
  'docs/questions/%s asks one question, answers it in code, and says what goes wrong',
  (name) => {
    const page = read(`docs/questions/${name}`);
    expect(page).toMatch(/^# How do I .+\?\n/);
    expect(page).toMatch(/\n```(ts|sh|dockerfile)\n/);
    expect(page).toMatch(/\n## What goes wrong\n/);
    expect(page).toMatch(/\n## Read on\n\n.*\]\(\.\.\/[a-z-]+\.md/);
  },
);

it.each(
  readdirSync(recipes).filter(
    (name) => !['api-client.ts', 'client-api.ts', 'uploads.ts'].includes(name),
  ),
)('its page shows %s as it is tested here', (name) => {
  const code = readFileSync(join(recipes, name), 'utf8')
    .replaceAll(/(?:\.\.\/){3}server-runtime(\/\w+)?\/(?:index|test-server)\.ts/g, 'capix$1')
    .replaceAll(
      /'\.\/(websockets|monorepo-server)\.ts'/g,
      (_, file: string) => `'${imports[file] ?? ''}'`,
    );
  const page = name.replace(/-(client|server|sqlite)?\.ts$/, '.ts').replace('.ts', '.md');
  expect(read(`docs/questions/${page}`)).toContain(`\`\`\`ts\n${code}\`\`\``);
});

/** What stands in a project in place of a file that lies beside the recipe. */
const imports: Readonly<Record<string, string>> = {
  websockets: './server.ts',
  'monorepo-server': 'api/server',
};

/** Sends a request to a server in memory. */
function ask(server: Server, path: string, init: RequestInit = {}): Promise<Response> {
  return toFetchHandler(server)(new Request(`http://localhost${path}`, init));
}

function serve(capabilities: GroupTree, more: object = {}): Server {
  return createServer({ capabilities, logger: silentLogger, ...more });
}

it('sign-in: a token of ours is a user, any other one and none are 401', async () => {
  const secret = 'a secret of thirty-two characters';
  vi.stubEnv('JWT_SECRET', secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { context, getMe } = await import('./questions/sign-in.ts');
  const server = createServer({ context, capabilities: { users: { getMe } } });
  const sign = (key: string) =>
    new SignJWT({ sub: '7' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(key));
  const by = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await ask(server, '/users/me', { headers });
    return [answer.status, await answer.json()];
  };
  expect(await by(await sign(secret))).toEqual([200, { data: { id: '7' } }]);
  expect(await by(await sign(secret.replace('a', 'b')))).toMatchObject([401, {}]);
  expect((await ask(server, '/users/me')).status).toBe(401);
});

it('database and transactions: a pool closes with its server, and a taken slot leaves nothing behind', async () => {
  const { db, server } = await import('./questions/database.ts');
  expect((await ask(server, '/users/7')).status).toBe(404);
  await db.exec("insert into users values ('7', 'Ada')");
  expect(await (await ask(server, '/users/7')).json()).toEqual({ data: { id: '7', name: 'Ada' } });

  await db.exec(
    `create table slots (id text primary key, taken boolean not null default false);
     create table visits (slot text not null); insert into slots values ('9:00')`,
  );
  const { book } = await import('./questions/transactions.ts');
  const context = defineContext(() => ({ db }));
  const booking = createServer({ context, capabilities: { visits: { book } } });
  const input = { slot: '9:00' };
  await booking.invoke({ capability: 'visits.book', input });
  await expect(booking.invoke({ capability: 'visits.book', input })).rejects.toThrow(
    '9:00 is taken',
  );
  expect((await db.query('select * from visits')).rows).toEqual([input]);
  await server.stop();
  expect(db.closed).toBe(true);
});

it('transactions: calls wait for each other on the one connection of SQLite', async () => {
  const { withSqlite } = await import('./questions/transactions-sqlite.ts');
  const db = new Database();
  onTestFinished(() => db.close());
  db.exec(
    'create table visits (slot text); create table slots (free int); insert into slots values (3)',
  );
  const book = capability.use(withSqlite)(async () => {
    db.run('insert into visits values (1)');
    await setImmediate();
    if (db.run('update slots set free = free - 1 where free > 0').changes === 0)
      throw defaultErrors.Conflict('All are taken.');
  });
  const server = serve({ visits: { book } }, { context: defineContext(() => ({ db })) });
  const calls = Array.from({ length: 20 }, () => server.invoke({ capability: 'visits.book' }));
  const outcomes = await Promise.allSettled(calls);
  const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refusals.map(String)).toEqual(Array(17).fill('Conflict: All are taken.'));
  expect(db.all('select count(*) as count from visits')).toEqual([{ count: 3 }]);
});

it('testing: the test of the page passes', async () => {
  await expect(import('./questions/testing.ts')).resolves.toBeDefined();
});

it('websockets: what one caller sends, the one who watches gets', async () => {
  const { server } = await import('./questions/websockets.ts');
  const { show } = await import('./questions/websockets-client.ts');
  await using api = await testServer({ capabilities: server.registry, webSocket: true });
  const shown: string[] = [];
  void show(api.webSocket() as never, (text) => void shown.push(text)).catch(() => {});
  await expect
    .poll(async () => {
      await api.fetch('/chat/send', { json: { text: 'hello' } });
      return shown;
    })
    .toContain('hello');
});

it('static-files: a file of the folder and its parts, and none outside of it', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'public/css'), { recursive: true });
  await writeFile(join(folder, 'public/css/a.css'), 'body {}');
  await writeFile(join(folder, 'secret.css'), 'secret');
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  onTestFinished(() => void vi.restoreAllMocks());
  const { getFile } = await import('./questions/static-files.ts');
  const server = serve({ files: { getFile } });
  const whole = await ask(server, '/css/a.css');
  expect([await whole.text(), whole.headers.get('content-type')]).toEqual(['body {}', 'text/css']);
  const part = await ask(server, '/css/a.css', { headers: { range: 'bytes=0-3' } });
  expect([part.status, await part.text()]).toEqual([206, 'body']);
  for (const path of ['/css', '/none.css', '/..%2fsecret.css', '/css%2f..%2f..%2fsecret.css'])
    expect([path, (await ask(server, path)).status]).toEqual([path, 404]);
});

it('uploads: a file streams to the disk and back with its name, as docs/rest.md shows it', async () => {
  const code = readFileSync(join(recipes, 'uploads.ts'), 'utf8');
  expect(read('docs/rest.md')).toContain(code.replace('../../../server-runtime/index.ts', 'capix'));
  const { upload, download } = await import('./questions/uploads.ts');
  const server = serve({ files: { upload, download } });
  const body = new FormData();
  body.append('file', new Blob(['a report']), 'a.pdf');
  const sent = await ask(server, '/files/upload', { method: 'POST', body });
  const { data } = (await sent.json()) as { data: { id: string } };
  onTestFinished(() => rm(join(tmpdir(), data.id)));
  const received = await ask(server, `/files/download?id=${data.id}`);
  expect(await received.text()).toBe('a report');
  expect(received.headers.get('content-disposition')).toBe('attachment; filename="report.pdf"');
});

it('pagination: page after page until there is none', async () => {
  const { listItems } = await import('./questions/pagination.ts');
  const server = serve({ items: { listItems } });
  const lengths: number[] = [];
  let cursor: string | null | undefined = '';
  while (typeof cursor === 'string') {
    const { data } = (await (await ask(server, `/items?cursor=${cursor}`)).json()) as {
      data: { items: unknown[]; nextCursor?: string | null };
    };
    lengths.push(data.items.length);
    cursor = data.nextCursor;
  }
  expect(lengths).toEqual([20, 20, 5]);
});

it('versions: both stand beside each other, and the old one says what replaces it', async () => {
  const { server } = await import('./questions/versions.ts');
  const old = await ask(server, '/v1/users/7');
  expect(await old.json()).toEqual({ data: { id: '7', name: 'Ada Lovelace' } });
  expect(old.headers.get('deprecation')).toBe('@1780272000');
  expect(await (await ask(server, '/v2/users/7')).json()).toEqual({
    data: { id: '7', first: 'Ada', last: 'Lovelace' },
  });
});

it('monorepo: the web package has the types of the api package, and a date is a date', async () => {
  const { server } = await import('./questions/monorepo-server.ts');
  const { createApi } = await import('./questions/monorepo.ts');
  const url = await listen(server);
  const { since } = await createApi(url).users.getUser({ id: '7' });
  expect(since.getTime()).toBe(0);
});

it('environment: settings have their types, and wrong ones are named before the server starts', async () => {
  const { readSettings } = await import('./questions/environment.ts');
  const url = 'postgres://localhost/shop';
  expect(readSettings({ DATABASE_URL: url, IS_BETA: 'false', PORT: '4000' })).toEqual({
    DATABASE_URL: url,
    IS_BETA: false,
    LOG_LEVEL: 'info',
    PORT: 4000,
  });
  expect(() => readSettings({ LOG_LEVEL: 'loud' })).toThrow(
    /DATABASE_URL[^]*LOG_LEVEL|LOG_LEVEL[^]*DATABASE_URL/,
  );
});

it('logging: a line of a handler has the request and its capability, as the access log has', async () => {
  const { createLoggedServer } = await import('./questions/logging.ts');
  const lines: { readonly msg: string; readonly requestId: string; readonly capability: string }[] =
    [];
  const server = createLoggedServer({ write: (line) => void lines.push(JSON.parse(line)) });
  await ask(server, '/slots/book-slot', json({ slotId: '9' }));
  await expect.poll(() => lines.length).toBe(2);
  const [own, access] = lines;
  expect(own).toMatchObject({ msg: 'Booked', slotId: '9', capability: 'slots.bookSlot' });
  expect(access).toMatchObject({ requestId: own?.requestId, status: 200 });
});

it('errors: a declared error has its name, its message and what it carries', async () => {
  const { createUser } = await import('./questions/errors.ts');
  const email = 'ada@example.org';
  const answer = await ask(serve({ users: { createUser } }), '/users', json({ email }));
  expect([answer.status, await answer.json()]).toEqual([
    409,
    { error: 'EmailTaken', message: 'That address belongs to someone else', meta: { email } },
  ]);
});

it('cors: a page of the app may read, another one may not', async () => {
  const { server } = await import('./questions/cors.ts');
  const allowed = async (origin: string) =>
    (await ask(server, '/items', { headers: { origin } })).headers.get(
      'access-control-allow-origin',
    );
  expect(await allowed('https://app.example.org')).toBe('https://app.example.org');
  expect(await allowed('https://evil.example')).toBeNull();
});

it('rate-limits: the sixth attempt for one address is 429, and says when to come back', async () => {
  const { signIn } = await import('./questions/rate-limits.ts');
  const server = serve({ auth: { signIn } });
  const statuses: number[] = [];
  let last: Response | undefined;
  for (let attempt = 0; attempt < 6; attempt++) {
    last = await ask(server, '/auth/sign-in', json({ email: 'ada@example.org', password: 'x' }));
    statuses.push(last.status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
});

it('background-jobs: a call sends its job, and one that fails sends none', async () => {
  const { server } = await import('./questions/background-jobs.ts');
  await using api = await testServer({ capabilities: server.registry });
  await api.fetch('/users', { json: { email: 'ada@example.org' } });
  await api.fetch('/users', { json: { email: 'nobody' } });
  expect(api.jobs.enqueued).toEqual([{ key: 'emails.send', input: { to: 'ada@example.org' } }]);
});

it('openapi: title, tags, names and what the edit adds are in the document', async () => {
  const { document } = await import('./questions/openapi.ts');
  expect(document).toMatchObject({
    info: { title: 'Shop' },
    tags: [{ name: 'orders', description: 'What was bought' }],
    components: { schemas: { Order: { properties: { total: { description: 'In euros' } } } } },
    'x-team': 'red',
  });
});

it('client: the client is the one that the command writes, and knows a refusal by its name', async () => {
  const folder = await devProject({
    'src/capabilities.ts': read('test/docs/questions/client-api.ts').replace(
      '../../../server-runtime/index.ts',
      'capix',
    ),
  });
  const { stdout } = await askCapix(['client'], { cwd: folder });
  // The formatter orders imports, and sets quotes and line feeds of its own.
  const bare = (text: string) =>
    text
      .replaceAll(/[\s'",;]|(?:\.\.\/){3}server-runtime\/client\/index\.ts|capix\/client/g, '')
      .split(/(?=export(?:\{|type\{))|(?<=\}from)/)
      .toSorted();
  expect(bare(read('test/docs/questions/api-client.ts'))).toEqual(bare(stdout));

  const { capabilities } = await import('./questions/client-api.ts');
  const { readUser } = await import('./questions/client.ts');
  await using api = await testServer({ capabilities });
  expect(await readUser(api.url, 'abc', '7')).toBe('Ada');
  expect(await readUser(api.url, 'abc', '8')).toBe('nobody');
});

it('migration: what capix has it answers, and the rest is still that of Express', async () => {
  const { app } = await import('./questions/migration.ts');
  const http = createHttpServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void http.close());
  await new Promise((resolve) => http.once('listening', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  expect(await (await fetch(`${url}/users/7`)).json()).toEqual({ data: { id: '7' } });
  expect(await (await fetch(`${url}/orders/7`)).json()).toEqual({ id: '7' });
});

it('deployment and Docker: the commands of both pages build, start and stop a new project', async () => {
  const folder = await scaffold('shop');
  const own = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(own).toContain('`node_modules/capix/docs/README.md` answers twenty questions');
  const dockerfile = /```dockerfile\n([^]*?)```/.exec(read('docs/questions/docker.md'))?.[1] ?? '';
  const steps = dockerfile.split('\n').filter((line) => /^(RUN|CMD) /.test(line));
  expect(steps).toEqual([
    'RUN npm ci',
    'RUN npm run build',
    'RUN npm ci --omit=dev',
    'CMD ["node", "--enable-source-maps", "dist/server.js"]',
  ]);
  expect((await runScript(folder, 'build')).exitCode).toBe(0);

  const port = await findFreePort();
  const container = execa('node', ['--enable-source-maps', 'dist/server.js'], {
    cwd: folder,
    env: { PORT: String(port) },
    reject: false,
  });
  await expect.poll(() => statusOf(`http://127.0.0.1:${port}/items`)).toBe(200);
  container.kill('SIGTERM');
  expect((await container).exitCode).toBe(0);

  expect(read('docs/questions/deployment.md')).toContain('npx capix start');
  const started = openStart(folder, ['--workers', '2'], { port });
  await started.next('ready');
  expect(await statusOf(`http://127.0.0.1:${port}/items`)).toBe(200);
  started.kill('SIGHUP');
  await started.next('restarted');
  expect(await statusOf(`http://127.0.0.1:${port}/items`)).toBe(200);
  started.kill('SIGTERM');
  await started.ended;
});

function json(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url).catch(() => undefined))?.status ?? 0;
}

async function listen(server: Server): Promise<string> {
  const { toNodeHandler } = await import('../../server-runtime/index.ts');
  const http = createHttpServer(toNodeHandler(server)).listen(0, '127.0.0.1');
  onTestFinished(() => void http.close());
  await new Promise((resolve) => http.once('listening', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
