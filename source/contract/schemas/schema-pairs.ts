import { type ApiSchema, findBareReference, toTarget } from '../../document/branch.ts';
import { toRefName } from '../../document/read-branches.ts';
import { findTarget, isSchemaObject } from '../../document/schema-json.ts';
import { remember } from '../../values/once.ts';
import { comparePair } from './compare-pair.ts';
import { type HeldPair, toHeldLimit } from './compare-restrictions.ts';
import { Coverage } from './coverage.ts';
import { type Direction, type FoundPart, toLimitFinding } from './finding.ts';
import { SameParts } from './same-parts.ts';

/** A change at its place in the schema that the caller compares. */
export interface PlacedChange extends FoundPart {
  /** The place of the pair that it is a change of: `.user.address`. */
  readonly path: string;
  /** The component that it is a change of, and the place of that component. */
  readonly component: { readonly name: string; readonly path: string } | undefined;
}

/** Two schemas that have become each other, in one direction. */
interface SchemaPair {
  readonly before: ApiSchema;
  readonly after: ApiSchema;
  readonly direction: Direction;
  /** The name by which others refer to it: `User`. */
  readonly component: string | undefined;
  /** The changes of it and the pairs inside of it, in the order of the schema. */
  readonly entries: (FoundPart | InnerEntry)[];
  /** Whether something differs in it, or in a pair inside of it. */
  isChanged: boolean;
  readonly parents: SchemaPair[];
  /** The changes of it and of all inside of it, once they are known. */
  all?: readonly PlacedChange[];
}

interface InnerEntry {
  readonly kind: 'pair';
  readonly part: string;
  readonly pair: SchemaPair;
}

type PairMap = Map<object, Map<object, SchemaPair>>;

/**
 * All pairs of schemas of two documents that were compared. Each pair is compared once, whatever leads to it, and what
 * differs is stored relative to it. A pair that leads to itself counts as equal: what differs in it is reported at its
 * first place.
 */
export class SchemaPairs {
  readonly same: SameParts;
  readonly #coverage: Coverage;
  readonly #known: Readonly<Record<Direction, PairMap>> = { input: new Map(), output: new Map() };
  readonly #open: SchemaPair[] = [];

  constructor(before: unknown, after: unknown) {
    this.same = new SameParts(before, after);
    this.#coverage = new Coverage(this.same, before);
  }

  /** Finds the changes of two schemas: those of a pair once, at the place that is nearest to the schema. */
  compare(before: ApiSchema, after: ApiSchema, direction: Direction): readonly PlacedChange[] {
    if (this.#isSame(before, after)) return [];
    const pair = this.#findPair(before, after, direction);
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) this.#look(next);
    if (!pair.isChanged) return [];
    pair.all ??= toPlacedChanges(pair);
    return pair.all;
  }

  #isSame(before: ApiSchema, after: ApiSchema): boolean {
    return this.same.isSame(before.json, after.json);
  }

  #findPair(before: ApiSchema, after: ApiSchema, direction: Direction): SchemaPair {
    const old = toTarget(before);
    const now = toTarget(after);
    const all = this.#known[direction];
    if (!isSchemaObject(old) || !isSchemaObject(now))
      return this.#addPair(before, after, direction);
    const known = remember(all, old, () => new Map<object, SchemaPair>());
    return remember(known, now, () => this.#addPair(before, after, direction));
  }

  #addPair(before: ApiSchema, after: ApiSchema, direction: Direction): SchemaPair {
    const pair: SchemaPair = {
      before,
      after,
      direction,
      component: findComponent(before, after),
      entries: [],
      isChanged: false,
      parents: [],
    };
    this.#open.push(pair);
    return pair;
  }

  /** Compares a pair, and finds the pairs inside of it, which stay open. */
  #look(pair: SchemaPair): void {
    const { before, after, direction } = pair;
    const admits = this.#coverage.covers.bind(this.#coverage);
    for (const each of comparePair(before, after, { direction, admits })) {
      const found = each.kind === 'held' ? this.#toHeldChange(each, direction) : each;
      if (found === undefined) continue;
      if (found.kind === 'change') {
        pair.entries.push(found);
        markChanged(pair);
      } else if (!this.#isSame(found.before, found.after)) {
        const inner = this.#findPair(found.before, found.after, direction);
        pair.entries.push({ kind: 'pair', part: found.part, pair: inner });
        inner.parents.push(pair);
        if (inner.isChanged) markChanged(pair);
      }
    }
  }

  #toHeldChange(held: HeldPair, direction: Direction): FoundPart | undefined {
    const { before, after } = held;
    if (this.#isSame(before, after)) return undefined;
    const limit = toHeldLimit(held, {
      isWider: this.#coverage.coversSchema(after, before),
      isNarrower: this.#coverage.coversSchema(before, after),
    });
    return limit && toLimitFinding(limit, direction);
  }
}

