import { expect, test } from 'vitest';
import {
  initialProjectState,
  type ProjectEvent,
  reduceProject,
} from '../../../source/load/project-state.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';

function toManifest(
  capabilities: Readonly<Record<string, { readonly path: string; readonly line: number }>>,
): Manifest {
  const paths = Object.entries(capabilities).map(([key, { path, line }]) => {
    const facts = { key, source: { file: 'a.ts', line, column: 1 } };
    return [path, { get: { 'x-capix': facts } }] as const;
  });
  return {
    project: { name: 'shop', root: '/shop', config: 'src/capabilities.ts' },
    problems: [],
    files: [],
    keys: Object.keys(capabilities),
    document: {
      paths: Object.fromEntries(paths),
      components: { schemas: {} },
    } as unknown as Manifest['document'],
  };
}

const loaded = (manifest: Manifest, at = 1): ProjectEvent => ({
  kind: 'loaded',
  manifest,
  durationMs: 5,
  at,
});
const failed: ProjectEvent = {
  kind: 'failed',
  failure: { code: 'BuildFailed', message: 'a.ts:1:1: no' },
  durationMs: 5,
  at: 2,
};
const first = toManifest({ a: { path: '/a', line: 1 }, b: { path: '/b', line: 2 } });

test('the first load marks nothing as changed', () => {
  expect(reduceProject(initialProjectState, loaded(first))).toEqual({
    isLoading: false,
    manifest: first,
    failure: undefined,
    files: [],
    changedKeys: [],
    loadedAt: 1,
    durationMs: 5,
  });
});

test('a broken file keeps the last good manifest, and a good one clears the failure', () => {
  const broken = [loaded(first), failed].reduce(reduceProject, initialProjectState);
  expect(broken).toMatchObject({
    manifest: first,
    failure: { message: 'a.ts:1:1: no' },
    loadedAt: 1,
    isLoading: false,
  });
  expect(reduceProject(broken, loaded(first, 3))).toMatchObject({
    failure: undefined,
    loadedAt: 3,
    changedKeys: [],
  });
});

test('a load marks what it added and what it changed, not what only moved in its file', () => {
  const second = toManifest({
    a: { path: '/a', line: 9 },
    b: { path: '/c', line: 2 },
    d: { path: '/d', line: 3 },
  });
  const state = [loaded(first), loaded(second, 2)].reduce(reduceProject, initialProjectState);
  expect(state.changedKeys).toEqual(['b', 'd']);
});

test('of documents for callers, what they show is compared, also schemas that they refer to', () => {
  const outline = toManifest({ a: { path: '/a', line: 1 }, b: { path: '/b', line: 2 } });
  const toPublished = (type: string): Manifest => {
    const b = { get: { operationId: 'b', responses: { 200: { $ref: '#/components/schemas/B' } } } };
    const paths = { '/a': { get: { operationId: 'a' } }, '/b': b, '/edited': null };
    return { ...outline, published: { paths, components: { schemas: { B: { type } } } } as never };
  };
  const load = (...manifests: readonly Manifest[]): readonly string[] =>
    manifests.map((manifest) => loaded(manifest)).reduce(reduceProject, initialProjectState)
      .changedKeys;
  expect(load(toPublished('string'), toPublished('number'))).toEqual(['b']);
  expect(load(toPublished('string'), toPublished('string'))).toEqual([]);
  // A server that would not start has no document.
  expect(load(toPublished('string'), outline)).toEqual([]);
  expect(load(outline, toPublished('string'))).toEqual([]);
});

test('while it loads, the state says for which files', () => {
  const state = [loaded(first), { kind: 'loading', files: ['a.ts'], at: 2 } as const].reduce(
    reduceProject,
    initialProjectState,
  );
  expect(state).toMatchObject({ isLoading: true, files: ['a.ts'], manifest: first });
});
