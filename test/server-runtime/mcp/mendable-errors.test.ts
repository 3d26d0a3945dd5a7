import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  defaultErrors,
  defineGuard,
  defineInputGuard,
  restTransport,
  toFetchHandler,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { createServer } from '../../../server-runtime/server/create-server.ts';
import { silentLogger } from '../../../server-runtime/server/logger.ts';
import { toFailureJson } from '../../../source/call/call-command.ts';
import { callHere } from '../../../source/invoke/call-here.ts';
import { Order, wrongCalls } from './wrong-calls.ts';

const refuse = (name: string, error: () => Error) =>
  Object.defineProperty(
    () => {
      throw error();
    },
    'name',
    { value: name },
  );
const passes = defineGuard(() => {}, { name: 'mustBeHere' });
const mustBeUser = defineGuard(
  refuse('mustBeUser', () => defaultErrors.Unauthorized()),
  {
    security: { type: 'http', scheme: 'bearer' },
  },
);
const mustBeOwner = defineInputGuard(
  ({ id }: { id: string }) => {
    if (id !== 'mine') throw defaultErrors.Forbidden(`${id} belongs to somebody else`);
  },
  { name: 'mustBeOwner' },
);
const ById = z.object({ id: z.string() });

const api = {
  order: capability(Order, () => 'ordered', 'mutation'),
  guarded: capability(() => 1, 'mutation')
    .guard(passes)
    .guard(mustBeUser),
  guardedLate: capability(async () => 1, 'mutation').guard(
    defineGuard(async () => Promise.reject(defaultErrors.Forbidden()), { name: 'mustBeAdmin' }),
  ),
  owned: capability(ById, () => 1, 'mutation')
    .guard(passes)
    .inputGuard(mustBeOwner),
  full: capability(() => {
    throw defaultErrors.Forbidden('The quota is used up: delete something first');
  }, 'mutation').guard(passes),
  gone: capability(
    ById,
    ({ id }) => {
      throw defaultErrors.NotFound(`There is no order ${id}`);
    },
    'mutation',
  ),
  often: capability(() => {
    throw defaultErrors.TooManyRequests('Too many', { retryAfterSeconds: 7 });
  }, 'mutation'),
  slow: capability(() => new Promise(() => {}), 'mutation').enhance(withTimeout(20)),
};

/** Refusals that no field is to blame for. The guard that let the caller pass must not be named. */
const refusals: readonly (readonly [
  name: string,
  key: keyof typeof api,
  input: object,
  told: readonly RegExp[],
])[] = [
  ['a guard of the caller', 'guarded', {}, [/Unauthorized/]],
  ['a guard that is asynchronous', 'guardedLate', {}, [/Forbidden/]],
  ['a guard of the input', 'owned', { id: 'yours' }, [/yours belongs to somebody else/]],
  ['the handler, behind a guard that passed', 'full', {}, [/delete something first/]],
  ['something that is not there', 'gone', { id: '9' }, [/There is no order 9/]],
  ['a limit', 'often', {}, [/\b7\b/]],
  ['a timeout', 'slow', {}, [/after 20 ms/]],
];

type Ask = (
  key: keyof typeof api,
  input: object,
) => Promise<{ readonly isOk: boolean; readonly text: string }>;

const registry = compileRegistry({ api });
const handle = toFetchHandler(
  createServer({ capabilities: registry, logger: silentLogger, transports: [restTransport()] }),
);
let client: Client;
beforeAll(async () => {
  const server = createServer({
    capabilities: registry,
    logger: silentLogger,
    transports: [mcpTransport({ port: 0 })],
  });
  const [started] = await server.start();
  client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(started?.url ?? '')) as Parameters<
      Client['connect']
    >[0],
  );
  return async () => {
    await client.close();
    await server.stop({ graceMs: 0 });
  };
});

