import { relative } from 'node:path';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { createCliError, usageError } from '../../cli/cli-error.ts';
import { exitCodes } from '../../cli/cli-errors.ts';
import { toJsonOutput } from '../../cli/json-output.ts';
import { CALLS_FOLDER } from '../../files/read-saved-names.ts';
import { toOneLine } from '../../kit/line.ts';
import { loadManifest } from '../../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { toCapabilities } from '../../manifest/manifest.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { toCount } from '../../values/count.ts';
import { type Environments, expandHeaders, readEnvironments } from '../call-target.ts';
import type { CallResult, RequestHeaders, RunTarget } from '../perform-call.ts';
import {
  createSavedRun,
  type FilledCall,
  performSavedCall,
  type SavedResult,
} from './create-saved-run.ts';
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
  const { loaded, name, target, format, terminal } = options;
  const { root } = loaded.project;
  const variables = terminal.environment;
  const saved = await readSavedCalls(root);
  const { calls, problemOf } = saved;
  const names = expectNames(saved, name);
  const environments = readEnvironments(root);
  if (options.environment !== undefined) expectEnvironment(options.environment, environments);
  const routes = toCapabilities(await loadManifest(loaded));
  const toTarget = (named: string | undefined): RunTarget => {
    if (target.kind === 'server' || named === undefined) return target;
    const { url, headers } = expectEnvironment(named, environments);
    const expanded = expandHeaders(named, headers, variables);
    return { kind: 'server', url, headers: expanded, routes, root };
  };
  const call = async (filled: FilledCall): Promise<CallResult> => {
    const own = toTarget(options.environment ?? filled.saved.environment);
    return performSavedCall(filled, { ...options, target: own, routes, root });
  };
  const { run } = createSavedRun({ calls, variables, call });
  const results: SavedOutcome[] = [];
  // One after the other: calls change what the next ones find.
  for (const next of names) {
    const broken = problemOf(next);
    // A file that is broken is one failed call, and nothing to the others.
    if (broken === undefined) results.push(toOutcome(await run(next)));
    else
      results.push({ name: next, call: undefined, answer: undefined, problems: [broken.message] });
  }
  const toText = { text: toLines, json: toSavedJson, junit: toJunit }[format];
  const folder = relative(terminal.workingDirectory(), root).replaceAll('\\', '/');
  terminal.writeOut(toText(results, folder === '' ? CALLS_FOLDER : `${folder}/${CALLS_FOLDER}`));
  return results.every(isPassed) ? exitCodes.done : exitCodes.failed;
}

/** The calls to make: one, or all. @throws CliError for one that there is not, or whose file is broken */
function expectNames(
  { names, calls, problemOf }: Awaited<ReturnType<typeof readSavedCalls>>,
  name: string | undefined,
): readonly string[] {
  if (name === undefined && names.length === 0)
    throw usageError(
      'option --all: the project has no saved calls',
      'Save one in the screen of `capix call <capability>`.',
    );
  if (name === undefined) return names;
  const problem = problemOf(name);
  if (problem !== undefined) throw problem;
  if (calls.some((each) => each.name === name)) return [name];
  const nearest = findNearest(
    name,
    calls.map((each) => each.name),
  );
  const hint = nearest === undefined ? {} : { hint: `Did you mean \`@${nearest}\`?` };
  throw createCliError('UnknownSavedCall', { name }, hint);
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

/** What became of a file. */
interface SavedOutcome extends Pick<SavedResult, 'answer' | 'problems'> {
  readonly name: string;
  /** The key of the capability; undefined where the file cannot be read. */
  readonly call: string | undefined;
}

function toOutcome({ saved: { name, call }, answer, problems }: SavedResult): SavedOutcome {
  return { name, call, answer, problems };
}

function isPassed({ problems }: SavedOutcome): boolean {
  return problems.length === 0;
}

function toLines(results: readonly SavedOutcome[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.flatMap((result) => {
    const { name, answer, problems } = result;
    const outcome =
      answer === undefined ? 'not made' : `${answer.status}  ${Math.round(answer.durationMs)} ms`;
    const first = `${isPassed(result) ? 'ok  ' : 'FAIL'}  ${`@${name}`.padEnd(width + 1)}  ${outcome}`;
    return [first, ...problems.map((problem) => `        ${problem}`)].map(toOneLine);
  });
  const passed = results.filter(isPassed).length;
  const count = toCount(results.length, 'call');
  return stripControl(
    `${[...lines, `${count}: ${passed} passed, ${results.length - passed} failed`].join('\n')}\n`,
  );
}

/** `{calls: [{name, call, passed, status?, durationMs?, problems}], passed, failed}`, without answers. */
function toSavedJson(results: readonly SavedOutcome[]): string {
  const calls = results.map((result) => {
    const { name, call, answer, problems } = result;
    const durationMs = answer && Math.round(answer.durationMs);
    return {
      name,
      call,
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
function toJunit(results: readonly SavedOutcome[], folder: string): string {
  const failures = results.reduce((sum, { problems }) => sum + problems.length, 0);
  const cases = results.flatMap(({ name, problems }) => {
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
