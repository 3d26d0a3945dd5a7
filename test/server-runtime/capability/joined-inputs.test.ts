import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  generateOpenAPI,
  pageOf,
  type Schema,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';

interface Parts {
  /** A path's number, made of its text. */
  readonly org: Schema;
  /** A word, a count of at least 1 and tags, with a default. */
  readonly filter: Schema;
}

const libraries: Readonly<Record<string, Parts>> = {
  zod: {
    org: z.object({ orgId: z.coerce.number() }),
    filter: z.object({
      word: z.string().min(2),
      count: z.number().min(1).default(3),
      tags: z.array(z.string()).optional(),
    }),
  },
  'strict zod': {
    org: z.strictObject({ orgId: z.coerce.number() }),
    filter: z.strictObject({
      word: z.string().min(2),
      count: z.number().min(1).default(3),
      tags: z.array(z.string()).optional(),
    }),
  },
  valibot: {
    org: v.object({ orgId: v.pipe(v.string(), v.digits(), v.transform(Number)) }),
    filter: v.object({
      word: v.pipe(v.string(), v.minLength(2)),
      count: v.optional(v.pipe(v.number(), v.minValue(1)), 3),
      tags: v.optional(v.array(v.string())),
    }),
  },
  'strict valibot': {
    org: v.strictObject({ orgId: v.pipe(v.string(), v.digits(), v.transform(Number)) }),
    filter: v.strictObject({
      word: v.pipe(v.string(), v.minLength(2)),
      count: v.optional(v.pipe(v.number(), v.minValue(1)), 3),
      tags: v.optional(v.array(v.string())),
    }),
  },
  arktype: {
    org: type({ orgId: 'string.numeric.parse' }),
    filter: type({ word: 'string >= 2', count: 'number >= 1 = 3', 'tags?': 'string[]' }),
  },
  'strict arktype': {
    org: type({ '+': 'reject', orgId: 'string.numeric.parse' }),
    filter: type({
      '+': 'reject',
      word: 'string >= 2',
      count: 'number >= 1 = 3',
      'tags?': 'string[]',
    }),
  },
};

const pairs = Object.entries(libraries).flatMap(([one, { org }]) =>
  Object.entries(libraries).map(([other, { filter }]) => ({ one, other, org, filter })),
);

describe.each(pairs)('an input of $one and one of $other', ({ org, filter }) => {
  const orgCap = capability.input(org);
  const invoices = {
    listInvoices: orgCap
      .input(filter)((input) => input, 'query')
      .route('GET', '/orgs/:orgId/invoices' as never),
    createInvoice: orgCap(filter, (input) => input).route('POST', '/orgs/:orgId/invoices' as never),
  };
  const server = createServer({ capabilities: { invoices }, logger: silentLogger });
  const handle = toFetchHandler(server);
  const ask = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await handle(new Request(`http://x.test${path}`, init));
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of all kinds are looked into
    return { status: response.status, body: (await response.json()) as any };
  };

  it('gives the handler the fields of both, as each makes them', async () => {
    expect((await ask('/orgs/7/invoices?word=abc&count=5&tags=x')).body).toEqual({
      data: { orgId: 7, word: 'abc', count: 5, tags: ['x'] },
    });
    expect((await ask('/orgs/7/invoices', { word: 'abc' })).body).toEqual({
      data: { orgId: 7, word: 'abc', count: 3 },
    });
  });

  it('tells the wrong fields of both at once', async () => {
    const { status, body } = await ask('/orgs/x/invoices', { word: 'a', count: 0 });
    expect(status).toBe(400);
    const fields = (body.meta.fields as { readonly path: string }[]).map(({ path }) => path);
    expect(fields.toSorted()).toEqual(['count', 'orgId', 'word']);
  });

  it('describes the fields of both', () => {
    const { paths } = generateOpenAPI({ capabilities: { invoices } });
    // oxlint-disable-next-line typescript/no-explicit-any -- documents of all kinds are looked into
    const { get, post } = paths['/orgs/{orgId}/invoices'] as any;
    const parameters = (get.parameters as { readonly name: string; readonly in: string }[]).map(
      ({ name, in: place }) => `${place} ${name}`,
    );
    expect(parameters.toSorted()).toEqual([
      'path orgId',
      'query count',
      'query tags',
      'query word',
    ]);
    const { schema } = post.requestBody.content['application/json'];
    expect(Object.keys(schema.properties).toSorted()).toEqual(['count', 'tags', 'word']);
    expect(schema.required).toEqual(['word']);
  });
});

describe('joined inputs of other libraries', () => {
  it('refuse what neither knows where one of them is strict', async () => {
    const strict = capability
      .input(v.object({ a: v.string() }))
      .input(v.strictObject({ b: v.string() }));
    await expect(
      strict((input) => input).resolve({ a: 'x', b: 'y', c: 'z' } as never, {}),
    ).rejects.toMatchObject({
      status: 400,
    });
    const open = capability.input(v.object({ a: v.string() })).input(type({ b: 'string' }))(
      (input) => input,
    );
    expect(await open.resolve({ a: 'x', b: 'y' }, {})).toEqual({ a: 'x', b: 'y' });
  });

  it('take pages, and keep the schemas apart that both refer to by the same name', () => {
    interface Tree {
      readonly name: string;
      readonly parts?: readonly Tree[] | undefined;
    }
    const Tree: v.GenericSchema<Tree> = v.object({
      name: v.string(),
      parts: v.optional(v.array(v.lazy(() => Tree))),
    });
    interface Links {
      readonly url: string;
      readonly more?: readonly Links[] | undefined;
    }
    const Links: v.GenericSchema<Links> = v.object({
      url: v.string(),
      more: v.optional(v.array(v.lazy(() => Links))),
    });
    const cap = capability.input(v.object({ tree: Tree })).input(v.object({ links: Links }));
    const listTrees = cap.output(pageOf(z.object({ id: z.string() })))(
      ({ tree, links, cursor, limit = 2 }) => ({
        items: [{ id: `${tree.name} ${links.url} ${cursor ?? ''} ${limit}` }],
        nextCursor: null,
      }),
    );
    const document = generateOpenAPI({ capabilities: { trees: { createTree: listTrees } } });
    const text = JSON.stringify(document);
    for (const [, ref = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = ref
        .split('/')
        .reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document);
      expect(found, ref).toBeDefined();
    }
    expect(text).toContain('"url"');
    expect(text).toContain('"cursor"');
  });
});
