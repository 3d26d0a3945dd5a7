import type { DocumentFacts } from '../document/facts.ts';
import { type ApiOperation, JOB } from '../document/operations/api-operation.ts';
import {
  type CapabilityChange,
  type ContractChange,
  compareClasses,
  worstClass,
} from './changes/contract-change.ts';
import { toRoute } from './compare-routes.ts';

/** A capability, a job or a webhook of a document, with the key that it has on both sides. */
export interface Side {
  readonly key: string;
  readonly operation: ApiOperation;
  /** Facts of the whole API; undefined for one that the tool did not write. */
  readonly facts: DocumentFacts | undefined;
}

/** All sides of one kind of two documents. */
export interface SideLists {
  readonly older: readonly Side[];
  readonly newer: readonly Side[];
}

/** The number of operations that were compared, and of all. */
export interface CompareProgress {
  readonly compared: number;
  readonly total: number;
}

/** A comparison that may be paused before each operation. */
export type Steps<Result> = Generator<CompareProgress, Result, undefined>;

/** The changes of one kind of sides: of one that was added, of one that was removed, and of a pair. */
interface SideChanges {
  readonly added: ContractChange;
  readonly toRemoved: (old: Side) => readonly ContractChange[];
  readonly toChanges: (old: Side, now: Side) => readonly ContractChange[];
}

/** Pairs the sides of two documents by their keys and compares each pair: first those that were removed. */
export function* compareSides(
  { older, newer }: SideLists,
  { added, toRemoved, toChanges }: SideChanges,
): Steps<readonly CapabilityChange[]> {
  const byKey = new Map(older.map((side) => [side.key, side]));
  const keysNow = new Set(newer.map(({ key }) => key));
  const all = older
    .filter(({ key }) => !keysNow.has(key))
    .map((old) => toCapability('removed', old, toRemoved(old)));
  for (const [compared, now] of newer.entries()) {
    yield { compared, total: newer.length };
    const old = byKey.get(now.key);
    if (old === undefined) {
      all.push(toCapability('added', now, [added]));
      continue;
    }
    const changes = toChanges(old, now);
    if (changes.length > 0) all.push(toCapability('changed', now, changes));
  }
  return all;
}

function toCapability(
  kind: CapabilityChange['kind'],
  { key, operation }: Side,
  found: readonly ContractChange[],
): CapabilityChange {
  const route = operation.job === undefined ? toRoute(operation) : `${JOB} ${key}`;
  const changes = found.toSorted((a, b) => compareClasses(a.class, b.class));
  return { kind, key, route, class: worstClass(changes) ?? 'safe', changes };
}
