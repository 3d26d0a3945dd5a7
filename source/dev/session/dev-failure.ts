import { relative, resolve } from 'node:path';
import { toCliErrorText } from '../../cli/cli-error.ts';
import { type LoadFailure, toImportFailure } from '../../load/load-failure.ts';
import { type Project, toProjectPath } from '../../manifest/project.ts';
import { type ServeOutcome, type ThrownError, toThrownError } from '../../serve/server-message.ts';
import { toExitText } from '../../system/child-channel.ts';
import { findPortOwner } from '../../system/find-port-owner.ts';
import type { NamedFailure } from '../../values/shown-failure.ts';
import type { DevEvent, StartCause } from './dev-event.ts';

/** Why the server does not run. `Crashed` is what Node itself has written to stderr, with its stack. */
export type DevFailure = NamedFailure<LoadFailure['code'] | 'Crashed' | 'NoServer'>;

export interface RunCode {
  readonly project: Project;
  readonly files: readonly string[];
}

type FailedStart = Extract<ServeOutcome, { readonly kind: 'failed' }>;

export async function describeFailedStart(
  outcome: FailedStart,
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

function toStartFailure({ error, during, exit }: FailedStart, code: RunCode): DevFailure {
  if (error !== undefined)
    return during === 'load' ? toThrownFailure(error, code) : toExitFailure(error, code);
  const { entryFile, root } = code.project;
  const how = toExitText(exit ?? { exitCode: 0, signalName: undefined });
  return toCliErrorText('NoServer', { file: toProjectPath(entryFile, root), how });
}

export function toExitFailure(error: ThrownError, code: RunCode): DevFailure {
  return { ...toThrownFailure(error, code), code: 'Crashed' };
}

function toThrownFailure(
  { name, message, stack, code }: ThrownError,
  { project, files }: RunCode,
): DevFailure {
  return toImportFailure(Object.assign(new Error(message), { name, stack, code }), project, files);
}

/** A start that could not even be tried, as where the system has no process left. */
export function toFailedOutcome(thrown: unknown): ServeOutcome {
  return { kind: 'failed', during: 'run', error: toThrownError(thrown), exit: undefined };
}

/** Absolute paths of the project's files that a start did not find: once there, it may end otherwise. */
export function toMissingFiles(outcome: ServeOutcome, root: string): readonly string[] {
  const error = outcome.kind === 'failed' ? outcome.error : undefined;
  if (error?.code !== 'ENOENT' || error.path === undefined) return [];
  const file = resolve(root, error.path);
  return relative(root, file).startsWith('..') ? [] : [file];
}
