import { toJsonOutput } from '../../cli/json-output.ts';
import { CALLS_FOLDER } from '../../files/read-saved-names.ts';
import { escapeJson } from '../../terminal/control/escape-json.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { SavedResult } from './create-saved-run.ts';

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
      `      <failure type="expectation" message="${escapeXml(message)}">${escapeXml(`${message} (${place})`)}</failure>`,
  );
  return `${open}>\n${failures.join('\n')}\n    </testcase>`;
}

function escapeXml(text: string): string {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' } as const;
  return stripControl(text).replaceAll(/[&<>"\n]/g, (character) => entities[character as keyof typeof entities]);
}
