import { toJsonOutput } from '../../cli/json-output.ts';
import { escapeJson } from '../../terminal/control/escape-json.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { SavedResult } from './create-saved-run.ts';
import { toSavedJunit } from './saved-junit.ts';

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

/** `{calls: [{name, call, passed, status?, durationMs?, problems}], passed, failed}`; without answers, which may hold secrets. */
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
