/**
 * Writes `docs/diff-rules.md` from the rules of `capix diff` (`source/contract/rules.ts`), and
 * `docs/check-rules.md` from those of `capix check` (`source/manifest/check-rules.ts`). `--check` only compares.
 */
import { join } from 'node:path';
import { importSource } from './import-source.mjs';
import { root, writePage } from './write-page.mjs';

const { rules } = await importSource(join(root, 'source', 'contract', 'rules.ts'));
const ofGroup = (name) => Object.fromEntries(Object.entries(rules).filter(([, { group }]) => group === name));

const names = { http: 'HTTP callers', client: 'typed client', agents: 'agents', jobs: 'code that adds jobs' };

writePage('diff-rules.md', [
  '## Routes and requests',
  toTable(ofGroup('requests')),
  '## Responses',
  toTable(ofGroup('responses')),
  '## Agents',
  toTable(ofGroup('agents')),
  '## The server',
  toTable(ofGroup('server')),
  '## Jobs',
  'The inputs, guards and deprecations of jobs have the same rules as all others. ' +
    'The new code also runs the jobs that are waiting.',
  toTable(ofGroup('jobs')),
  '## Inputs',
  'Callers send inputs, so it is safe to accept more than before.',
  toTable(ofGroup('inputs')),
  '## Outputs',
  'Callers read outputs, so it is safe to promise more than before. A shorter list of values is safe, and a new value ' +
    'may surprise them. Headers and what errors carry have the same rules.',
  toTable(ofGroup('outputs')),
]);

const { checkRules } = await importSource(join(root, 'source', 'manifest', 'check-rules.ts'));
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
      `| \`${id}\` | ${changeClass} | ${toSentence(when)} | ${toSentence(reason)} | ${toAudience(audience)} |`,
  );
  return ['| Rule | Class | What changed | Why | For |', '|---|---|---|---|---|', ...rows].join('\n');
}

function toAudience(audience) {
  const isAll = audience.length === 3 && !audience.includes('jobs');
  return isAll ? 'all' : audience.map((who) => names[who]).join(', ');
}

function toSentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}
