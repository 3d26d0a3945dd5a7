import type { ApiOperation } from '../document/api-operation.ts';
import type { DocumentFacts } from '../document/facts.ts';
import { findDocumentFacts, readOperations } from '../document/read-operations.ts';
import { toPublished } from '../document/to-published.ts';
import { compareJobs } from './compare-jobs.ts';
import { compareOperations } from './compare-operations.ts';
import { findShadows, toRoute, toRouteShape } from './compare-routes.ts';
import { compareServers } from './compare-server.ts';
import {
  type CapabilityChange,
  type ContractChange,
  type ContractDiff,
  compareClasses,
  worstClass,
} from './contract-change.ts';
import { toChange } from './rules.ts';

export interface CompareOptions {
  /** ISO date: whether an end that was announced has come. @default none has */
  readonly today?: string | undefined;
}

/** A capability of a document, with the key that it has on both sides. */
export interface Side {
  readonly key: string;
  readonly operation: ApiOperation;
  /** Facts of the whole API; undefined for one that the tool did not write. */
  readonly facts: DocumentFacts | undefined;
}

/**
 * Compares two OpenAPI documents, ours or anybody's, and tells what each difference does to callers. Where only one of
 * them says what only the tool writes, both are compared as they are published: what a document does not say has not
 * changed. Pure.
 */
export function compare(before: object, after: object, { today }: CompareOptions = {}): ContractDiff {
  const facts = [findDocumentFacts(before), findDocumentFacts(after)] as const;
  const isOwn = facts.every((each) => each !== undefined);
  const olds = toSides(before, isOwn);
  const news = withKeysOf(olds, toSides(after, isOwn), isOwn);
  const named = facts[1] === undefined && facts[0] !== undefined ? olds : news;
  const operations = compareSides(toSamePrefix(olds, facts), news, today);
  const all = mergeJobs(operations, compareJobs(before, after), named);
  const server = isOwn ? compareServers([before, after], facts as readonly [DocumentFacts, DocumentFacts]) : [];
  return {
    added: all.filter(({ kind }) => kind === 'added'),
    removed: all.filter(({ kind }) => kind === 'removed'),
    changed: all.filter(({ kind }) => kind === 'changed'),
    server,
    class: worstClass([...all, ...server]),
  };
}

/** The capabilities of a document at their first routes; as anybody reads it where not all of it counts. */
function toSides(document: object, isOwn: boolean): readonly Side[] {
  const own = readOperations(document);
  const keys = toKeys(own.map((operation) => ({ key: operation.key, operation })));
  const operations = isOwn ? own : readOperations(toPublished(document as Parameters<typeof toPublished>[0]));
  const facts = isOwn ? findDocumentFacts(document) : undefined;
  return operations
    .filter(({ isMain }) => isMain)
    .map((operation) => ({ key: keys.get(operation.operationId) ?? operation.key, operation, facts }));
}

/** The keys by `operationId`, which not every document has. */
function toKeys(sides: readonly Pick<Side, 'key' | 'operation'>[]): ReadonlyMap<string | undefined, string> {
  const known = sides.filter(({ operation }) => operation.operationId !== undefined);
  return new Map(known.map(({ operation, key }) => [operation.operationId, key]));
}

/** Documents of others know no keys: their operations are those of the same `operationId`, else of the same route. */
function withKeysOf(olds: readonly Side[], news: readonly Side[], isOwn: boolean): readonly Side[] {
  if (isOwn) return news;
  const ids = toKeys(olds);
  const routes = new Map(olds.map(({ operation, key }) => [toRouteShape(operation), key]));
  const taken = new Set(news.map(({ operation }) => ids.get(operation.operationId)));
  return news.map((side) => {
    const byRoute = routes.get(toRouteShape(side.operation));
    const byId = ids.get(side.operation.operationId);
    const key = byId ?? (taken.has(byRoute) ? undefined : byRoute);
    return key === undefined ? side : { ...side, key };
  });
}

/** Another prefix is one change, and not one of each route. */
function toSamePrefix(olds: readonly Side[], facts: readonly (DocumentFacts | undefined)[]): readonly Side[] {
  const [from, to] = facts.map((each) => each?.prefix);
  if (from === undefined || to === undefined || from === to) return olds;
  const toMoved = (path: string): string => (path.startsWith(from) ? `${to}${path.slice(from.length)}` : path);
  return olds.map((side) => {
    const { path, otherRoutes } = side.operation;
    const moved = otherRoutes.map((route) => ({ ...route, path: toMoved(route.path) }));
    // What an operation says of itself is made when it is asked for.
    const operation = Object.create(side.operation, {
      path: { value: toMoved(path) },
      otherRoutes: { value: moved },
    }) as ApiOperation;
    return { ...side, operation };
  });
}

