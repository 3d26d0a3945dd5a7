import { expect, test } from 'vitest';
import {
  initialProjectState,
  type ProjectEvent,
  reduceProject,
} from '../../../source/load/project-state.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { toShellStatus } from '../../../source/screens/frame-head.ts';

const manifest: Manifest = {
  project: { name: 'shop', root: '/shop', config: 'src/capabilities.ts' },
  keys: [],
  document: { openapi: '3.1.0', paths: {} } as unknown as Manifest['document'],
  problems: [],
  files: [],
};
const loading: ProjectEvent = { kind: 'loading', files: [] };
const loaded: ProjectEvent = { kind: 'loaded', manifest, durationMs: 9, at: 2 };
const failed: ProjectEvent = {
  kind: 'failed',
  failure: { code: 'BuildFailed', message: 'a.ts:1:1: no' },
  durationMs: 5,
  at: 3,
};

test.each<[string, readonly ProjectEvent[], object]>([
  ['loads', [loading], { kind: 'loading' }],
  ['is loaded', [loading, loaded], { kind: 'ready', at: 2, durationMs: 9 }],
  ['is loaded again', [loaded, loading], { kind: 'ready', at: 2, durationMs: 9 }],
  ['is broken', [loaded, loading, failed], { kind: 'broken', at: 3 }],
])('the header says so of a project that %s', (_, events, status) => {
  expect(toShellStatus(events.reduce(reduceProject, initialProjectState))).toEqual(status);
});
