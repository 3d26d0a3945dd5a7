import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSortedJson, toSortedText } from '../contract/sorted-json.ts';
import type { SchemaJson } from '../document/schema-json.ts';

/** The file where the contract of a project is kept, relative to its root. */
export const LOCK_FILE = 'capix.lock.json';

/** The mark that `toLockText` leaves. */
const GENERATOR = 'capix lock';

/** A document of the tool as the text of a lock file, sorted, so that the same contract is the same text. */
export function toLockText(document: object): string {
  return `${JSON.stringify(toSorted({ ...document, 'x-generator': GENERATOR }), undefined, 2)}\n`;
}

/** Whether the lock file of a project is what `toLockText` makes of it now. */
export type LockState = 'fresh' | 'stale' | 'missing';

/** Text that only people read makes no lock file stale. */
export function findLockState(root: string, document: object): LockState {
  const file = join(root, LOCK_FILE);
  if (!existsSync(file)) return 'missing';
  try {
    const locked: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const now: unknown = JSON.parse(toLockText(document));
    return toContractText(locked) === toContractText(now) ? 'fresh' : 'stale';
  } catch {
    return 'stale';
  }
}

function toContractText(document: unknown): string {
  return JSON.stringify(toSorted(document, { withProse: false }));
}

/** Texts that people read, and places in files. */
const prose: ReadonlySet<string> = new Set([
  'description',
  'example',
  'examples',
  'externalDocs',
  'info',
  'servers',
  'source',
  'summary',
  'title',
]);

/** Lists whose order means nothing. */
const unordered: ReadonlySet<string> = new Set(['enum', 'parameters', 'required', 'tags']);

/** Values of the user, in which no word is a keyword. */
const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** Objects whose fields are names, such as those of fields. */
const maps: ReadonlySet<string> = new Set([
  '$defs',
  'headers',
  'patternProperties',
  'properties',
  'schemas',
  'securitySchemes',
  'settings',
]);

interface SortOptions {
  /** @default true */
  readonly withProse?: boolean;
  readonly isMap?: boolean;
}

function toSorted(value: unknown, { withProse = true, isMap = false }: SortOptions = {}): unknown {
  if (Array.isArray(value)) return value.map((inner) => toSorted(inner, { withProse }));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name]) => withProse || isMap || !prose.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const toInner = (name: string, inner: unknown): unknown => {
    if (isMap) return toSorted(inner, { withProse });
    const sorted = values.has(name) ? toSortedJson(inner) : toSorted(inner, { withProse, isMap: maps.has(name) });
    if (!Array.isArray(sorted) || !unordered.has(name)) return sorted;
    return sorted.toSorted((a, b) => (toSortedText(a) < toSortedText(b) ? -1 : 1));
  };
  return Object.fromEntries(entries.map(([name, inner]) => [name, toInner(name, inner)]));
}

/** Whether a file is a lock file as versions before wrote it. */
export function isOldLock(document: SchemaJson): boolean {
  return 'capixLock' in document;
}
