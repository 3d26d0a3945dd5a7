import { pathToFileURL } from 'node:url';
import { type LoadFailure, toImportFailure } from '../../load/load-failure.ts';
import type { LoadedCode } from '../../load/watch/loaded-code.ts';
import type { CodeAhead, ServerCode } from '../../serve/runner/runner-options.ts';
import type { ServeOutcome } from '../../serve/supervisor-options.ts';
import { readVariables, type Variables } from '../../system/read-variables.ts';
import type { DevOptions } from './dev-options.ts';
import type { ReadFiles } from './read-files.ts';
import type { SessionEventOf } from './session-event.ts';

/** The facts about code before it is started. */
export interface CodeState {
  /** A file that cannot be compiled is found before the start, so that what answers goes on, whatever it holds. */
  readonly failure: LoadFailure | undefined;
  /** The variables of the env files. */
  readonly variables: Variables;
  /** The files that the code reads, and what is in them. */
  readonly read: Awaited<ReturnType<ReadFiles['describe']>>;
}

export async function lookAtCode(
  { expectSound }: Pick<LoadedCode, 'expectSound'>,
  { project, envFiles, environment }: DevOptions,
  readFiles: Pick<ReadFiles, 'describe'>,
): Promise<CodeState> {
  let failure: LoadFailure | undefined;
  try {
    expectSound();
  } catch (error) {
    failure = toImportFailure(error, project, []);
  }
  return { failure, variables: readVariables(envFiles, environment), read: await readFiles.describe() };
}

/** The code as it is started. */
export function toServerCode(
  { packages }: Pick<LoadedCode, 'packages'>,
  { project }: Pick<DevOptions, 'project'>,
  hooks: ServerCode['hooks'],
): Omit<ServerCode, 'environment'> {
  return { url: pathToFileURL(project.entryFile).href, imports: [...packages().values()], hooks };
}

/** The next code is taken to need what this code has. Of the packages, two alone may run before its first file. */
export function toCodeAhead({ packages, inputs }: Pick<LoadedCode, 'packages' | 'inputs'>): CodeAhead {
  const urls = packages();
  return { modules: ['capix', 'zod'].flatMap((name) => urls.get(name) ?? []), files: [...inputs().files] };
}

/** A text that is the same while the code, its variables and the files that it reads are the same. */
export function toCodeText(hash: string, { variables, read }: CodeState): string {
  return JSON.stringify([hash, variables, read]);
}

/** The facts about a start that has come to its end. */
export function toRunEnd(
  { kind }: ServeOutcome,
  { inputs, toReadHash }: Pick<LoadedCode, 'inputs' | 'toReadHash'>,
  state: CodeState,
): Omit<SessionEventOf<'ran'>, 'missing' | 'at'> {
  const hash = toReadHash();
  const code = hash && toCodeText(hash, state);
  return { kind: 'ran', wasGivenUp: kind === 'abandoned', hasFailed: kind === 'failed', code, inputs: inputs() };
}
