import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, ManifestCapability, ManifestJob } from '../manifest/manifest.ts';
import { isSchemaObject, type SchemaJson } from '../shape/read/schema-json.ts';

/** The file where the contract of a project is kept, relative to its root. */
export const LOCK_FILE = 'capix.lock.json';

const LOCK_VERSION = 1;

/** The contract of a project as the text of a lock file: what callers see of it, without places in the source. The same contract is the same text. */
export function toLockText({ urlCase, bodyLimits, wire, capabilities, jobs }: Manifest): string {
  const kept = capabilities.map(({ source: _, explanation: __, rule: ___, ...capability }) => capability);
  const lock = {
    capixLock: LOCK_VERSION,
    urlCase,
    bodyLimits,
    wire,
    capabilities: kept,
    jobs: jobs?.map(withoutSource),
  };
  return `${JSON.stringify(lock, undefined, 2)}\n`;
}

function withoutSource({ source: _, ...job }: ManifestJob): Omit<ManifestJob, 'source'> {
  return job;
}

/** Whether the lock file of a project is what `toLockText` makes of it now. */
export type LockState = 'fresh' | 'stale' | 'missing';

export function findLockState(root: string, manifest: Manifest): LockState {
  const file = join(root, LOCK_FILE);
  if (!existsSync(file)) return 'missing';
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n') === toLockText(manifest) ? 'fresh' : 'stale';
}

export function isLock({ capixLock }: SchemaJson): boolean {
  return capixLock !== undefined;
}

/** The contract that a lock file keeps; undefined where another version of capix wrote it, or nobody can read it. */
export function parseLock(lock: SchemaJson, label: string): Manifest | undefined {
  const { capixLock, urlCase, bodyLimits, wire, capabilities, jobs } = lock;
  if (capixLock !== LOCK_VERSION || !Array.isArray(capabilities) || !capabilities.every(isSchemaObject))
    return undefined;
  return {
    project: { name: label, root: '', config: label },
    urlCase: urlCase as Manifest['urlCase'],
    bodyLimits: bodyLimits as Manifest['bodyLimits'],
    wire: wire as Manifest['wire'],
    capabilities: capabilities.map((capability) => ({ ...noRoute, ...capability }) as unknown as ManifestCapability),
    ...(Array.isArray(jobs) ? { jobs: jobs as readonly ManifestJob[] } : {}),
    problems: [],
    files: [],
  };
}

const noRoute = {
  answers: [],
  rule: { id: 'override' },
  explanation: { fired: '', nearest: '', change: '', alternative: { method: '', path: '' } },
} as const;
