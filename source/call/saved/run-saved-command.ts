import { relative } from 'node:path';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { createCliError, usageError } from '../../cli/cli-error.ts';
import { exitCodes } from '../../cli/cli-errors.ts';
import { toJsonOutput } from '../../cli/json-output.ts';
import { CALLS_FOLDER } from '../../files/read-saved-names.ts';
import { expectCapability } from '../../manifest/expect-capability.ts';
import { toCapabilities } from '../../manifest/listed.ts';
import { loadManifest } from '../../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { escapeJson, stripControl } from '../../terminal/strip-control.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { toCallInput } from '../run/call-input.ts';
import { type Environments, expandHeaders, readEnvironments } from '../run/call-target.ts';
import { type RequestHeaders, toCallField } from '../run/request-headers.ts';
import { type CallResult, type RunTarget, runCall } from '../run/run-call.ts';
import { createSavedRun, type FilledCall, type SavedResult } from './create-saved-run.ts';
import { readSavedCalls, type SavedCall } from './read-saved-calls.ts';

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
  readonly format: 'text' | 'json' | 'junit';
  readonly terminal: Terminal;
}

/** `capix call @name` and `capix call --all`: outcomes go to stdout. Gives the exit code. */
export async function runSavedCommand(options: SavedOptions): Promise<number> {
  const { loaded, name, target, format, terminal, timeoutMs } = options;
  const { root } = loaded.project;
  const variables = terminal.environment;
  const { calls, problems } = await readSavedCalls(root);
  if (problems[0] !== undefined) throw problems[0];
  const environments = readEnvironments(root);
  const routes = toCapabilities(await loadManifest(loaded));
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
    const request = { key: saved.call, input: toCallInput(field, input, root), timeoutMs };
    return runCall(toTarget(saved.environment), { ...request, headers: { ...headers, ...options.headers } });
  };
  const { run } = createSavedRun({ calls, variables, call });
  const results: SavedResult[] = [];
  // One after the other: calls change what the next ones find.
  for (const { name: next } of wanted) results.push(await run(next));
  const folder = relative(terminal.workingDirectory(), root).replaceAll('\\', '/');
  const toText = { text: toLines, json: toSavedJson, junit: toJunit }[format];
  terminal.writeOut(toText(results, folder === '' ? CALLS_FOLDER : `${folder}/${CALLS_FOLDER}`));
  return results.some(isFailed) ? exitCodes.failed : exitCodes.done;
}

/** @throws CliError `UnknownSavedCall` with what may be meant */
function expectSavedCall(name: string, calls: readonly SavedCall[]): SavedCall {
  const found = calls.find((saved) => saved.name === name);
  if (found !== undefined) return found;
  const names = calls.map((saved) => saved.name);
  const nearest = findNearest(name, names);
  const hint = nearest === undefined ? undefined : `Did you mean \`@${nearest}\`?`;
  throw createCliError('UnknownSavedCall', { name }, hint === undefined ? {} : { hint });
}

function expectEnvironment(name: string, environments: Environments): Environments[string] {
  const found = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(environments);
  const known = names.length === 0 ? 'The settings of the project name none.' : `There are ${names.join(', ')}.`;
  throw usageError(`there is no environment \`${name}\``, known);
}

function isFailed({ problems }: SavedResult): boolean {
  return problems.length > 0;
}

function toLines(results: readonly SavedResult[]): string {
  const width = Math.max(...results.map(({ saved }) => saved.name.length));
  const lines = results.flatMap((result) => {
    const { saved, answer, problems } = result;
    const told = answer === undefined ? 'not made' : `${answer.status}  ${Math.round(answer.durationMs)} ms`;
    const first = `${isFailed(result) ? 'FAIL' : 'ok  '}  ${`@${saved.name}`.padEnd(width + 1)}  ${told}`;
    return [first, ...problems.map((problem) => `        ${problem}`)];
  });
  const failed = results.filter(isFailed).length;
  const count = results.length === 1 ? '1 call' : `${results.length} calls`;
  return stripControl(`${[...lines, `${count}: ${results.length - failed} passed, ${failed} failed`].join('\n')}\n`);
}

/** `{calls: [{name, call, passed, status?, durationMs?, problems}], passed, failed}`, without answers. */
function toSavedJson(results: readonly SavedResult[]): string {
  const calls = results.map(({ saved, answer, problems }) => ({
    name: saved.name,
    call: saved.call,
    passed: problems.length === 0,
    status: answer?.status,
    durationMs: answer && Math.round(answer.durationMs),
    problems,
  }));
  const failed = results.filter(isFailed).length;
  return escapeJson(toJsonOutput({ calls, passed: calls.length - failed, failed }));
}

/** The outcomes as a JUnit report, a test for each. `folder`: that of the calls, from the working directory. */
function toJunit(results: readonly SavedResult[], folder: string): string {
  const failures = results.reduce((sum, { problems }) => sum + problems.length, 0);
  const cases = results.flatMap(({ saved: { name }, problems }) => {
    const open = `    <testcase name="${escapeXml(`@${name}`)}" classname="capix call"`;
    if (problems.length === 0) return `${open}/>`;
    const inside = problems.map((message) => {
      const text = escapeXml(`${message} (${folder}/${name}.json)`);
      return `      <failure type="expectation" message="${escapeXml(message)}">${text}</failure>`;
    });
    return [`${open}>`, ...inside, '    </testcase>'];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="capix call" tests="${results.length}" failures="${failures}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function escapeXml(text: string): string {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' } as const;
  return stripControl(text).replaceAll(/[&<>"\n]/g, (character) => entities[character as keyof typeof entities]);
}
