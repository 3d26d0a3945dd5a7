import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { defineGuard } from '../../../server-runtime/capability/guard.ts';
import { generateOpenAPI } from '../../../server-runtime/openapi/generate-openapi.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { toLineText } from '../../../source/kit/line.ts';
import { type Row, toRowLine } from '../../../source/kit/row.ts';
import { toDocumentTree } from '../../../source/openapi/document-tree.ts';

const item = z.object({ id: z.string() }).meta({ id: 'Item' });
const guard = defineGuard(() => undefined, {
  name: 'known',
  security: { type: 'http', scheme: 'bearer' },
});
const document = generateOpenAPI(
  compileRegistry({
    items: {
      createItem: capability(
        z.object({
          word: z.string().min(1).regex(/a/).regex(/b/),
          kinds: z.array(z.enum(['x', 'y'])),
          maybe: z.email().nullable(),
          items: z.array(item),
          pay: z.union([z.object({ t: z.literal('card') }), z.object({ t: z.literal('cash') })]),
        }),
        () => null,
      ).guard(guard),
      getItem: capability(z.object({ id: z.string() }), () => ({ id: '1' })).output(item),
    },
  }),
);
const nodes = toDocumentTree(document, { changedIds: new Set() });

/** The line of a node. */
function findLine(id: string, level: readonly Row[] = nodes): string | undefined {
  const node = level.find((each) => each.id === id || id.startsWith(`${each.id}/`));
  if (node === undefined || node.id === id) return node && toLineText(toRowLine(node, 200));
  return findLine(id, node.children ?? []);
}

const body = '#/paths/~1items/post/requestBody/content/application~1json/schema';

it.each([
  [body, 'schema: object'],
  [`${body}/properties/word`, 'word: string'],
  [`${body}/properties/kinds`, "kinds: ('x' | 'y')[]"],
  [`${body}/properties/maybe`, 'maybe: string (email) | null'],
  [`${body}/properties/items`, 'items: Item[]'],
  [`${body}/properties/pay`, "pay: { t: 'card' } | { t: 'cash' }"],
  ['#/components/schemas/Item', 'Item: object'],
  ['#/components/securitySchemes/bearerAuth', 'bearerAuth: http'],
])('reads what is at %s as its type', (id, line) => {
  expect(findLine(id)).toBe(line);
});
