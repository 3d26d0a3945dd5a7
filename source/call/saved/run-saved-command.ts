import { relative } from 'node:path';
import { usageError } from '../../cli/errors/cli-error.ts';
import { exitCodes } from '../../cli/errors/exit-codes.ts';
import { expectCapability } from '../../manifest/expect-capability.ts';
import { toCapabilities } from '../../manifest/listed.ts';
import { loadManifest } from '../../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { toCallField } from '../call-field.ts';
import { toCallInput } from '../run/call-input.ts';
import type { CallResult } from '../run/call-protocol.ts';
import type { RequestHeaders } from '../run/request-headers.ts';
import { type RunTarget, runCall } from '../run/run-call.ts';
import type { Environments } from '../target/call-target.ts';
import { expandHeaders, readEnvironments } from '../target/read-environments.ts';
import { createSavedRun, type FilledCall, type SavedResult } from './create-saved-run.ts';
import { expectSavedCall, readSavedCalls } from './read-saved-calls.ts';
import { type SavedFormat, toSavedText } from './saved-text.ts';

export interface SavedOptions {
  readonly loaded: LoadedRegistry;
  /** The name of one saved call; undefined for all. */
  readonly name: string | undefined;
  /** The headers of the command line, which come before those of the calls. */
  readonly headers: RequestHeaders;
  /** The target of calls that name no environment. */
  readonly target: RunTarget;
  /** The environment that the command line names, which comes before that of a call. */
  readonly environment: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly format: SavedFormat;
  readonly terminal: Terminal;
}

/** `capix call @name` and `capix call --all`: outcomes go to stdout. Gives the exit code. */
export async function runSavedCommand(options: SavedOptions): Promise<number> {
  const { loaded, name, target, format, terminal } = options;
  const { root } = loaded.project;
  const variables = terminal.environment;
  const calls = await readSavedCalls(root);
  const environments = readEnvironments(root);
  const routes = toCapabilities(await loadManifest(loaded, { hasProblems: false }));
  const wanted = name === undefined ? calls : [expectSavedCall(name, calls)];
  if (wanted.length === 0)
    throw usageError(
      'option --all: the project has no saved calls',
      'Save one in the screen of `capix call <capability>`.',
    );
  if (options.environment !== undefined) expectEnvironment(options.environment, environments);
  const toTarget = (own: string | undefined): RunTarget => {
    const named = options.environment ?? own;
    if (target.kind === 'server' || named === undefined) return target;
    const { url, headers } = expectEnvironment(named, environments);
    return { kind: 'server', url, headers: expandHeaders(named, headers, variables), routes };
  };
  const call = async ({ saved, input, headers }: FilledCall): Promise<CallResult> => {
    const { input: field } = toCallField(expectCapability(saved.call, routes));
    return runCall(toTarget(saved.environment), {
      key: saved.call,
      input: toCallInput(field, input, root),
      headers: { ...headers, ...options.headers },
      timeoutMs: options.timeoutMs,
    });
  };
  const { run } = createSavedRun({ calls, variables, call });
  const results: SavedResult[] = [];
  // One after the other: calls change what the next ones find.
  for (const { name: next } of wanted) results.push(await run(next));
  const folder = relative(terminal.workingDirectory(), root).replaceAll('\\', '/');
  terminal.writeOut(toSavedText(results, { format, folder }));
  return results.every(({ problems }) => problems.length === 0) ? exitCodes.done : exitCodes.failed;
}

function expectEnvironment(name: string, environments: Environments): Environments[string] {
  const found = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(environments);
  const known = names.length === 0 ? 'The settings of the project name none.' : `There are ${names.join(', ')}.`;
  throw usageError(`there is no environment \`${name}\``, known);
}
