import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import * as zod3 from 'zod-3';
import {
  capability,
  createServer,
  defineError,
  generateOpenAPI,
  type Schema,
  type ServerOptions,
  stream,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import type { FieldProblem } from '../../../server-runtime/schema/received.ts';
import { toSchemaJson } from '../../../source/document/to-schema-json.ts';
import { recordLog } from '../../helpers/start-rest.ts';

const valibot = {
  search: v.object({
    page: v.optional(v.pipe(v.number(), v.minValue(1)), 1),
    isOpen: v.optional(v.boolean()),
    tags: v.optional(v.array(v.string())),
    state: v.optional(v.picklist(['new', 'sent'])),
    limit: v.optional(v.union([v.number(), v.literal('all')])),
  }),
  order: v.object({
    name: v.pipe(v.string(), v.minLength(2)),
    mail: v.pipe(v.string(), v.email()),
    lines: v.array(v.object({ sku: v.string(), count: v.number() })),
  }),
};

/** One application in each library. */
const libraries: Readonly<Record<string, { readonly search: Schema; readonly order: Schema }>> = {
  zod: {
    search: z.object({
      page: z.number().min(1).default(1),
      isOpen: z.boolean().optional(),
      tags: z.array(z.string()).optional(),
      state: z.enum(['new', 'sent']).optional(),
      limit: z.union([z.number(), z.literal('all')]).optional(),
    }),
    order: z.object({
      name: z.string().min(2),
      mail: z.email(),
      lines: z.array(z.object({ sku: z.string(), count: z.number() })),
    }),
  },
  'zod/mini': {
    search: mini.object({
      page: mini._default(mini.number().check(mini.minimum(1)), 1),
      isOpen: mini.optional(mini.boolean()),
      tags: mini.optional(mini.array(mini.string())),
      state: mini.optional(mini.enum(['new', 'sent'])),
      limit: mini.optional(mini.union([mini.number(), mini.literal('all')])),
    }),
    order: mini.object({
      name: mini.string().check(mini.minLength(2)),
      mail: mini.email(),
      lines: mini.array(mini.object({ sku: mini.string(), count: mini.number() })),
    }),
  },
  valibot,
  'valibot by toStandardJsonSchema': {
    search: toStandardJsonSchema(valibot.search),
    order: toStandardJsonSchema(valibot.order),
  },
  arktype: {
    search: type({
      page: 'number >= 1 = 1',
      'isOpen?': 'boolean',
      'tags?': 'string[]',
      'state?': "'new' | 'sent'",
      'limit?': "number | 'all'",
    }),
    order: type({
      name: 'string >= 2',
      mail: 'string.email',
      lines: type({ sku: 'string', count: 'number' }).array(),
    }).onDeepUndeclaredKey('delete'),
  },
};

interface Parameter {
  readonly name: string;
  readonly schema: object;
}

interface Answered {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of all kinds are looked into
  readonly body: any;
}

function asker(
  capabilities: ServerOptions['capabilities'],
): (path: string, body?: unknown) => Promise<Answered> {
  const server = createServer({ capabilities, logger: recordLog() });
  const handle = toFetchHandler(server);
  return async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await handle(new Request(`http://x.test${path}`, init));
    return { status: response.status, body: await response.json() };
  };
}

describe.each(Object.entries(libraries))('a schema of %s', (_library, { search, order }) => {
  const capabilities = {
    orders: {
      listOrders: capability(search, (input) => input),
      createOrder: capability(order, () => ({
        name: 'Ada',
        mail: 'ada@example.org',
        lines: [{ sku: 'a', count: 1, secret: 'x' }],
        internal: true,
      })).output(order),
      breakOrder: capability(() => ({ name: 'Ada' }) as unknown, 'query').output(order),
    },
  };
  const ask = asker(capabilities);

  it('reads numbers, booleans, lists and choices from a query, and sets what is left out', async () => {
    expect(await ask('/orders?page=2&isOpen=true&tags=a&limit=9')).toEqual({
      status: 200,
      body: { data: { page: 2, isOpen: true, tags: ['a'], limit: 9 } },
    });
    expect((await ask('/orders?limit=all&state=new&tags=1&tags=2')).body.data).toEqual({
      page: 1,
      limit: 'all',
      state: 'new',
      tags: ['1', '2'],
    });
  });

  it('tells each wrong field, with what was sent', async () => {
    const { status, body } = await ask('/orders', {
      name: 'A',
      mail: 'x',
      lines: [{ sku: 'a', count: 'many' }],
    });
    expect(status).toBe(400);
    const received = body.meta.fields.map((field: FieldProblem) => [field.path, field.received]);
    expect(Object.fromEntries(received)).toEqual({ name: 'A', mail: 'x', 'lines.0.count': 'many' });
    expect((await ask('/orders?page=none')).body.meta.fields).toMatchObject([
      { path: 'page', received: 'none' },
    ]);
  });

  it('names a missing field by the same code, and the misspelt one that was meant', async () => {
    const { body } = await ask('/orders', { name: 'Ada', mial: 'ada@example.org', lines: [] });
    expect(body.meta.fields).toMatchObject([
      { path: 'mail', code: 'invalid_type' },
      { path: 'mial', code: 'unknown_key', received: 'ada@example.org' },
    ]);
  });

  it('is the answer too: what it does not declare is dropped, and what does not fit is refused', async () => {
    const sent = { name: 'Ada', mail: 'ada@example.org', lines: [] };
    expect((await ask('/orders', sent)).body.data).toEqual({
      name: 'Ada',
      mail: 'ada@example.org',
      lines: [{ sku: 'a', count: 1 }],
    });
    expect((await ask('/orders/break', {})).status).toBeGreaterThanOrEqual(400);
  });

  it('is in the document as its library describes it', () => {
    const { paths, components } = generateOpenAPI(capabilities);
    const { parameters = [] } = (
      paths['/orders'] as unknown as {
        readonly get: { readonly parameters?: readonly Parameter[] };
      }
    ).get;
    expect(Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))).toMatchObject({
      page: { type: 'number', minimum: 1 },
      isOpen: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      state: { enum: ['new', 'sent'] },
    });
    expect(JSON.stringify([paths, components])).toContain('"format":"email"');
    expect(toSchemaJson(order, 'input')).toMatchObject({
      type: 'object',
      required: expect.arrayContaining(['name', 'mail', 'lines']),
    });
  });
});

