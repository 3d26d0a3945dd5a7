import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  type Server,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { connectToTools, serveTools } from '../../helpers/connect-to-tools.ts';

const Tree = z.object({
  get child() {
    return Tree.optional();
  },
});
const capabilities = {
  trees: { createTree: capability(Tree, () => 'planted'), addAny: capability(() => 'planted') },
};
const tree = (levels: number): object =>
  JSON.parse(`${'{"child":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`) as object;
const refusal = {
  status: 400,
  name: 'BadRequest',
  message: 'The input is nested deeper than 64 levels',
};

describe('an input of 64 levels is the deepest', () => {
  it('of invoke', async () => {
    const server = createServer({ capabilities, logger: silentLogger });
    const plant = (input: unknown) =>
      (server as Server).invoke({ capability: 'trees.createTree', input });
    expect(await plant(tree(64))).toBe('planted');
    await expect(plant(tree(65))).rejects.toMatchObject(refusal);
    await expect(plant(tree(5_000))).rejects.toMatchObject(refusal);
    await expect(plant([[tree(63)]])).rejects.toMatchObject(refusal);
  });

  it('of invoke, where what contains itself has no end', async () => {
    const circle: Record<string, unknown> = {};
    circle['a'] = [circle];
    const server = createServer({ capabilities, logger: silentLogger });
    await expect(
      server.invoke({ capability: 'trees.addAny', input: circle }),
    ).rejects.toMatchObject(refusal);
  });

  it('of invoke, which does not look into files, streams and other instances', async () => {
    class Linked {
      readonly self = this;
    }
    const input = {
      file: Buffer.alloc(10_000_000),
      stream: Readable.from([]),
      linked: new Linked(),
      none: null,
    };
    const server = createServer({ capabilities, logger: silentLogger });
    expect(await server.invoke({ capability: 'trees.addAny', input })).toBe('planted');
  });

  it('of an agent', async () => {
    const client = await connectToTools({ capabilities });
    const plant = (levels: number) =>
      client.callTool({ name: 'trees_createTree', arguments: { ...tree(levels) } });
    expect(await plant(64)).toMatchObject({ structuredContent: { data: 'planted' } });
    await expect(plant(65)).rejects.toThrow('The message is nested deeper than 66 levels');
  });
});

describe('keys that could reach a prototype never get to a handler, at any depth', () => {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(1, 'x', null, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom('a', 'b', '__proto__', 'constructor', 'prototype'),
        tie('value'),
        { maxKeys: 3 },
      ),
    ),
  }));
  const inputs = fc
    .dictionary(fc.constantFrom('a', '__proto__', 'constructor'), value)
    .map((input) => ({ ...input }));
  let got: unknown;
  const add = capability(z.unknown(), (input) => void (got = input), 'mutation');
  const json = (input: unknown): string => JSON.stringify(input);
  const safe = (input: object): unknown =>
    JSON.parse(json(input), (key, inner: unknown) => (unsafe.has(key) ? undefined : inner));
  const unsafe = new Set(['__proto__', 'constructor', 'prototype']);

  it('of a request', async () => {
    const fetch = toFetchHandler(
      createServer({ capabilities: { things: { add } }, logger: silentLogger }),
    );
    const headers = { 'content-type': 'application/json' };
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        await fetch(
          new Request('http://localhost/things', { method: 'POST', body: json(input), headers }),
        );
        expect(json(got)).toBe(json(safe(input)));
      }),
    );
  });

  it('of invoke, which leaves the object of the caller as it is', async () => {
    const server: Server = createServer({
      capabilities: { things: { add } },
      logger: silentLogger,
    });
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const before = json(input);
        await server.invoke({ capability: 'things.add', input });
        expect(json(got)).toBe(json(safe(input)));
        expect(json(input)).toBe(before);
      }),
    );
  });

  it('of an agent', async () => {
    const client = await connectToTools({ capabilities: { things: { add } } });
    const sent = JSON.parse(
      '{"a":{"__proto__":{"x":1},"b":[{"constructor":2,"c":3}]},"prototype":4}',
    ) as object;
    await client.callTool({ name: 'things_add', arguments: { ...sent } });
    expect(json(got)).toBe('{"a":{"b":[{"c":3}]}}');
  });
});

const bodyOf = (levels: number): string => JSON.stringify(tree(levels));
const formOf = (levels: number): FormData => {
  const form = new FormData();
  form.append('child', new Blob([bodyOf(levels - 1)], { type: 'application/json' }));
  return form;
};
const json = { 'content-type': 'application/json' };
const ways: readonly (readonly [string, string, (levels: number) => RequestInit])[] = [
  ['a body', '/trees', (levels) => ({ method: 'POST', headers: json, body: bodyOf(levels) })],
  [
    'a call by key',
    '/_call/trees.createTree',
    (levels) => ({ method: 'POST', headers: json, body: bodyOf(levels) }),
  ],
  ['a part of a form', '/trees', (levels) => ({ method: 'POST', body: formOf(levels) })],
];

describe('JSON that is too deep or too large is refused however it comes', () => {
  it.each(ways)('in %s', async (_name, path, toInit) => {
    const fetchFrom = toFetchHandler(
      createServer({
        capabilities: { trees: { createTree: capability(Tree, () => 'planted') } },
        logger: silentLogger,
      }),
      { calls: true, maxBodySize: 10_000 },
    );
    const ask = async (init: RequestInit): Promise<number> =>
      (await fetchFrom(new Request(`http://localhost${path}`, init))).status;
    expect(await Promise.all([64, 66].map((levels) => ask(toInit(levels))))).toEqual([200, 400]);
    const large = {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ more: 'x'.repeat(10_001) }),
    };
    expect(await ask(large)).toBe(413);
  });

  it('of an agent', async () => {
    const url = await serveTools({ capabilities });
    const call = { name: 'trees_addAny', arguments: { more: 'x'.repeat(5_000_000) } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    const accept = 'application/json, text/event-stream';
    expect((await fetch(url, { method: 'POST', headers: { ...json, accept }, body })).status).toBe(
      413,
    );
  });

  it('of a job', async () => {
    const jobs = queueTransport({ capabilities });
    const server = createServer({ capabilities: {}, transports: [jobs], logger: silentLogger });
    await server.start();
    await expect(jobs.enqueue('trees.addAny', { ...tree(65) })).rejects.toThrow(
      'The input is nested deeper than 64 levels',
    );
    await server.stop({ graceMs: 0 });
  });
});