const toPath = (key: string): string =>
  key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const doors: readonly (readonly [string, Ask])[] = [
  [
    'MCP',
    async (key, input) => {
      const result = await client.callTool({
        name: `api_${key}`,
        arguments: input as Record<string, unknown>,
      });
      return {
        isOk: result.isError !== true,
        text: (result.content as { text: string }[]).map(({ text }) => text).join('\n'),
      };
    },
  ],
  [
    'HTTP',
    async (key, input) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await handle(
        new Request(`http://localhost/api/${toPath(key)}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(input),
        }),
      );
      return {
        isOk: answer.ok,
        text: unescape(await answer.text()) + (answer.headers.get('retry-after') ?? ''),
      };
    },
  ],
  [
    'capix call --json',
    async (key, input) => {
      const sent = JSON.parse(JSON.stringify(input)) as object;
      const loaded = {
        kind: 'loaded',
        project: { root: '/', name: 'api', entryFile: '/api.ts' },
        registry,
        restOptions: {},
        files: [],
      } as const;
      const result = await callHere(loaded, {
        key: `api.${key}`,
        input: { json: sent, files: {} },
        headers: {},
      });
      const isOk = result.status < 400;
      return { isOk, text: isOk ? '' : unescape(toFailureJson(result)) };
    },
  ],
];

/** A text as JSON has it, as its reader has it. */
function unescape(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}

describe.each(doors)('a wrong call over %s', (door, ask) => {
  it.each(wrongCalls)('says what to change: %s', async (_name, wrong, told, next) => {
    const { isOk, text } = await ask('order', { sku: 'A1', ...wrong });
    expect(isOk).toBe(false);
    for (const each of told) {
      if (typeof each === 'string') expect(text).toContain(each);
      else expect(text).toMatch(each);
    }
    expect(
      next === 'give up' || next === 'wait' || (await ask('order', { sku: 'A1', ...next })).isOk,
    ).toBe(true);
  });

  it.each(refusals)('says who refused, and only that: %s', async (_name, key, input, told) => {
    const { isOk, text } = await ask(key, input);
    expect(isOk).toBe(false);
    for (const each of told) expect(text).toMatch(each);
    expect(text).not.toContain('mustBeHere');
    // Over HTTP the names of guards are nobody's business.
    if (door === 'HTTP') return;
    const guard = { guarded: 'mustBeUser', guardedLate: 'mustBeAdmin', owned: 'mustBeOwner' }[
      key as string
    ];
    if (guard !== undefined) expect(text).toContain(`The guard ${guard} refused`);
    else expect(text).not.toMatch(/guard/);
  });
});

it('says what to change to an agent that misspells an optional field; HTTP drops it, and so does a call from inside', async () => {
  const wrong = { sku: 'A1', pageSise: 5 };
  const [overMcp, ...others] = await Promise.all(doors.map(([, ask]) => ask('order', wrong)));
  expect(overMcp?.isOk).toBe(false);
  expect(overMcp?.text).toContain(
    '- pageSise: There is no such field. Did you mean pageSize? (received 5)',
  );
  expect(others.map(({ isOk }) => isOk)).toEqual([true, true]);
  const [, askMcp] = doors[0] as (typeof doors)[number];
  expect((await askMcp('order', { sku: 'A1', pageSize: 5 })).isOk).toBe(true);
});

it.each([
  ['the group left out', 'slow', "'api_slow'"],
  ['the group in another number', 'apis_slow', "'api_slow'"],
  ['a point for the underscore', 'api.slow', "'api_slow'"],
  ['the name of the capability, misspelt, alone', 'guardedLat', "'api_guardedLate'"],
  ['another group', 'orders_often', "'api_often'"],
])('names the tool that is meant by a name that is none: %s', async (_name, name, meant) => {
  await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(
    `There is no tool '${name}'. Did you mean ${meant}?`,
  );
});

it('counts 60 wrong calls and more', () => {
  expect(wrongCalls.length + refusals.length).toBeGreaterThanOrEqual(60);
});
