import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  createServer,
  generateOpenAPI,
  restTransport,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { describeApi, toPublishedDocument } from '../../../source/manifest/describe-api.ts';
import { toDocsText } from '../../../source/written/docs/docs-text.ts';
import { writeClient } from '../../helpers/generated-client.ts';
import { shop, shopOverrides } from '../../helpers/shop.ts';

const restOptions = { overrides: shopOverrides };
const described = describeApi({ registry: compileRegistry(shop), restOptions });

it('a document of the tool says of every operation what only the tool reads', () => {
  const operations = Object.values(described.document.paths).flatMap((item) => Object.values(item));
  expect(operations.every((operation) => 'x-capix' in operation)).toBe(true);
  expect(described.document).toHaveProperty('x-capix.version');
});

it('the published document is that of the server, and has nothing of it', async () => {
  const published = toPublishedDocument(described, {});
  expect(published).toEqual(generateOpenAPI(shop, restOptions));
  const server = createServer({
    capabilities: shop as never,
    transports: [restTransport({ ...restOptions, docs: true, port: 0, host: '127.0.0.1' })],
    logger: silentLogger,
  });
  const [started] = await server.start();
  const pages = ['/openapi.json', '/docs'].map(async (path) =>
    (await fetch(`${started?.url}${path}`)).text(),
  );
  const [served = '', docs = ''] = await Promise.all(pages);
  await server.stop({ graceMs: 0 });
  expect(JSON.parse(served)).toMatchObject({ paths: JSON.parse(JSON.stringify(published.paths)) });
  for (const text of [JSON.stringify(published), served, docs])
    expect(text).not.toContain('x-capix');
});

it('no client and no page has it', async () => {
  expect(await writeClient(described)).not.toContain('x-capix');
  expect(
    toDocsText(toPublishedDocument(described, {}), compileRegistry(shop).operations),
  ).not.toContain('x-capix');
});

it('fields and headers whose names begin so stay, and so do examples', () => {
  const input = z.object({ 'x-capix-kind': z.string().meta({ examples: ['x-capix'] }) });
  const capabilities = {
    users: {
      createUser: capability(input, () => ({ 'x-capix': 1 })).output(
        z.object({ 'x-capix': z.number() }),
      ),
    },
  };
  const published = toPublishedDocument(
    describeApi({ registry: compileRegistry(capabilities), restOptions: {} }),
    {},
  );
  expect(published).toEqual(generateOpenAPI(capabilities));
});

interface Category {
  readonly id: string;
  readonly children: readonly Category[];
}
const Category: z.ZodType<Category> = z.lazy(() =>
  z.object({ id: z.string(), children: z.array(Category) }),
);
const [A, B] = ['a', 'b'].map((kind) =>
  z.object({ id: z.string(), kind: z.literal(kind) }).meta({ id: `Kind${kind}` }),
);

it.each<[string, z.ZodType]>([
  [
    'a choice of two that have names',
    z.discriminatedUnion('kind', [A as z.ZodObject, B as z.ZodObject]),
  ],
  [
    'a schema that has a name',
    z.object({ id: z.string(), a: A as z.ZodType }).meta({ id: 'Whole' }),
  ],
  ['a schema that holds itself', Category],
])(
  'has no component for the whole input alone, of which a part is in the path: %s',
  (_what, schema) => {
    const capabilities = { updateThing: capability(schema as z.ZodType<object>, () => 1) };
    const options = {
      overrides: { updateThing: { method: 'PATCH', path: '/things/:id' } },
    } as const;
    const registry = compileRegistry(capabilities);
    expect(toPublishedDocument(describeApi({ registry, restOptions: options }), {})).toEqual(
      generateOpenAPI(capabilities, options),
    );
  },
);
