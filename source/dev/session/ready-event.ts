import { relative, resolve } from 'node:path';
import type { ServedRoute } from '../../../server-runtime/server/transport.ts';
import type { Wanted } from '../../load/reloader.ts';
import { toProjectPath } from '../../manifest/project.ts';
import type { RoutedRequest } from '../../record/replace-url-secrets.ts';
import type { RequestRecord } from '../../record/request-record.ts';
import type { ReadyOutcome } from '../../serve/server-message.ts';
import type { ServeOutcome } from '../../serve/server-runner.ts';
import { findPortOwner } from '../../system/find-port-owner.ts';
import type { DevEvent, StartCause } from './dev-event.ts';
import { type RunCode, toStartFailure } from './dev-failure.ts';

/** Why a start is made, for people: files by their paths in the project. */
export function toCause({ why, files }: Wanted, root: string): StartCause {
  return why === 'change' ? { kind: why, files: files.map((file) => toProjectPath(file, root)) } : { kind: why };
}

export function toReadyEvent({ running, ports }: ReadyOutcome, cause: StartCause, durationMs: number): ReadyEvent {
  const told = running.flatMap(({ url }) => url ?? []);
  const open = running.flatMap(({ networkUrls }) => (networkUrls === undefined ? [] : [networkUrls]));
  return {
    kind: 'ready',
    cause,
    durationMs,
    urls: told.length > 0 ? told : ports.map((port) => `http://localhost:${port}`),
    networkUrls: open.length === 0 ? undefined : open.flat(),
    routes: toDistinct(running.flatMap(({ routes }) => routes)),
  };
}

/** A server that listens, and has a handler besides, tells of its routes twice. */
function toDistinct(routes: readonly ServedRoute[]): readonly ServedRoute[] {
  return [...new Map(routes.map((route) => [`${route.method} ${route.path} ${route.key}`, route])).values()];
}

export async function describeFailedStart(
  outcome: Extract<ServeOutcome, { readonly kind: 'failed' }>,
  standing: { readonly cause: StartCause; readonly stillServing: boolean },
  code: RunCode,
): Promise<DevEvent> {
  const { error } = outcome;
  if (error?.code !== 'EADDRINUSE' || error.port === undefined)
    return { kind: 'failed', ...standing, failure: toStartFailure(outcome, code) };
  const { port, isFirst = false, syscall } = error;
  // The owners of UDP ports are not known.
  const owner = syscall === 'bind' ? undefined : await findPortOwner(port);
  return { kind: 'port-taken', ...standing, port, isFirst, owner };
}

/** Absolute paths of the project's files that a start did not find: once there, it may end otherwise. */
export function toMissingFiles(outcome: ServeOutcome, root: string): readonly string[] {
  const error = outcome.kind === 'failed' ? outcome.error : undefined;
  if (error?.code !== 'ENOENT' || error.path === undefined) return [];
  const file = resolve(root, error.path);
  return relative(root, file).startsWith('..') ? [] : [file];
}

export type ReadyEvent = Extract<DevEvent, { readonly kind: 'ready' }>;

/** Paths by capability, of all that was ever served: a request may end after its code has gone. */
export function createServedPaths() {
  const paths = new Map<string, string>();
  return {
    add: (routes: readonly ServedRoute[]): void => routes.forEach(({ key, path }) => void paths.set(key, path)),
    withRoute: (request: RequestRecord): RoutedRequest => {
      const route = request.capability === undefined ? undefined : paths.get(request.capability);
      return route === undefined ? request : { ...request, route };
    },
  };
}