describe('schemas that are not of zod', () => {
  it('may transform, be asynchronous, and contain themselves', async () => {
    interface Tree {
      readonly name: string;
      readonly children?: readonly Tree[] | undefined;
    }
    const tree: v.GenericSchema<Tree> = v.object({
      name: v.string(),
      children: v.optional(v.array(v.lazy(() => tree))),
    });
    const ask = asker({
      saveTree: capability(tree, ({ children }) => children?.length ?? 0),
      saveNode: capability(type({ at: 'string.date.parse' }), ({ at }) => at.getUTCFullYear()),
      saveName: capability(
        v.pipeAsync(
          v.objectAsync({
            name: v.pipeAsync(
              v.string(),
              v.checkAsync(async (name) => Promise.resolve(name !== 'root'), 'Taken'),
            ),
          }),
        ),
        ({ name }) => name,
      ),
    });
    expect(await ask('/save-tree', { name: 'a', children: [{ name: 'b' }] })).toMatchObject({
      body: { data: 1 },
    });
    expect((await ask('/save-tree', { name: 'a', children: [{}] })).body.meta.fields).toMatchObject(
      [{ path: 'children.0.name' }],
    );
    expect((await ask('/save-node', { at: '2026-02-03' })).body.data).toBe(2026);
    expect((await ask('/save-name', { name: 'Ada' })).body.data).toBe('Ada');
    expect((await ask('/save-name', { name: 'root' })).body.meta.issues).toEqual(['name: Taken']);
  });

  it('describe the meta of errors and the items of streams', () => {
    const Taken = defineError(409, 'Taken', { meta: type({ mail: 'string' }) });
    const document = generateOpenAPI({
      watchOrders: capability(async function* () {
        yield { id: '1' };
      }, 'query')
        .output(stream(v.object({ id: v.string() })))
        .errors(Taken),
    });
    expect(JSON.stringify(document)).toContain(
      '"properties":{"mail":{"type":"string"}},"required":["mail"]',
    );
    expect(Taken({ mail: 'a' }).meta.mail).toBe('a');
  });

  it('give dates as text, and keep the fields of loose objects', async () => {
    const date = '2026-02-03T00:00:00.000Z';
    const at = new Date(date);
    const capabilities = {
      getVali: capability(() => ({ at, more: 1 }), 'query').output(v.looseObject({ at: v.date() })),
      getArk: capability(() => ({ at }), 'query').output(type({ at: 'Date' })),
    };
    const ask = asker(capabilities);
    expect((await ask('/vali')).body.data).toEqual({ at: date, more: 1 });
    expect((await ask('/ark')).body.data).toEqual({ at: date });
    const document = JSON.stringify(generateOpenAPI(capabilities));
    expect(document.match(/"at":\{"type":"string","format":"date-time"\}/g)).toHaveLength(2);
  });

  it('tells at most 50 problems, and how many more there are', async () => {
    const ask = asker({ saveMany: capability(v.object({ all: v.array(v.number()) }), () => 1) });
    const { body } = await ask('/save-many', { all: Array.from({ length: 60 }, () => 'x') });
    expect([body.meta.fields.length, body.meta.omitted]).toEqual([50, 10]);
  });

  it('are refused where they cannot be described, with what to do', () => {
    const old = zod3.z.object({ id: zod3.z.string() });
    expect(() => capability(old as never, () => 1)).toThrow(
      'capability: expected a handler function or a schema followed by one, got a schema of zod 3, which cannot be used: npm install zod@^4.2.0.',
    );
    expect(() => (capability(() => 1).output as (schema: unknown) => unknown)(old)).toThrow(
      'zod@^4.2.0',
    );
    const other = {
      '~standard': { version: 1, vendor: 'other', validate: (value: unknown) => ({ value }) },
    } as const;
    expect(() =>
      createServer({ capabilities: { a: capability(other, () => 1) }, logger: recordLog() }),
    ).toThrow('A schema of other cannot be used: it does not implement Standard JSON Schema.');
  });
});
