import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createManifestUnpacker,
  type ManifestPart,
  type ManifestUnpacker,
  packManifest,
} from '../../../../source/load/child/packed-manifest.ts';
import type { Manifest, ManifestCapability } from '../../../../source/manifest/manifest.ts';
import type { Problem } from '../../../../source/manifest/problem.ts';

const capability = fc.record({
  key: fc.constantFrom('a', 'b', 'c.d', 'c.e'),
  path: fc.constantFrom('/a', '/b'),
  description: fc.option(fc.constantFrom('', 'Text', '{"a":1}'), { nil: undefined }),
  source: fc.record({ file: fc.constant('a.ts'), line: fc.integer({ min: 1, max: 3 }), column: fc.constant(1) }),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<ManifestCapability>;
const problem: fc.Arbitrary<Problem> = fc.record({
  severity: fc.constantFrom('error', 'warning'),
  code: fc.constant('unguarded-mutation'),
  message: fc.constantFrom('One.', 'Two.'),
  keys: fc.subarray(['a', 'b']),
});
const manifest: fc.Arbitrary<Manifest> = fc.record({
  project: fc.constant({ name: 'shop', root: '/shop', config: 'src/capabilities.ts' }),
  urlCase: fc.constantFrom('kebab', 'camel'),
  capabilities: fc.oneof(
    fc.uniqueArray(capability, { selector: ({ key }) => key }),
    // More than go into one part.
    fc.array(capability, { minLength: 240, maxLength: 260 }),
  ),
  problems: fc.array(problem),
  files: fc.subarray(['/shop/a.ts', '/shop/b.ts']),
  document: fc.option(
    fc.record({
      openapi: fc.constant('3.1.0'),
      paths: fc.dictionary(
        fc.constantFrom('/a', '/b/{id}', '/c'),
        fc.record({ get: fc.constantFrom({}, { summary: 'One' }) }),
      ),
    }),
    { nil: undefined },
  ),
}) as fc.Arbitrary<Manifest>;

function itemsOf(of: Manifest | undefined): readonly unknown[] {
  return [...(of?.capabilities ?? []), ...(of?.problems ?? []), ...Object.values(of?.document?.paths ?? {})];
}

/** What arrives of a value that was sent to another process. */
const send = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

function transfer(
  sent: Manifest,
  unpacker: ManifestUnpacker,
): { readonly got: Manifest; readonly parts: ManifestPart[] } {
  const packing = packManifest(sent, send(unpacker.known()));
  const parts: ManifestPart[] = [];
  let step = packing.next();
  for (; !step.done; step = packing.next()) {
    parts.push(step.value);
    unpacker.add(send(step.value));
  }
  return { got: unpacker.unpack(send(step.value)), parts };
}

test('after any series of loads the last manifest is as it was sent, and only what is new was sent', () => {
  fc.assert(
    fc.property(fc.array(manifest, { minLength: 1, maxLength: 6 }), (loads) => {
      const unpacker = createManifestUnpacker();
      let before: Manifest | undefined;
      for (const load of loads) {
        const { got, parts } = transfer(load, unpacker);
        expect(got).toEqual(send(load));
        const known = new Set(itemsOf(before).map((item) => JSON.stringify(item)));
        for (const part of parts) {
          for (const item of Object.values(part)) expect(known).not.toContain(JSON.stringify(item));
        }
        before = got;
      }
    }),
    { numRuns: 200 },
  );
});

test('what has not changed is the same object, and so is a list of which nothing has', () => {
  const unpacker = createManifestUnpacker();
  const toLoad = (paths: readonly string[]): Manifest => ({
    project: { name: 'shop', root: '/shop', config: 'src/capabilities.ts' },
    capabilities: paths.map((path) => ({ key: path, path }) as ManifestCapability),
    problems: [],
    files: [],
  });
  const first = transfer(toLoad(['/a', '/b']), unpacker).got;
  const same = transfer(toLoad(['/a', '/b']), unpacker);
  expect(same.got.capabilities).toBe(first.capabilities);
  expect(same.parts).toEqual([]);
  const second = transfer(toLoad(['/c', '/b']), unpacker).got;
  expect(second.capabilities).not.toBe(first.capabilities);
  expect(second.capabilities[1]).toBe(first.capabilities[1]);
});

test('what a load has left out is forgotten', () => {
  fc.assert(
    fc.property(fc.array(manifest, { minLength: 1, maxLength: 4 }), (loads) => {
      const unpacker = createManifestUnpacker();
      for (const load of loads) {
        const { got } = transfer(load, unpacker);
        const distinct = new Set(itemsOf(got).map((item) => JSON.stringify(item)));
        expect(unpacker.known()).toHaveLength(distinct.size);
      }
    }),
    { numRuns: 50 },
  );
});