function compareSides(
  olds: readonly Side[],
  news: readonly Side[],
  today: string | undefined,
): readonly CapabilityChange[] {
  const before = new Map(olds.map((side) => [side.key, side]));
  const after = new Set(news.map(({ key }) => key));
  const come = news.filter(({ key }) => !before.has(key));
  const heirs = new Map(come.map((side) => [toRouteShape(side.operation), side]));
  const shadows = findShadows(olds, news);
  const added = come.map(({ key, operation }) =>
    toCapability({ kind: 'added', key, route: toRoute(operation) }, [
      toChange('capability-added', { at: 'route', message: 'was added' }),
    ]),
  );
  const removed = olds
    .filter(({ key }) => !after.has(key))
    .map((gone) => {
      const changes = toRemoved(gone, heirs.get(toRouteShape(gone.operation)), today);
      return toCapability({ kind: 'removed', key: gone.key, route: toRoute(gone.operation) }, changes);
    });
  const changed = news.flatMap((now) => {
    const old = before.get(now.key);
    const changes = old === undefined ? [] : [...compareOperations(old, now), ...(shadows.get(now.key) ?? [])];
    return changes.length === 0
      ? []
      : [toCapability({ kind: 'changed', key: now.key, route: toRoute(now.operation) }, changes)];
  });
  return [...added, ...removed, ...changed];
}

/**
 * HTTP callers do not see a key: a capability that was renamed and keeps its route still answers them, as far as it is
 * the same.
 */
function toRemoved(gone: Side, heir: Side | undefined, today: string | undefined): readonly ContractChange[] {
  if (heir !== undefined)
    return [
      toChange('capability-renamed', { at: 'key', message: `was removed; \`${heir.key}\` has its route` }),
      ...compareOperations(gone, heir).flatMap((change): readonly ContractChange[] =>
        change.audience.includes('http') ? [{ ...change, audience: ['http'] }] : [],
      ),
    ];
  const sunset = Date.parse(gone.operation.facts?.deprecation?.sunset ?? '');
  const isOver = today !== undefined && sunset <= Date.parse(today);
  const rule = isOver ? 'capability-removed-after-sunset' : 'capability-removed';
  return [toChange(rule, { at: 'route', message: 'was removed' })];
}

function toCapability(
  about: Pick<CapabilityChange, 'kind' | 'key' | 'route'>,
  changes: readonly ContractChange[],
): CapabilityChange {
  const sorted = changes.toSorted((a, b) => compareClasses(a.class, b.class));
  return { ...about, class: worstClass(sorted) ?? 'safe', changes: sorted };
}

/** One entry for each key: that a capability with a route came to be a job, or is none any more, is a change of it. */
function mergeJobs(
  capabilities: readonly CapabilityChange[],
  jobs: readonly CapabilityChange[],
  news: readonly Side[],
): readonly CapabilityChange[] {
  const routes = new Map(news.map(({ key, operation }) => [key, toRoute(operation)]));
  const ofJobs = new Map(jobs.map((change) => [change.key, change]));
  const merged = capabilities.map((change) => {
    const own = ofJobs.get(change.key);
    ofJobs.delete(change.key);
    if (own === undefined) return change;
    const { kind, key, route } = change;
    return toCapability({ kind, key, route }, mergeAudiences([...change.changes, ...own.changes]));
  });
  const alone = [...ofJobs.values()].map((change): CapabilityChange => {
    const route = routes.get(change.key);
    return route === undefined ? change : { ...change, kind: 'changed', route };
  });
  return [...merged, ...alone];
}

/** The same change of a capability and of its job is one change, for both. */
function mergeAudiences(changes: readonly ContractChange[]): readonly ContractChange[] {
  const known = new Map<string, ContractChange>();
  for (const change of changes) {
    const id = `${change.rule} ${change.at} ${change.message}`;
    const audience = [...new Set([...(known.get(id)?.audience ?? []), ...change.audience])];
    known.set(id, { ...change, audience });
  }
  return [...known.values()];
}
