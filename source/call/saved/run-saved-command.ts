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
import { stripControl } from '../../terminal/strip-control.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { toCallInput } from '../run/call-input.ts';
import { type Environments, expandHeaders, readEnvironments } from '../run/call-target.ts';
import {
  type CallResult,
  performCall,
  type RequestHeaders,
  type RunTarget,
} from '../run/perform-call.ts';
import { toCallField } from '../run/request-headers.ts';
import { createSavedRun, type FilledCall, type SavedResult } from './create-saved-run.ts';
import { readSavedCalls } from './read-saved-calls.ts';

export interface SavedOptions {
  readonly loaded: LoadedRegistry;
  readonly name: string | undefined;
  /** Headers and environment of the command line, which come before those of the calls. */
  readonly headers: RequestHeaders;
  readonly environment: string | undefined;
  /** The target of calls that name no environment. */
  readonly target: RunTarget;
  readonly timeoutMs: number | undefined;
  readonly format: 'text' | 'json' | 'junit';
  readonly terminal: Terminal;
}

/** `capix call @name` and `capix call --all`: outcomes go to stdout. Gives the exit code. */
export async function runSavedCommand(options: SavedOptions): Promise<number> {
  const { loaded, name, target, format, terminal, timeoutMs } = options;
  const { root } = loaded.project;
  const variables = terminal.environment;
  const { calls, problems, problemOf } = await readSavedCalls(root);
  // A file that is broken is nothing to a call of another one.
  const problem = name === undefined ? problems[0] : problemOf(name);
  if (problem !== undefined) throw problem;
  const names = name === undefined ? calls.map((saved) => saved.name) : [name];
  if (names.length === 0)
    throw usageError(
      'option --all: the project has no saved calls',
      'Save one in the screen of `capix call <capability>`.',
    );
  if (name !== undefined && calls.every((saved) => saved.name !== name)) {
    const nearest = findNearest(
      name,
      calls.map((saved) => saved.name),
    );
    throw createCliError(
      'UnknownSavedCall',
      { name },
      nearest === undefined ? {} : { hint: `Did you mean \`@${nearest}\`?` },
    );
  }
  const environments = readEnvironments(root);
  if (options.environment !== undefined) expectEnvironment(options.environment, environments);
  const routes = toCapabilities(await loadManifest(loaded));
  const toTarget = (named: string | undefined): RunTarget => {
    if (target.kind === 'server' || named === undefined) return target;
    const { url, headers } = expectEnvironment(named, environments);
    return { kind: 'server', url, headers: expandHeaders(named, headers, variables), routes };
  };
  const call = async ({ saved, input, headers }: FilledCall): Promise<CallResult> => {
    const { input: field } = toCallField(expectCapability(saved.call, routes));
    const request = { key: saved.call, input: toCallInput(field, input, root), timeoutMs };
    const own = toTarget(options.environment ?? saved.environment);
    return performCall(own, { ...request, headers: { ...headers, ...options.headers } });
  };
  const { run } = createSavedRun({ calls, variables, call });
  const results: SavedResult[] = [];
  // One after the other: calls change what the next ones find.
  for (const next of names) results.push(await run(next));
  const toText = { text: toLines, json: toSavedJson, junit: toJunit }[format];
  const folder = relative(terminal.workingDirectory(), root).replaceAll('\\', '/');
  terminal.writeOut(toText(results, folder === '' ? CALLS_FOLDER : `${folder}/${CALLS_FOLDER}`));
  return results.every(isPassed) ? exitCodes.done : exitCodes.failed;
}

function expectEnvironment(name: string, environments: Environments): Environments[string] {
  const found = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(environments);
  const known =
    names.length === 0
      ? 'The settings of the project name none.'
      : `There are ${names.join(', ')}.`;
  throw usageError(`there is no environment \`${name}\``, known);
}

function isPassed({ problems }: SavedResult): boolean {
  return problems.length === 0;
}

function toLines(results: readonly SavedResult[]): string {
  const width = Math.max(...results.map(({ saved }) => saved.name.length));
  const lines = results.flatMap((result) => {
    const { saved, answer, problems } = result;
    const outcome =
      answer === undefined ? 'not made' : `${answer.status}  ${Math.round(answer.durationMs)} ms`;
    const first = `${isPassed(result) ? 'ok  ' : 'FAIL'}  ${`@${saved.name}`.padEnd(width + 1)}  ${outcome}`;
    return [first, ...problems.map((problem) => `        ${problem}`)];
  });
  const passed = results.filter(isPassed).length;
  const count = results.length === 1 ? '1 call' : `${results.length} calls`;
  return stripControl(
    `${[...lines, `${count}: ${passed} passed, ${results.length - passed} failed`].join('\n')}\n`,
  );
}

/** `{calls: [{name, call, passed, status?, durationMs?, problems}], passed, failed}`, without answers. */
function toSavedJson(results: readonly SavedResult[]): string {
  const calls = results.map((result) => {
    const { saved, answer, problems } = result;
    const durationMs = answer && Math.round(answer.durationMs);
    return {
      name: saved.name,
      call: saved.call,
      passed: isPassed(result),
      status: answer?.status,
      durationMs,
      problems,
    };
  });
  const passed = results.filter(isPassed).length;
  return toJsonOutput({ calls, passed, failed: calls.length - passed });
}

/** The outcomes as a JUnit report, a test for each. `folder`: that of the calls, from the working directory. */
function toJunit(results: readonly SavedResult[], folder: string): string {
  const failures = results.reduce((sum, { problems }) => sum + problems.length, 0);
  const cases = results.flatMap(({ saved: { name }, problems }) => {
    const open = `    <testcase name="${escapeXml(`@${name}`)}" classname="capix call"`;
    const inside = problems.map((message) => {
      const text = escapeXml(`${message} (${folder}/${name}.json)`);
      return `      <failure type="expectation" message="${escapeXml(message)}">${text}</failure>`;
    });
    return problems.length === 0 ? [`${open}/>`] : [`${open}>`, ...inside, '    </testcase>'];
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
  const entities = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    '\n': '&#10;',
  } as const;
  return stripControl(text).replaceAll(
    /[&<>"\n]/g,
    (character) => entities[character as keyof typeof entities],
  );
}
