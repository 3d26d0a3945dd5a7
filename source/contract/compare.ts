import { toApiSchema } from '../document/branch.ts';
import { type DocumentFacts, findDocumentFacts } from '../document/facts.ts';
import { isSameJson } from '../document/fits-branch.ts';
import { type ApiOperation, JOB } from '../document/operations/api-operation.ts';
import { toServers } from '../document/operations/document-operation.ts';
import { readJobs, readOperations, readWebhooks } from '../document/operations/read-operations.ts';
import { findTarget, recordOf } from '../document/schema-json.ts';
import { toPublished } from '../document/to-published.ts';
import {
  type CapabilityChange,
  type ContractChange,
  type ContractDiff,
  compareClasses,
  worstClass,
} from './changes/contract-change.ts';
import { toChange } from './changes/rules.ts';
import { compareCall, compareCallbacks } from './compare-contents.ts';
import { compareFacts, compareMembers } from './compare-facts.ts';
import { compareCredentials, compareGuards } from './compare-guards.ts';
import { compareInputs } from './compare-inputs.ts';
import { compareErrorBodies, compareErrors, compareResponses } from './compare-responses.ts';
import {
  compareRoutes,
  compareShadows,
  toRoute,
  toRouteShape,
  toRoutes,
} from './compare-routes.ts';
import { compareSent } from './compare-sent.ts';
import { compareUrls, matchSides } from './match-sides.ts';
import { compareSunsets, toNoticedFacts } from './noticed-facts.ts';
import { createSameOperations, type IsSameOperation } from './same-operations.ts';
import { compareSchemas } from './schemas/compare-schemas.ts';
import { toServerFacts } from './server-facts.ts';

/** A capability or a job of a document, with the key that it has on both sides. */
export interface Side {
  readonly key: string;
  readonly operation: ApiOperation;
  /** Facts of the whole API; undefined for one that the tool did not write. */
  readonly facts: DocumentFacts | undefined;
}

type Pair<Value> = readonly [old: Value, now: Value];

export interface CompareOptions {
  /** An ISO date; without one, no end that was announced has come. */
  readonly today?: string | undefined;
}

/** The number of operations that were compared, and of all. */
export interface CompareProgress {
  readonly compared: number;
  readonly total: number;
}

/**
 * Compares two OpenAPI documents, ours or anybody's, and tells what each difference does to callers. Where only one of
 * them says what only the tool writes, both are compared as they are published: what a document does not say has not
 * changed. Pure.
 */
