import { CALLS_FOLDER } from '../../files/read-saved-names.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { SavedResult } from './create-saved-run.ts';

/** The outcomes of saved calls as a JUnit report: a test for each, which fails by its problems. `folder`: as in `SavedTextOptions`. */
export function toSavedJunit(results: readonly SavedResult[], folder: string): string {
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
