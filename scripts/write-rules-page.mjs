/**
 * Writes `docs/diff-rules.md` from the rules of `capix diff` (`source/contract/rules/`), and `docs/check-rules.md` from those of `capix check`
 * (`source/manifest/mistakes/check-rules.ts`). `--check` only compares.
 */
import { join } from 'node:path';
import { importSource } from './import-source.mjs';
import { root, writePage } from './write-page.mjs';

const rules = join(root, 'source', 'contract', 'rules');
const { factRules } = await importSource(join(rules, 'fact-rules.ts'));
const { jobRules } = await importSource(join(rules, 'job-rules.ts'));
const { schemaRules } = await importSource(join(rules, 'schema-rules.ts'));
const { limitRules } = await importSource(join(rules, 'limit-rules.ts'));

const names = { http: 'HTTP callers', client: 'typed client', agents: 'agents', jobs: 'code that adds jobs' };

const ofSide = (side) =>
  Object.fromEntries(Object.entries({ ...schemaRules, ...limitRules }).filter(([id]) => id.startsWith(`${side}-`)));

writePage('diff-rules.md', [
  '## Beside the schemas',
  toTable(factRules),
  '## Jobs',
  'The inputs, guards and deprecations of jobs have the same rules as all others. The new code also runs the jobs that are waiting.',
  toTable(jobRules),
  '## Inputs',
  'Callers send inputs, so it is safe to accept more than before.',
  toTable(ofSide('input')),
  '## Outputs',
  'Callers read outputs, so it is safe to promise more than before. A shorter list of values is safe, and a new value may surprise them.',
  toTable(ofSide('output')),
]);

const { checkRules } = await importSource(join(root, 'source', 'manifest', 'mistakes', 'check-rules.ts'));
const isForAgents = ([, rule]) => rule.isForAgents === true;

writePage('check-rules.md', [
  toCheckTable(Object.entries(checkRules).filter((entry) => !isForAgents(entry))),
  '## With `--agents`',
  'These rules find what keeps AI agents from using a capability as a tool, or from using it well.',
  toCheckTable(Object.entries(checkRules).filter(isForAgents)),
]);

function toCheckTable(entries) {
  const rows = entries.map(([id, { severity, when }]) => `| \`${id}\` | ${severity} | ${toSentence(when)} |`);
  return ['| Rule | Severity | Found when |', '|---|---|---|', ...rows].join('\n');
}

function toTable(entries) {
  const rows = Object.entries(entries).map(
    ([id, { when, class: changeClass, reason, audience }]) =>
      `| \`${id}\` | ${changeClass} | ${toSentence(when)} | ${toSentence(reason)} | ${audience.length === 3 ? 'all' : audience.map((who) => names[who]).join(', ')} |`,
  );
  return ['| Rule | Class | What changed | Why | For |', '|---|---|---|---|---|', ...rows].join('\n');
}

function toSentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}
