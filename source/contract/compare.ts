import { setImmediate } from 'node:timers/promises';
import { toApiSchema } from '../document/branch.ts';
import { type DocumentFacts, findDocumentFacts } from '../document/facts.ts';
import { readJobs, readOperations, readWebhooks } from '../document/operations/read-operations.ts';
import { findTarget } from '../document/schema-json.ts';
import { toPublished } from '../document/to-published.ts';
import { onceFor } from '../values/once.ts';
import {
  type CapabilityChange,
  type ContractChange,
  type ContractDiff,
  compareFacts,
  toChange,
  worstClass,
} from './changes/contract-change.ts';
import { compareCall } from './compare-contents.ts';
import { compareGraphql } from './compare-graphql.ts';
import { compareOperations } from './compare-operations.ts';
import { compareShadows, toRouteShape, toRoutes } from './compare-routes.ts';
import {
  type CompareProgress,
  compareSides,
  type Side,
  type SideLists,
  type Steps,
} from './compare-sides.ts';
import { type MatchedSides, matchSides, withPrefix } from './match-sides.ts';
import { createSameOperations, type IsSameOperation } from './same-operations.ts';
import { compareSchemas } from './schemas/compare-schemas.ts';
import { compareWebSockets, toServerFacts } from './server-facts.ts';

export interface CompareOptions {
  /** An ISO date. Without one, the date of no announced end has been reached. */
  readonly today?: string | undefined;
}

/**
 * Compares two OpenAPI documents and says what each difference does to callers. Where the tool wrote only one of them,
 * it compares what both publish: a fact that one of them cannot state counts as unchanged. Pure.
 */
export function compare(before: object, after: object, options: CompareOptions = {}): ContractDiff {
  const steps = compareInSteps(before, after, options);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

export interface PauseOptions extends CompareOptions {
  /** Ends the comparison at its next pause. */
  readonly signal?: AbortSignal | undefined;
  /** Called at each pause. */
  readonly onProgress?: ((progress: CompareProgress) => void) | undefined;
}

/** The time that a comparison of large documents takes between two pauses, in milliseconds. */
const SLICE_MS = 40;

/**
 * Compares two documents with pauses, in which the process handles signals and keys, and a screen draws. Rejects with
 * the reason of `signal` once that is aborted.
 */
export async function compareWithPauses(
  before: object,
  after: object,
  { today, signal, onProgress }: PauseOptions = {},
): Promise<ContractDiff> {
  signal?.throwIfAborted();
  const steps = compareInSteps(before, after, { today });
  let resumedAtMs = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() - resumedAtMs < SLICE_MS) continue;
    onProgress?.(step.value);
    await setImmediate();
    signal?.throwIfAborted();
    resumedAtMs = performance.now();
  }
}

