import { type ApiOperation, JOB } from '../document/api-operation.ts';
import { toApiSchema } from '../document/branch.ts';
import type { DocumentFacts } from '../document/facts.ts';
import { findDocumentFacts, readJobs, readOperations } from '../document/read-operations.ts';
import { recordOf } from '../document/schema-json.ts';
import { toPublished } from '../document/to-published.ts';
import { toServerFacts } from './caller-facts.ts';
import { compareFacts } from './compare-facts.ts';
import { compareJobs, compareOperations } from './compare-operations.ts';
import { compareShadows, findNewRoutes, toRoute, toRouteShape } from './compare-routes.ts';
import { compareSchemas } from './compare-schemas.ts';
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

type Pair<Value> = readonly [old: Value, now: Value];

/**
 * Compares two OpenAPI documents, ours or anybody's, and tells what each difference does to callers. Where only one of
 * them says what only the tool writes, both are compared as they are published: what a document does not say has not
 * changed. Pure.
 */
export function compare(before: object, after: object, { today }: CompareOptions = {}): ContractDiff {
  const [old, now] = [findDocumentFacts(before), findDocumentFacts(after)];
  const facts = old && now && ([old, now] as const);
  const olds = toSides(before, facts !== undefined);
  const read = toSides(after, facts !== undefined);
  const news = facts === undefined ? withKeysOf(olds, read) : read;
  const operations = compareCapabilities(facts ? toSamePrefix(olds, facts) : olds, news, today);
  const all = mergeJobs(operations, compareAllJobs(before, after), old && !now ? olds : news);
  const server = facts === undefined ? [] : compareServers([before, after], facts);
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
function withKeysOf(olds: readonly Side[], news: readonly Side[]): readonly Side[] {
  const ids = toKeys(olds);
  const routes = new Map(olds.map(({ operation, key }) => [toRouteShape(operation), key]));
  const taken = new Set(news.map(({ operation }) => ids.get(operation.operationId)));
  return news.map((side) => {
    const byRoute = routes.get(toRouteShape(side.operation));
    const key = ids.get(side.operation.operationId) ?? (taken.has(byRoute) ? undefined : byRoute);
    return key === undefined ? side : { ...side, key };
  });
}

/** Another prefix is one change, and not one of each route. */
function toSamePrefix(olds: readonly Side[], [{ prefix: from }, { prefix: to }]: Pair<DocumentFacts>): readonly Side[] {
  if (from === to) return olds;
  const toMoved = <Route extends { readonly path: string }>(route: Route): Route =>
    route.path.startsWith(from) ? { ...route, path: `${to}${route.path.slice(from.length)}` } : route;
  return olds.map((side) => {
    const operation = { ...side.operation, otherRoutes: side.operation.otherRoutes.map(toMoved) };
    return { ...side, operation: toMoved(operation) };
  });
}

function compareCapabilities(
  olds: readonly Side[],
  news: readonly Side[],
  today: string | undefined,
): readonly CapabilityChange[] {
  const known = new Set(olds.map(({ key }) => key));
  const heirs = new Map(news.filter(({ key }) => !known.has(key)).map((side) => [toRouteShape(side.operation), side]));
  const fresh = findNewRoutes(olds, news);
  return compareSides([olds, news], {
    toAdded: () => [toChange('capability-added', { at: 'route', message: 'was added' })],
    toRemoved: (gone) => toRemoved(gone, heirs.get(toRouteShape(gone.operation)), today),
    toChanges: (old, now) => [...compareOperations(old, now), ...compareShadows(now, fresh)],
  });
}

interface SideComparison {
  readonly toAdded: (now: Side) => readonly ContractChange[];
  readonly toRemoved: (old: Side) => readonly ContractChange[];
  readonly toChanges: (old: Side, now: Side) => readonly ContractChange[];
}

function compareSides(
  [olds, news]: Pair<readonly Side[]>,
  { toAdded, toRemoved: toGone, toChanges }: SideComparison,
): readonly CapabilityChange[] {
  const before = new Map(olds.map((side) => [side.key, side]));
  const after = new Set(news.map(({ key }) => key));
  const removed = olds.filter(({ key }) => !after.has(key)).map((old) => toCapability('removed', old, toGone(old)));
  const others = news.flatMap((now) => {
    const old = before.get(now.key);
    if (old === undefined) return [toCapability('added', now, toAdded(now))];
    const changes = toChanges(old, now);
    return changes.length === 0 ? [] : [toCapability('changed', now, changes)];
  });
  return [...removed, ...others];
}

function toCapability(
  kind: CapabilityChange['kind'],
  { key, operation }: Pick<Side, 'key' | 'operation'>,
  changes: readonly ContractChange[],
): CapabilityChange {
  const route = operation.job === undefined ? toRoute(operation) : `${JOB} ${key}`;
  return { kind, key, route, ...toWorstFirst(changes) };
}

function toWorstFirst(changes: readonly ContractChange[]): Pick<CapabilityChange, 'class' | 'changes'> {
  const sorted = changes.toSorted((a, b) => compareClasses(a.class, b.class));
  return { class: worstClass(sorted) ?? 'safe', changes: sorted };
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

/** The document of a running server says nothing of jobs. */
function compareAllJobs(before: object, after: object): readonly CapabilityChange[] {
  const documents = [before, after] as const;
  if (!documents.every((each) => 'x-jobs' in each || findDocumentFacts(each) !== undefined)) return [];
  const [olds = [], news = []] = documents.map((document) =>
    readJobs(document).map((operation): Side => ({ key: operation.key, operation, facts: undefined })),
  );
  return compareSides([olds, news], {
    toAdded: () => [toChange('job-added', { at: 'job', message: 'became a job' })],
    toRemoved: () => [toChange('job-removed', { at: 'job', message: 'is not a job any more' })],
    toChanges: compareJobs,
  });
}

/** One entry for each key: that a capability with a route came to be a job, or is none any more, is a change of it. */
function mergeJobs(
  capabilities: readonly CapabilityChange[],
  jobs: readonly CapabilityChange[],
  news: readonly Side[],
): readonly CapabilityChange[] {
  const merged = capabilities.map((change) => {
    const own = jobs.find(({ key }) => key === change.key);
    return own ? { ...change, ...toWorstFirst(mergeAudiences([...change.changes, ...own.changes])) } : change;
  });
  const alone = jobs.filter(({ key }) => !capabilities.some((change) => change.key === key));
  const named = alone.map((change): CapabilityChange => {
    const side = news.find(({ key }) => key === change.key);
    return side === undefined ? change : { ...change, kind: 'changed', route: toRoute(side.operation) };
  });
  return [...merged, ...named];
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

/** Compares what holds for every call. Data in another place is a change of its own; agents get it without a body. */
function compareServers(documents: Pair<object>, facts: Pair<DocumentFacts>): readonly ContractChange[] {
  const [success, other] = facts.map(({ envelope }) => toApiSchema(envelope.success));
  const isSamePath = `${facts[0].envelope.dataPath}` === `${facts[1].envelope.dataPath}`;
  const [error, otherError] = documents.map((document) => {
    const { Error: json } = recordOf(recordOf(recordOf(document)['components'])['schemas']);
    return json === undefined ? undefined : toApiSchema(json, document);
  });
  const bodies = [
    ...(isSamePath ? compareSchemas(success, other, { at: 'server.success', direction: 'output' }) : []),
    ...(error && otherError ? compareSchemas(error, otherError, { at: 'server.error', direction: 'output' }) : []),
  ];
  return [
    ...compareFacts(toServerFacts(facts[0]), toServerFacts(facts[1])),
    ...bodies.map((change) => ({ ...change, audience: change.audience.filter((who) => who !== 'agents') })),
  ];
}
