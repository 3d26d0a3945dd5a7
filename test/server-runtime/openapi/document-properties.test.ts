import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  type GroupTree,
  generateOpenAPI,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import { shop, shopOverrides } from '../../helpers/shop.ts';

/** Schemas that several capabilities share, so that there are components. */
const Shared = z.object({ a: z.string(), when: z.date().optional() });
const Named = z.object({ b: z.number().int() }).meta({ id: 'Named' });
const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree);
  },
});

const { field } = fc.letrec<{ field: z.ZodType }>((tie) => ({
  field: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<z.ZodType>(
      z.string(),
      z.number().min(1),
      z.boolean(),
      z.enum(['x', 'y']),
      z.literal(['one', 2]),
      z.email(),
      z.coerce.date(),
      z.any(),
      z.record(z.string(), z.number()),
      z.tuple([z.string(), z.number()]),
      uploadedFile(),
      Shared,
      Named,
      Tree,
    ),
    tie('field').map((inner) => inner.optional()),
    tie('field').map((inner) => inner.nullable()),
    tie('field').map((inner) => inner.describe('Described, with `marks` and "quotes"')),
    tie('field').map((inner) => z.array(inner)),
    fc.tuple(tie('field'), tie('field')).map((branches) => z.union(branches)),
    fc
      .dictionary(fc.constantFrom('p', 'q', 'r'), tie('field'), { maxKeys: 3 })
      .map((fields) => z.object(fields)),
  ),
}));

const fieldName = fc.constantFrom(
  'id',
  'name',
  'a-b',
  'ünï',
  'a/b',
  'properties',
  'default',
  'enum',
);
const input = fc.oneof(
  fc.dictionary(fieldName, field, { maxKeys: 5 }).map((fields): z.ZodType => z.object(fields)),
  fc.constantFrom<z.ZodType>(
    Shared,
    Named,
    Tree,
    z.intersection(Shared, Named),
    z.union([Shared, Named]),
    z.record(z.string(), z.string()),
  ),
);
const names = [
  'getOne',
  'listAll',
  'createOne',
  'updateOne',
  'replaceOne',
  'deleteOne',
  'unfollow',
  'run',
];
const application = fc
  .uniqueArray(fc.constantFrom(...names), { maxLength: 5 })
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((name) =>
        fc.record({ name: fc.constant(name), input: fc.option(input), output: fc.option(field) }),
      ),
    ),
  )
  .map(
    (capabilities): GroupTree => ({
      things: Object.fromEntries(
        capabilities.map((each) => {
          const cap =
            each.input === null
              ? capability(() => undefined as never)
              : capability(each.input, () => undefined as never);
          return [each.name, each.output === null ? cap : cap.output(each.output as never)];
        }),
      ),
    }),
  );

describe('generateOpenAPI', () => {
  it('gives a valid document, with no reference that leads nowhere, for whatever capabilities there are', async () => {
    // It compiles the schema of OpenAPI at its first document.
    const validator = new Validator();
    await fc.assert(
      fc.asyncProperty(application, async (capabilities) => {
        const document = generateOpenAPI(capabilities);
        const text = JSON.stringify(document);
        expect(text).not.toMatch(/capix:|x-capix-/);
        expect(await validator.validate(JSON.parse(text) as Record<string, unknown>)).toEqual({
          valid: true,
        });
        for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"/]+)/g)) {
          expect(
            Object.keys((document.components as Record<string, object>)[kind] ?? {}),
          ).toContain(name);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is the same for the same capabilities', () => {
    fc.assert(
      fc.property(application, (capabilities) => {
        expect(JSON.stringify(generateOpenAPI(capabilities))).toBe(
          JSON.stringify(generateOpenAPI(capabilities)),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('gives examples and defaults that fit their schemas', () => {
    const document = generateOpenAPI(shop, { overrides: shopOverrides });
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema({ $id: 'doc', ...document });
    const misfits: unknown[] = [];
    let count = 0;
    const visit = (node: unknown, pointer: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { examples, default: fallback } = node as {
        readonly examples?: unknown;
        readonly default?: unknown;
      };
      const values = [
        ...(Array.isArray(examples) ? examples : []),
        ...(fallback === undefined ? [] : [fallback]),
      ];
      for (const value of values) {
        count++;
        if (!ajv.compile({ $ref: `doc#${pointer}` })(value)) misfits.push({ pointer, value });
      }
      for (const [key, inner] of Object.entries(node)) {
        visit(
          inner,
          `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
        );
      }
    };
    visit(document, '');
    expect(misfits).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(4);
  });
});
