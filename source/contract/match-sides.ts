import { toServers } from '../document/operations/document-operation.ts';
import { recordOf } from '../document/schema-json.ts';
import { type ContractChange, compareMembers, toChange } from './changes/contract-change.ts';
import { overHttp } from './changes/rule.ts';
import { toRoute, toRouteShape } from './compare-routes.ts';
import type { Side } from './compare-sides.ts';

/** The operations of two documents of others, with one key for those that are the same, and what holds for all. */
export interface MatchedSides {
  readonly older: readonly Side[];
  readonly newer: readonly Side[];
  readonly server: readonly ContractChange[];
}

/**
 * Matches the operations of two documents that the tool did not write. An operation is the same if it has the same
 * route. Where that route no longer exists, the operation with the same `operationId` is the same, unless several have
 * that id. So each request is compared with what answers it now, and an id that moved to another route is a change for
 * clients and agents, which know operations by their ids.
 */
export function matchSides(
  before: readonly Side[],
  after: readonly Side[],
  documents: readonly [before: object, after: object],
): MatchedSides {
  const { older, newer, server } = toSameAddress(before, after, documents);
  const named = toUniqueKeys(older);
  return { older: named, newer: withKeysOf(named, newer), server };
}

/** The ids that stand at several operations of a document, which OpenAPI forbids. */
function findRepeatedIds(sides: readonly Side[]): ReadonlySet<string> {
  const met = new Set<string>();
  const repeated = new Set<string>();
  for (const { operation } of sides) {
    const { operationId } = operation;
    if (operationId === undefined) continue;
    if (met.has(operationId)) repeated.add(operationId);
    met.add(operationId);
  }
  return repeated;
}

function toUniqueKeys(sides: readonly Side[]): readonly Side[] {
  const counts = new Map<string, number>();
  for (const { key } of sides) counts.set(key, (counts.get(key) ?? 0) + 1);
  return sides.map((side) =>
    counts.get(side.key) === 1 ? side : { ...side, key: toRoute(side.operation) },
  );
}

/** Gives each of the newer operations the key of that older one which it is. */
function withKeysOf(older: readonly Side[], newer: readonly Side[]): readonly Side[] {
  const repeated = new Set([...findRepeatedIds(older), ...findRepeatedIds(newer)]);
  const toId = ({ operation }: Side): string | undefined =>
    operation.operationId === undefined || repeated.has(operation.operationId)
      ? undefined
      : operation.operationId;
  const ways: readonly ((side: Side) => string | undefined)[] = [
    ({ operation }) => toRoute(operation),
    ({ operation }) => toRouteShape(operation),
    toId,
  ];
  const keys = new Map<Side, string>();
  const open = new Set(older);
  for (const toName of ways) {
    const byName = new Map([...open].map((side) => [toName(side), side]));
    byName.delete(undefined);
    for (const side of newer) {
      const same = keys.has(side) ? undefined : byName.get(toName(side));
      if (same === undefined || !open.has(same)) continue;
      open.delete(same);
      keys.set(side, same.key);
    }
  }
  const taken = new Set(older.map(({ key }) => key));
  return newer.map((side) => {
    const key = keys.get(side) ?? (taken.has(side.key) ? toRoute(side.operation) : side.key);
    taken.add(key);
    return { ...side, key };
  });
}

/**
 * Removes from routes the path of a server, with which they begin. A path that servers of both documents have is no
 * change, and another one is one change of the server, not one of each route.
 */
function toSameAddress(
  before: readonly Side[],
  after: readonly Side[],
  documents: readonly [before: object, after: object],
): MatchedSides {
  const olderUrls = toUrls(documents[0]);
  const newerUrls = toUrls(documents[1]);
  const from = toPaths(olderUrls);
  const to = toPaths(newerUrls);
  const old = from[0] ?? '';
  const now = to[0] ?? '';
  const shared = from.find((path) => to.includes(path));
  const server = compareUrls(olderUrls, newerUrls);
  if (shared !== undefined)
    return {
      older: withPrefix(before, old, shared),
      newer: withPrefix(after, now, shared),
      server,
    };
  const moved = withPrefix(before, old, now);
  const routes = new Set(after.map(({ operation }) => toRouteShape(operation)));
  const isMoved = moved.filter(({ operation }) => routes.has(toRouteShape(operation))).length;
  if (isMoved * 2 < moved.length) return { older: before, newer: after, server };
  const message = `prefix of every path is ${now || 'none'}, it was ${old || 'none'}`;
  const change = toChange('prefix-changed', {
    at: 'server.prefix',
    message,
    before: old,
    after: now,
  });
  const hosts = compareUrls(olderUrls.map(toHost), newerUrls.map(toHost));
  return { older: moved, newer: after, server: [change, ...hosts] };
}

/** The addresses of the servers of a document. */
function toUrls(document: object): readonly string[] {
  return toServers(recordOf(document)['servers']).map((url) => url.replace(/\/+$/, ''));
}

function toPaths(urls: readonly string[]): readonly string[] {
  const paths = urls.map((url) => url.slice(toHost(url).length));
  return paths.length === 0 ? [''] : paths.map((path) => (path.startsWith('/') ? path : ''));
}

/** `https://api.example.org`; empty for an address that is relative. */
function toHost(url: string): string {
  return /^[a-z]+:\/\/[^/]*/i.exec(url)?.[0] ?? '';
}

/**
 * Gives older routes the prefix of the newer document: another prefix is one change of the server, not one of each
 * route.
 */
export function withPrefix(sides: readonly Side[], from: string, to: string): readonly Side[] {
  if (from === to) return sides;
  const toPath = (path: string): string =>
    path.startsWith(from) ? `${to}${path.slice(from.length)}` : path;
  return sides.map((side) => ({ ...side, operation: side.operation.toMoved(toPath) }));
}

/** Compares the addresses that clients may call; a document without any says nothing of them. */
export function compareUrls(
  older: readonly string[],
  newer: readonly string[],
): readonly ContractChange[] {
  if (older.length === 0 || newer.length === 0) return [];
  const toNames = (urls: readonly string[]) => [
    ...new Set(urls.map((url) => `server ${url || '/'}`)),
  ];
  return compareMembers(toNames(older), toNames(newer), {
    at: 'servers',
    added: 'server-added',
    removed: 'server-removed',
    audience: overHttp,
  });
}