/**
 * The reference to the component that both parts are. What refers to another component than before has changed itself,
 * and so has what moved into a component or out of it. Where the newer document has no component of the older name, the
 * component was renamed.
 */
export function findSharedReference(
  before: string | undefined,
  after: string | undefined,
  root: unknown,
): string | undefined {
  if (before === undefined || after === undefined) return undefined;
  return before === after || findTarget(before, root) === undefined ? after : undefined;
}

/** The name of the component that both schemas are. */
function findComponent(before: ApiSchema, after: ApiSchema): string | undefined {
  const old = findBareReference(before);
  const now = findBareReference(after);
  const reference = findSharedReference(old, now, after.root);
  return reference && toRefName(reference);
}

function markChanged(pair: SchemaPair): void {
  if (pair.isChanged) return;
  pair.isChanged = true;
  const marked = [pair];
  for (const { parents } of marked)
    for (const parent of parents) {
      if (parent.isChanged) continue;
      parent.isChanged = true;
      marked.push(parent);
    }
}

/** A pair at the first place where it was met. */
interface Visit {
  readonly pair: SchemaPair;
  readonly path: string;
  readonly component: PlacedChange['component'];
  /** The visits that it leads to first, by their places in its entries. */
  readonly inner: Map<number, Visit>;
}

function toPlacedChanges(pair: SchemaPair): readonly PlacedChange[] {
  const first = toVisit(pair, '', undefined);
  const visits = [first];
  const met = new Set([pair]);
  for (const visit of visits)
    for (const [index, entry] of visit.pair.entries.entries()) {
      if (entry.kind !== 'pair' || !entry.pair.isChanged) continue;
      const isMet = met.has(entry.pair);
      // Each field of a request says for itself what it takes: two fields may have different senders.
      if (isMet && visit !== first) continue;
      const inner = toVisit(entry.pair, `${visit.path}${entry.part}`, visit.component);
      visit.inner.set(index, inner);
      met.add(entry.pair);
      if (!isMet) visits.push(inner);
    }
  return toChangesInOrder(first);
}

function toVisit(pair: SchemaPair, path: string, outer: PlacedChange['component']): Visit {
  const component = pair.component === undefined ? outer : { name: pair.component, path };
  return { pair, path, component, inner: new Map() };
}

/** The changes in the order of the schema: what is inside of a field follows the field. */
function toChangesInOrder(first: Visit): readonly PlacedChange[] {
  const changes: PlacedChange[] = [];
  const open = [{ visit: first, index: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { visit, index } = top;
    const { path, component } = visit;
    const entry = visit.pair.entries[index];
    top.index += 1;
    if (entry === undefined) open.pop();
    else if (entry.kind === 'change') changes.push({ ...entry, path, component });
    else {
      const inner = visit.inner.get(index);
      if (inner !== undefined) open.push({ visit: inner, index: 0 });
    }
  }
  return changes;
}
