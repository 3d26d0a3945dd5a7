import { toCliErrorText } from '../../cli/cli-error.ts';
import { type LoadFailure, toImportFailure } from '../../load/load-failure.ts';
import type { SourcePlace } from '../../manifest/find-source-place.ts';
import { type Project, toProjectPath } from '../../manifest/project.ts';
import { type ThrownError, toThrownError } from '../../serve/server-message.ts';
import type { ServeOutcome } from '../../serve/server-runner.ts';
import { toExitText } from '../../system/child-channel.ts';

/** Why the server does not run, for people. All text is free of escape sequences. */
export interface DevFailure {
  /** Permanent name, for scripts. `Crashed` is what Node itself has written to stderr, with its stack. */
  readonly code: LoadFailure['code'] | 'Crashed' | 'NoServer';
  readonly message: string;
  readonly hint?: string | undefined;
  readonly frame?: string | undefined;
  readonly place?: SourcePlace | undefined;
}

export interface RunCode {
  readonly project: Project;
  readonly files: readonly string[];
}

/** Why a start did not lead to a server. */
export function toStartFailure(
  { error, during, exit }: Extract<ServeOutcome, { readonly kind: 'failed' }>,
  code: RunCode,
): DevFailure {
  if (error !== undefined) return during === 'load' ? toThrownFailure(error, code) : toExitFailure(error, code);
  const { entryFile, root } = code.project;
  const how = toExitText(exit ?? { exitCode: 0, signalName: undefined });
  return toCliErrorText('NoServer', { file: toProjectPath(entryFile, root), how });
}

export function toExitFailure(error: ThrownError, code: RunCode): DevFailure {
  return { ...toThrownFailure(error, code), code: 'Crashed' };
}

function toThrownFailure({ name, message, stack, code }: ThrownError, { project, files }: RunCode): DevFailure {
  return toImportFailure(Object.assign(new Error(message), { name, stack, code }), project, files);
}

/** A start that could not even be tried, as where the system has no process left. */
export function toFailedOutcome(thrown: unknown): ServeOutcome {
  return { kind: 'failed', during: 'run', error: toThrownError(thrown), exit: undefined };
}
