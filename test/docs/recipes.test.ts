import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Attributes, type Span, type SpanContext, trace } from '@opentelemetry/api';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  type GroupTree,
  restTransport,
  silentLogger,
  toFetchHandler,
  withTimeout,
} from '../../server-runtime/index.ts';
import { mockContext } from '../../server-runtime/testing/test-server.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { deleteUser } from './recipes/audit.ts';
import * as cookies from './recipes/cookies.ts';
import { server as tenantServer } from './recipes/tenants.ts';
import { createTracedServer } from './recipes/tracing.ts';
import { addItem, withTransaction } from './recipes/transactions.ts';

// Imports are read before anything else runs, and the recipe of cookies signs by its environment.
vi.hoisted(() => vi.stubEnv('SESSION_SECRET', 'a secret of thirty-two characters'));
// Other files run in the same process.
afterAll(() => vi.unstubAllEnvs());

const folder = join(packageRoot, 'test/docs/recipes');

it.each(readdirSync(folder))('docs/middleware.md shows %s as it is tested here', (name) => {
  const code = readFileSync(join(folder, name), 'utf8').replaceAll(
    /\.\.\/\.\.\/\.\.\/server-runtime(\/\w+)?\/index\.ts/g,
    'capix$1',
  );
  expect(readFileSync(join(packageRoot, 'docs/middleware.md'), 'utf8')).toContain(
    `\`\`\`ts\n${code}\`\`\``,
  );
});

describe('a transaction', () => {
  /** What became of each transaction, and a context that has the database. */
  function createDatabase() {
    const log: string[] = [];
    const transaction = async <T>(
      work: (tx: { insert: (row: { name: string }) => Promise<void> }) => Promise<T>,
    ) => {
      try {
        const result = await work({ insert: async ({ name }) => void log.push(name) });
        log.push('committed');
        return result;
      } catch (error) {
        log.push('rolled back');
        throw error;
      }
    };
    return { log, context: defineContext(() => ({ db: { transaction } })) };
  }

  it('is committed with the answer, and rolled back where the handler fails or its caller has got 504', async () => {
    const { log, context } = createDatabase();
    const cap = capability.use(withTransaction);
    const fail = cap(async (_input, ctx) => {
      await ctx.tx.insert({ name: 'gone' });
      throw defaultErrors.Conflict();
    }, 'mutation');
    const slow = cap(async (_input, ctx) => {
      await ctx.tx.insert({ name: 'late' });
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
    }, 'mutation').enhance(withTimeout(10));
    const server = createServer({
      context,
      capabilities: { addItem, fail, slow },
      logger: silentLogger,
    });
    await server.invoke({ capability: 'addItem', input: { name: 'kept' } });
    expect(log.splice(0)).toEqual(['kept', 'committed']);
    await expect(server.invoke({ capability: 'fail' })).rejects.toThrow('Conflict');
    expect(log.splice(0)).toEqual(['gone', 'rolled back']);
    await expect(server.invoke({ capability: 'slow' })).rejects.toThrow('Timeout');
    await expect.poll(() => log).toEqual(['late', 'rolled back']);
  });
});

it('a trace has a span for each call, with its fault', async () => {
  const spans: string[] = [];
  const toSpan = (name: string, attributes: Attributes = {}): Span => {
    const span: Span = {
      spanContext: (): SpanContext => ({ traceId: '1', spanId: '1', traceFlags: 0 }),
      recordException: (error) => void spans.push(`${name}: ${(error as Error).message}`),
      end: () => void spans.push(`${name} ${JSON.stringify(attributes)}`),
      setStatus: () => span,
      setAttribute: () => span,
      setAttributes: () => span,
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      updateName: () => span,
      isRecording: () => true,
    };
    return span;
  };
  const startActiveSpan = (
    name: string,
    options: { attributes?: Attributes },
    run: (span: Span) => unknown,
  ): unknown => run(toSpan(name, options.attributes));
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan: (name: string) => toSpan(name), startActiveSpan }) as never,
  });
  onTestFinished(() => trace.disable());
  const fail = capability(() => {
    throw new Error('broken');
  });
  const groups: GroupTree = { items: { listItems: capability(() => []), fail } };
  const server = createTracedServer(groups);
  await server.invoke({ capability: 'items.listItems' });
  await server.invoke({ capability: 'items.fail' }).catch(() => {});
  expect(spans).toEqual([
    'items.listItems {"capix.intent":"query"}',
    'items.fail: broken',
    'items.fail {"capix.intent":"mutation"}',
  ]);
});

it('a tenant is found by the host', async () => {
  const of = (host: string) =>
    tenantServer.invoke({ capability: 'billing.getPlan', headers: { host } });
  expect(await of('acme.example.org')).toBe('paid');
  await expect(of('other.example.org')).rejects.toThrow('There is no such tenant');
});

it('an audit knows who did what, and what came of it', async () => {
  const entries: unknown[] = [];
  const ctx = mockContext({
    user: { id: '7' },
    audit: async (entry: object) => void entries.push(entry),
  });
  await deleteUser.resolve({ id: '1' }, ctx);
  expect(entries).toEqual([{ who: '7', what: '', input: { id: '1' }, outcome: 'done' }]);
});

it('a session is kept in a signed cookie, and a forged one is none', async () => {
  const { context, signIn, signOut, getMe } = cookies;
  const server = createServer({
    context,
    capabilities: { users: { signIn, signOut, getMe } },
    transports: [restTransport({})],
  });
  const send = toFetchHandler(server);
  const body = JSON.stringify({ name: 'Ada' });
  const headers = { 'content-type': 'application/json' };
  const answer = await send(
    new Request('http://x/users/sign-in', { method: 'POST', headers, body }),
  );
  const set = answer.headers.get('set-cookie') ?? '';
  expect(set).toMatch(
    /^session=Ada\.\d+\.[\w%]{43,}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const meBy = async (cookie: string): Promise<unknown> => {
    const response = await send(new Request('http://x/users/me', { headers: { cookie } }));
    expect(response.headers.get('set-cookie')).toBeNull();
    return response.json();
  };
  const cookie = set.split(';')[0] ?? '';
  expect(await meBy(cookie)).toEqual({ data: { name: 'Ada' } });
  expect(await meBy(cookie.replace('Ada', 'Eve'))).toEqual({ data: { name: null } });
  expect(await meBy('')).toEqual({ data: { name: null } });
  const left = await send(
    new Request('http://x/users/sign-out', { method: 'POST', headers: { cookie } }),
  );
  expect(left.headers.get('set-cookie')).toMatch(/^session=; Max-Age=0; /);
});