/** The same, operation by operation. */
function* compareInSteps(
  before: object,
  after: object,
  { today }: CompareOptions = {},
): Steps<ContractDiff> {
  const { older, newer, server, isSame } = toComparison(before, after);
  const capabilities = yield* compareCapabilities({ older, newer }, { today, isSame });
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

/** The operations of both documents, where the same operation has the same key, and the changes of the whole server. */
interface Comparison extends MatchedSides {
  readonly isSame: IsSameOperation;
}

function toComparison(before: object, after: object): Comparison {
  const facts = findDocumentFacts(before);
  const factsNow = findDocumentFacts(after);
  if (facts !== undefined && factsNow !== undefined)
    return {
      older: withPrefix(toSides(before, facts), facts.prefix, factsNow.prefix),
      newer: toSides(after, factsNow),
      server: [
        ...compareFacts(toServerFacts(facts), toServerFacts(factsNow)),
        ...compareErrorSchemas(before, after),
        ...compareWebSockets(before, after, false),
        ...compareGraphql(facts.graphql, factsNow.graphql),
      ],
      isSame: createSameOperations(before, after),
    };
  const older = toForeign(before);
  const newer = toForeign(after);
  const matched = matchSides(toForeignSides(older, before), toForeignSides(newer, after), [
    before,
    after,
  ]);
  return {
    ...matched,
    server: [...matched.server, ...compareWebSockets(older, newer, true)],
    isSame: createSameOperations(older, newer),
  };
}

/** A document as it is published: the same one where the tool did not write it. */
const toForeign = onceFor((document: object): object =>
  findDocumentFacts(document) === undefined
    ? document
    : toPublished(document as Parameters<typeof toPublished>[0]),
);

/** The capabilities of a document at their first routes. */
function toSides(document: object, facts?: DocumentFacts): readonly Side[] {
  return readOperations(document)
    .filter(({ isMain }) => isMain)
    .map((operation) => ({ key: operation.key, operation, facts }));
}

/** The same of a document as it is published, with the keys that they have in the document as it was written. */
function toForeignSides(document: object, source: object): readonly Side[] {
  const sides = toSides(document);
  if (document === source) return sides;
  const keys = new Map(readOperations(source).map(({ operationId, key }) => [operationId, key]));
  return sides.map((side) => {
    const { operationId } = side.operation;
    return { ...side, key: (operationId && keys.get(operationId)) ?? side.key };
  });
}

/** The calls that servers make without a request (callbacks and webhooks). */
function* compareWebhooks(before: object, after: object): Steps<readonly CapabilityChange[]> {
  const toCalls = (document: object): readonly Side[] =>
    readWebhooks(document).map((operation) => {
      return { key: `webhook ${operation.key}`, operation, facts: undefined };
    });
  return yield* compareSides(
    { older: toCalls(before), newer: toCalls(after) },
    {
      added: toChange('webhook-added', { at: 'webhook', message: 'was added' }),
      toRemoved: () => [toChange('webhook-removed', { at: 'webhook', message: 'was removed' })],
      toChanges: (old, now) => compareCall(old.operation, now.operation, 'webhook'),
    },
  );
}

/** The document of a running server says nothing of jobs. */
function* compareAllJobs(before: object, after: object): Steps<readonly CapabilityChange[]> {
  const mayHaveJobs = (document: object): boolean =>
    'x-jobs' in document || findDocumentFacts(document) !== undefined;
  if (!mayHaveJobs(before) || !mayHaveJobs(after)) return [];
  const toJobs = (document: object): readonly Side[] =>
    readJobs(document).map((operation) => ({ key: operation.key, operation, facts: undefined }));
  return yield* compareSides(
    { older: toJobs(before), newer: toJobs(after) },
    {
      added: toChange('job-added', { at: 'job', message: 'became a job' }),
      toRemoved: () => [toChange('job-removed', { at: 'job', message: 'is not a job any more' })],
      // Only code that adds jobs notices, and it does not read what they give.
      toChanges: (old, now) =>
        compareOperations(old, now).map((found) => {
          const change = { ...found, audience: ['jobs'] as const };
          const isSafe = found.rule === 'error-removed';
          return isSafe ? toChange('error-removed', { ...change, class: 'safe' }) : change;
        }),
    },
  );
}

/** Compares the bodies of errors, which are the same for every call. Agents get the error without its body. */
function compareErrorSchemas(before: object, after: object): readonly ContractChange[] {
  const toSchema = (document: object) =>
    toApiSchema(findTarget('#/components/schemas/Error', document), document);
  const place = { at: 'server.error', direction: 'output' } as const;
  return compareSchemas(toSchema(before), toSchema(after), place).map((change) => ({
    ...change,
    audience: change.audience.filter((each) => each !== 'agents'),
  }));
}

interface CapabilityOptions {
  /** An ISO date. */
  readonly today: string | undefined;
  readonly isSame: IsSameOperation;
}

/** Compares the capabilities of two documents, of which most are the same. */
export function* compareCapabilities(
  { older, newer }: SideLists,
  { today, isSame }: CapabilityOptions,
): Steps<readonly CapabilityChange[]> {
  const keys = new Set(older.map(({ key }) => key));
  const byShape = new Map(
    newer.filter(({ key }) => !keys.has(key)).map((side) => [toRouteShape(side.operation), side]),
  );
  const shapes = new Set(older.flatMap(({ operation }) => toRoutes(operation).map(toRouteShape)));
  const newRoutes = newer
    .flatMap(({ key, operation }) => toRoutes(operation).map((route) => ({ key, route })))
    .filter(({ route }) => !shapes.has(toRouteShape(route)));
  return yield* compareSides(
    { older, newer },
    {
      added: toChange('capability-added', { at: 'route', message: 'was added' }),
      toRemoved: (old) => {
        const successor = byShape.get(toRouteShape(old.operation));
        return successor === undefined ? [toRemoval(old, today)] : toRenaming(old, successor);
      },
      toChanges: (old, now) => [
        ...(isSame(old.operation, now.operation) ? [] : compareOperations(old, now)),
        ...compareShadows(now, newRoutes),
      ],
    },
  );
}

function toRemoval({ operation }: Side, today = ''): ContractChange {
  const isOver = Date.parse(operation.facts?.deprecation?.sunset ?? '') <= Date.parse(today);
  const found = isOver ? 'risky' : undefined;
  return toChange('capability-removed', { at: 'route', message: 'was removed', class: found });
}

/** HTTP callers do not see a key: a renamed capability that keeps its route still answers them. */
function toRenaming(old: Side, successor: Side): readonly ContractChange[] {
  const message = `was removed; \`${successor.key}\` has its route`;
  return [
    toChange('capability-renamed', { at: 'key', message }),
    ...compareOperations(old, successor).flatMap((change): readonly ContractChange[] =>
      change.audience.includes('http') ? [{ ...change, audience: ['http'] }] : [],
    ),
  ];
}
