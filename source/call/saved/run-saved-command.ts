import { relative } from 'node:path';
import { usageError } from '../../cli/cli-error.ts';
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
import { expectSavedCall, readSavedCalls } from './read-saved-calls.ts';

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

export type SavedFormat = 'text' | 'json' | 'junit';

export interface SavedTextOptions {
  readonly format: SavedFormat;
  /** The folder of the project, relative to the working directory; empty where it is that. */
  readonly folder: string;
}

/** The outcomes of saved calls, for a person, a script or a build machine. */
export function toSavedText(results: readonly SavedResult[], { format, folder }: SavedTextOptions): string {
  if (format === 'junit') return toSavedJunit(results, folder);
  return format === 'json' ? toSavedJson(results) : toLines(results);
}

function toLines(results: readonly SavedResult[]): string {
  const width = Math.max(...results.map(({ saved }) => saved.name.length));
  const lines = results.flatMap(({ saved, answer, problems }) => [
    `${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${`@${saved.name}`.padEnd(width + 1)}${toTold(answer)}`,
    ...problems.map((problem) => `        ${problem}`),
  ]);
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  const count = results.length === 1 ? '1 call' : `${results.length} calls`;
  return stripControl(`${[...lines, `${count}: ${results.length - failed} passed, ${failed} failed`].join('\n')}\n`);
}

function toTold(answer: SavedResult['answer']): string {
  return answer === undefined ? '  not made' : `  ${answer.status}  ${Math.round(answer.durationMs)} ms`;
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
  const passed = calls.filter((call) => call.passed).length;
  return escapeJson(toJsonOutput({ calls, passed, failed: calls.length - passed }));
}

/** The outcomes of saved calls as a JUnit report: a test for each. `folder`: as in `SavedTextOptions`. */
function toSavedJunit(results: readonly SavedResult[], folder: string): string {
  const failed = results.reduce((sum, { problems }) => sum + problems.length, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="capix call" tests="${results.length}" failures="${failed}">`,
    ...results.map((result) => toTestCase(result, folder)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function toTestCase({ saved: { name }, problems }: SavedResult, folder: string): string {
  const open = `    <testcase name="${escapeXml(`@${name}`)}" classname="capix call"`;
  if (problems.length === 0) return `${open}/>`;
  const place = `${folder === '' ? '' : `${folder}/`}${CALLS_FOLDER}/${name}.json`;
  const failures = problems.map(
    (message) =>
      `      <failure type="expectation" message="${escapeXml(message)}">` +
      `${escapeXml(`${message} (${place})`)}</failure>`,
  );
  return `${open}>\n${failures.join('\n')}\n    </testcase>`;
}

function escapeXml(text: string): string {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' } as const;
  return stripControl(text).replaceAll(/[&<>"\n]/g, (character) => entities[character as keyof typeof entities]);
}
