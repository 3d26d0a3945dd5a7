import { relative } from 'node:path';
import { usageError } from '../../cli/errors/cli-error.ts';
import { exitCodes } from '../../cli/errors/exit-codes.ts';
import { expectCapability } from '../../manifest/expect-capability.ts';
import { loadManifest } from '../../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { toShape } from '../../shape/read/to-shape.ts';
import { toRootField } from '../../shape/root-field.ts';
import { runUserCode } from '../../system/run-user-code.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { callInProcess } from '../run/call-in-process.ts';
import { type CallInput, toCallInput } from '../run/call-input.ts';
import type { CallResult } from '../run/call-protocol.ts';
import type { RequestHeaders } from '../run/request-headers.ts';
import type { Environments } from '../target/call-target.ts';
import { readEnvironments } from '../target/read-environments.ts';
import { createSavedRun, type FilledCall, type SavedResult } from './create-saved-run.ts';
import { expectSavedCall, readSavedCalls } from './read-saved-calls.ts';
import { type SavedFormat, toSavedText } from './saved-text.ts';

export interface SavedOptions {
  readonly loaded: LoadedRegistry;
  /** The name of one saved call; undefined for all. */
  readonly name: string | undefined;
  /** The headers of the command line, which come before those of the calls. */
  readonly headers: RequestHeaders;
  /** Without a slash at its end; before the environment of a call. */
  readonly url: string | undefined;
  /** The environment that the command line names, which comes before that of a call. */
  readonly environment: string | undefined;
  readonly format: SavedFormat;
  readonly terminal: Terminal;
}

/** `capix call @name` and `capix call --all`: what came of the calls is data and goes to stdout, also where one failed. Gives the exit code. */
export async function runSavedCommand(options: SavedOptions): Promise<number> {
  const { loaded, name, format, terminal } = options;
  const { root } = loaded.project;
  const calls = await readSavedCalls(root);
  const environments = readEnvironments(root, terminal);
  const wanted = name === undefined ? calls : [expectSavedCall(name, calls)];
  if (wanted.length === 0)
    throw usageError(
      'option --all: the project has no saved calls',
      'Save one with Alt-S in `capix call <capability>`.',
    );
  if (options.environment !== undefined) expectEnvironment(options.environment, environments);
  const findUrl = (environment: string | undefined): string | undefined => {
    if (options.url !== undefined) return options.url;
    const named = options.environment ?? environment;
    return named === undefined ? undefined : expectEnvironment(named, environments).url;
  };
  const { run } = createSavedRun({
    calls,
    variables: terminal.environment,
    call: async ({ saved, input, headers }: FilledCall) => {
      const url = findUrl(saved.environment);
      const named = options.url === undefined ? (options.environment ?? saved.environment) : undefined;
      const own = named === undefined ? {} : expectEnvironment(named, environments).headers;
      const call = { key: saved.call, input, headers: { ...own, ...headers, ...options.headers } };
      return url === undefined ? callHere(loaded, call) : callThere(loaded, call, url);
    },
  });
  const results: SavedResult[] = [];
  // One after the other: calls change what the next ones find.
  for (const { name: next } of wanted) results.push(await run(next));
  const folder = relative(terminal.workingDirectory(), root).replaceAll('\\', '/');
  terminal.writeOut(toSavedText(results, { format, folder }));
  return results.every(({ problems }) => problems.length === 0) ? exitCodes.done : exitCodes.failed;
}

interface SavedQuestion {
  readonly key: string;
  readonly input: unknown;
  readonly headers: RequestHeaders;
}

async function callHere(loaded: LoadedRegistry, { key, input, headers }: SavedQuestion): Promise<CallResult> {
  const { capabilities } = await loadManifest(loaded);
  const own = toInput(expectCapability(key, capabilities).input?.json, input, loaded.project.root);
  return runUserCode(() => callInProcess(loaded, { key, input: own, headers }), 'call');
}

async function callThere(
  loaded: LoadedRegistry,
  { key, input, headers }: SavedQuestion,
  baseUrl: string,
): Promise<CallResult> {
  const { callServer } = await import('../run/call-server.ts');
  const { capabilities } = await loadManifest(loaded);
  const capability = expectCapability(key, capabilities);
  const own = toInput(capability.input?.json, input, loaded.project.root);
  const { signal } = new AbortController();
  return callServer(capability, { baseUrl, input: own, headers, signal });
}

/** Paths of files are from the folder of the project. */
function toInput(schema: Parameters<typeof toShape>[0] | undefined, input: unknown, root: string): CallInput {
  return schema === undefined ? { json: input, files: {} } : toCallInput(toRootField(toShape(schema)), input, root);
}

function expectEnvironment(name: string, environments: Environments): Environments[string] {
  const found = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(environments);
  const known =
    names.length === 0 ? 'package.json names none in `capix.environments`.' : `There are ${names.join(', ')}.`;
  throw usageError(`there is no environment \`${name}\``, known);
}
