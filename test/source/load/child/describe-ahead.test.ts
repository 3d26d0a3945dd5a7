import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { AnyCapability } from '../../../../server-runtime/capability/capability.ts';
import { rememberDeclarations } from '../../../../server-runtime/capability/declared-at.ts';
import { capability, defineEnhancer, defineGuard, noContent } from '../../../../server-runtime/index.ts';
import { compileWithFaults } from '../../../../server-runtime/registry/compile-registry.ts';
import { withRequest } from '../../../../server-runtime/registry/with-request.ts';
import type { SharedRestOptions } from '../../../../source/document/parse-rest-options.ts';
import { describeAhead } from '../../../../source/load/child/describe-ahead.ts';
import { loadManifest } from '../../../../source/manifest/load-manifest.ts';
import type { Manifest } from '../../../../source/manifest/manifest.ts';
import { packageRoot } from '../../../helpers/run-capix.ts';

rememberDeclarations();
const project = { root: packageRoot, name: 'demo', entryFile: join(packageRoot, 'src/capabilities.ts') };

const always = { project, isAwaited: () => false };

/** Declares the same again, as the code of a project does in another process: capabilities, and how often their enhancers were made ready. */
function declare() {
  const ready: string[] = [];
  const thing = z.object({ id: z.string(), at: z.date() }).meta({ id: 'Thing' });
  const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser' });
  const withCount = defineEnhancer(
    (next, { key }) => {
      ready.push(key);
      return next;
    },
    { name: 'withCount' },
  );
  const loop: z.ZodType = z.lazy(() => z.object({ inside: z.array(loop), 'a][b': z.string() }));
  const capabilities: readonly AnyCapability[] = [
    capability(z.object({ id: z.string(), token: z.string().optional() }), ({ id }) => ({
      id,
      at: new Date(0),
    })).output(thing),
    capability(thing, () => ({ tags: new Set<string>() })).output(z.object({ tags: z.set(z.string()) })),
    capability(z.object({ constructor: z.string(), tree: loop }), () => 1).guard(mustBeUser),
    capability(z.object({ id: z.string() }), ({ id }) => id).enhance(withCount),
    capability((input) => input),
    capability(z.object({ at: z.bigint() }), () => {}).output(noContent),
  ];
  return { capabilities, ready };
}

type Declared = ReturnType<typeof declare>;

const names = ['getThing', 'createThing', 'thing', 'listThings', 'deleteThing', 'authThing'] as const;
/** Places in a tree: a capability may be at several. */
const tree = fc.dictionary(
  fc.constantFrom('things', 'others'),
  fc.dictionary(fc.constantFrom(...names), fc.nat({ max: 5 }), { minKeys: 1, noNullPrototype: true }),
  { minKeys: 1, noNullPrototype: true },
);
const restOptions = fc.constantFrom<SharedRestOptions[]>(
  {},
  { prefix: '/api', urlCase: 'camel' },
  { overrides: { 'things.getThing': { method: 'POST', path: '/things/:id' } } },
  { takes: { headers: { token: 'x-token' } } },
);
const detail = fc.constantFrom('full', 'contract', 'places', 'routes');

interface Wanted {
  readonly places: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly rest: SharedRestOptions;
  readonly detail: 'full' | 'contract' | 'places' | 'routes';
}

async function loadAsData({ capabilities }: Declared, { places, rest, detail: wanted }: Wanted): Promise<Manifest> {
  const groups = Object.entries(places).map(([group, found]) => [
    group,
    Object.fromEntries(Object.entries(found).map(([name, index]) => [name, capabilities[index]])),
  ]);
  const { registry: declared, faults } = compileWithFaults(Object.fromEntries(groups));
  const hasToken = declared.operations.some(({ fields }) => fields?.has('token'));
  const registry = hasToken ? withRequest(declared, 'a test', rest.takes) : declared;
  const loaded = { kind: 'loaded' as const, project, registry, faults, restOptions: rest, files: [] };
  return JSON.parse(JSON.stringify(await loadManifest(loaded, { detail: wanted }))) as Manifest;
}

test('what was described ahead, in any order, in part and more than once, has the manifest of what was not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 5 })),
      fc.record({ places: tree, rest: restOptions, detail }),
      async (ahead, wanted) => {
        const now = declare();
        for (const at of [ahead.slice(0, 2), ahead.slice(2)])
          await describeAhead([...at.map((index) => now.capabilities[index]), 'text', undefined], {
            project,
            isAwaited: () => false,
          });
        expect(await loadAsData(now, wanted)).toEqual(await loadAsData(declare(), wanted));
      },
    ),
    { numRuns: 60 },
  );
});

test('no enhancer is made ready ahead, which its author would notice, and a schema that cannot be read holds nothing up', async () => {
  const { capabilities, ready } = declare();
  const broken = z.lazy((): z.ZodType => {
    throw new Error('This schema cannot be read.');
  });
  await describeAhead([capability(z.object({ broken }), () => 1), ...capabilities], always);
  expect(ready).toEqual([]);
});

test('nothing is described ahead once somebody waits, and then not longer than a few capabilities take', async () => {
  const read = new Set<number>();
  const capabilities = Array.from({ length: 100 }, (_, index) => {
    const inside = z.lazy(() => {
      read.add(index);
      return z.string();
    });
    return capability(z.object({ inside }), () => 1);
  });
  await describeAhead(capabilities, { project, isAwaited: () => true });
  expect(read.size).toBe(0);
  await describeAhead(capabilities, { project, isAwaited: () => read.size > 0 });
  expect(read.size).toBeGreaterThan(0);
  expect(read.size).toBeLessThan(capabilities.length / 2);
  // They are not given up for ever.
  await describeAhead(capabilities, always);
  expect(read.size).toBe(capabilities.length);
});