export function compare(before: object, after: object, options: CompareOptions = {}): ContractDiff {
  const steps = compareInSteps(before, after, options);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The same, operation by operation, so that whoever runs it may pause or stop between two of them. */
export function* compareInSteps(
  before: object,
  after: object,
  { today }: CompareOptions = {},
): Steps<ContractDiff> {
  const [old, now] = [findDocumentFacts(before), findDocumentFacts(after)];
  const facts = old && now && ([old, now] as const);
  const older = facts ? before : toForeign(before);
  const newer = facts ? after : toForeign(after);
  const [olds, news] = [toSides(older, before, facts?.[0]), toSides(newer, after, facts?.[1])];
  const sides = facts
    ? {
        older: toSamePrefix(olds, facts),
        newer: news,
        server: compareServers([before, after], facts),
      }
    : matchSides(olds, news, [before, after]);
  const { server } = sides;
  const isSame = createSameOperations(older, newer);
  const capabilities = yield* compareCapabilities([sides.older, sides.newer], { today, isSame });
  const webhooks = yield* compareWebhooks(before, after);
  const all = [...capabilities, ...webhooks, ...(yield* compareAllJobs(before, after))];
  return {
    added: all.filter(({ kind }) => kind === 'added'),
    removed: all.filter(({ kind }) => kind === 'removed'),
    changed: all.filter(({ kind }) => kind === 'changed'),
    server,
    class: worstClass([...all, ...server]),
  };
}

type Steps<Result> = Generator<CompareProgress, Result, undefined>;

const published = new WeakMap<object, object>();

/** A document as anybody reads it: the same one where the tool did not write it. */
function toForeign(document: object): object {
  if (findDocumentFacts(document) === undefined) return document;
  const known =
    published.get(document) ?? toPublished(document as Parameters<typeof toPublished>[0]);
  published.set(document, known);
  return known;
}

/**
 * The capabilities of a document at their first routes, with the keys that they have in the
 * document as it was given.
 */
function toSides(
  document: object,
  source: object,
  facts: DocumentFacts | undefined,
): readonly Side[] {
  const keys = new Map(
    document === source
      ? []
      : readOperations(source).map(({ operationId, key }) => [operationId, key]),
  );
  return readOperations(document)
    .filter(({ isMain }) => isMain)
    .map((operation) => ({
      key: (operation.operationId && keys.get(operation.operationId)) ?? operation.key,
      operation,
      facts,
    }));
}

/** Another prefix is one change, and not one of each route. */
function toSamePrefix(
  olds: readonly Side[],
  [{ prefix: from }, { prefix: to }]: Pair<DocumentFacts>,
): readonly Side[] {
  if (from === to) return olds;
  const toPath = (path: string): string =>
    path.startsWith(from) ? `${to}${path.slice(from.length)}` : path;
  return olds.map((side) => ({ ...side, operation: side.operation.toMoved(toPath) }));
}

function* compareCapabilities(
  [olds, news]: Pair<readonly Side[]>,
  { today, isSame }: { readonly today: string | undefined; readonly isSame: IsSameOperation },
): Steps<readonly CapabilityChange[]> {
  const keys = new Set(olds.map(({ key }) => key));
  const heirs = new Map(
    news.filter(({ key }) => !keys.has(key)).map((side) => [toRouteShape(side.operation), side]),
  );
  const shapes = new Set(olds.flatMap(({ operation }) => toRoutes(operation).map(toRouteShape)));
  const fresh = news
    .flatMap(({ key, operation }) => toRoutes(operation).map((route) => ({ key, route })))
    .filter(({ route }) => !shapes.has(toRouteShape(route)));
  return yield* compareSides([olds, news], {
    added: toChange('capability-added', { at: 'route', message: 'was added' }),
    toRemoved: (old) => toRemoved(old, heirs.get(toRouteShape(old.operation)), today),
    toChanges: (old, now) => [
      ...(isSame(old.operation, now.operation) ? [] : compareOperations(old, now)),
      ...compareShadows(now, fresh),
    ],
  });
}

interface SideComparison {
  readonly added: ContractChange;
  readonly toRemoved: (old: Side) => readonly ContractChange[];
  readonly toChanges: (old: Side, now: Side) => readonly ContractChange[];
}

function* compareSides(
  [olds, news]: Pair<readonly Side[]>,
  { added, toRemoved: toGone, toChanges }: SideComparison,
): Steps<readonly CapabilityChange[]> {
  const before = new Map(olds.map((side) => [side.key, side]));
  const after = new Set(news.map(({ key }) => key));
  const all = olds
    .filter(({ key }) => !after.has(key))
    .map((old) => toCapability('removed', old, toGone(old)));
  for (const [compared, now] of news.entries()) {
    yield { compared, total: news.length };
    const old = before.get(now.key);
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

/** Compares everything that callers notice of a capability. What only one of the two says has not changed. */
function compareOperations(before: Side, after: Side): readonly ContractChange[] {
  const [old, now] = [before.operation, after.operation];
  const credentials = compareCredentials(old, now);
  const isOpen = credentials.some(({ rule }) => rule === 'guard-removed');
  const guards = [...credentials, ...compareGuards(old, now, isOpen)];
  const isSameEnvelope = isSameJson(before.facts?.envelope, after.facts?.envelope);
  const isForeign = old.facts === undefined && old.job === undefined;
  // A timeout of the server is a change of all.
  const timeoutMs = after.facts?.timeoutMs;
  return [
    ...compareRoutes(old, now),
    ...(isForeign ? compareSent(old, now) : compareInputs(old, now)),
    ...guards,
    ...compareErrors(old, now, guards.length > 0),
    ...(isSameEnvelope ? compareErrorBodies(old, now) : []),
    ...compareResponses(old, now),
    ...compareFacts(toNoticedFacts(old, timeoutMs), toNoticedFacts(now, timeoutMs)),
    ...compareSunsets(old, now),
    ...(isForeign ? compareForeign(before, after) : []),
    ...compareMembers(toOffers(old), toOffers(now), {
      at: 'offers',
      added: 'offer-added',
      removed: 'offer-removed',
    }),
  ];
}

/** Compares what only documents of others say. */
function compareForeign(before: Side, after: Side): readonly ContractChange[] {
  const [old, now] = [before.operation, after.operation];
  const [id, idNow] = [old.operationId, now.operationId];
  const renamed = { at: 'key', message: `is called \`${idNow}\` now`, before: id, after: idNow };
  const isRenamed = id !== undefined && idNow !== undefined && id !== idNow;
  const hasServers = old.servers.length + now.servers.length > 0;
  return [
    ...(isRenamed ? [toChange('capability-renamed', renamed)] : []),
    ...(hasServers ? compareUrls(toOwnServers(old), toOwnServers(now)) : []),
    ...compareCallbacks(old, now),
  ];
}

function toOwnServers({ servers, document }: ApiOperation): readonly string[] {
  return servers.length > 0 ? servers : toServers(recordOf(document)['servers']);
}

/** What servers call without having been asked. */
function* compareWebhooks(before: object, after: object): Steps<readonly CapabilityChange[]> {
  const [olds = [], news = []] = [before, after].map((document) =>
    readWebhooks(document).map(
      (operation): Side => ({ key: `webhook ${operation.key}`, operation, facts: undefined }),
    ),
  );
  return yield* compareSides([olds, news], {
    added: toChange('webhook-added', { at: 'webhook', message: 'was added' }),
    toRemoved: () => [toChange('webhook-removed', { at: 'webhook', message: 'was removed' })],
    toChanges: (old, now) => compareCall(old.operation, now.operation, 'webhook'),
  });
}

function toOffers({ facts }: ApiOperation): readonly string[] {
  const { resources = [], prompt } = facts?.offers ?? {};
  return [
    ...resources.map(({ uri }) => `resource \`${uri}\``),
    ...(prompt === undefined ? [] : [`prompt \`${prompt}\``]),
  ];
}

/**
 * HTTP callers do not see a key: a capability that was renamed and keeps its route still answers them, as far as it is
 * the same.
 */
function toRemoved(old: Side, heir: Side | undefined, today = ''): readonly ContractChange[] {
  if (heir !== undefined)
    return [
      toChange('capability-renamed', {
        at: 'key',
        message: `was removed; \`${heir.key}\` has its route`,
      }),
      ...compareOperations(old, heir).flatMap((change): readonly ContractChange[] =>
        change.audience.includes('http') ? [{ ...change, audience: ['http'] }] : [],
      ),
    ];
  const isOver = Date.parse(old.operation.facts?.deprecation?.sunset ?? '') <= Date.parse(today);
  const found = {
    at: 'route',
    message: 'was removed',
    class: isOver ? 'risky' : undefined,
  } as const;
  return [toChange('capability-removed', found)];
}

/** The document of a running server says nothing of jobs. */
function* compareAllJobs(before: object, after: object): Steps<readonly CapabilityChange[]> {
  const documents = [before, after] as const;
  if (!documents.every((each) => 'x-jobs' in each || findDocumentFacts(each) !== undefined))
    return [];
  const [olds = [], news = []] = documents.map((document) =>
    readJobs(document).map(
      (operation): Side => ({ key: operation.key, operation, facts: undefined }),
    ),
  );
  return yield* compareSides([olds, news], {
    added: toChange('job-added', { at: 'job', message: 'became a job' }),
    toRemoved: () => [toChange('job-removed', { at: 'job', message: 'is not a job any more' })],
    // For the code that adds jobs: nobody reads what they give.
    toChanges: (old, now) =>
      compareOperations(old, now).map((found) => {
        const change = { ...found, audience: ['jobs'] as const };
        const isSafe = found.rule === 'error-removed';
        return isSafe ? toChange('error-removed', { ...change, class: 'safe' }) : change;
      }),
  });
}

/** Compares what holds for every call. Data in another place is a change of its own; agents get it without a body. */
function compareServers(
  documents: Pair<object>,
  facts: Pair<DocumentFacts>,
): readonly ContractChange[] {
  const [error, otherError] = documents.map((document) =>
    toApiSchema(findTarget('#/components/schemas/Error', document), document),
  );
  const bodies = compareSchemas(error, otherError, { at: 'server.error', direction: 'output' });
  return [
    ...compareFacts(toServerFacts(facts[0]), toServerFacts(facts[1])),
    ...bodies.map((change) => ({
      ...change,
      audience: change.audience.filter((who) => who !== 'agents'),
    })),
  ];
}
