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

writePage(
  'diff-rules.md',
  `${[
    introduction(),
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
  ].join('\n\n')}\n`,
);

const { checkRules } = await importSource(join(root, 'source', 'manifest', 'mistakes', 'check-rules.ts'));
const isForAgents = ([, rule]) => rule.isForAgents === true;

writePage(
  'check-rules.md',
  `${[
    `# Rules of \`capix check\`

Written by \`npm run docs\` from \`source/manifest/mistakes/check-rules.ts\`; do not edit it.

Every finding has the id of one of these rules, its place in the source, and the line that fixes it. The ids are permanent. An *error* keeps the server from
starting or a request from working. [\`capix.json\`](gate.md) turns a rule off or changes its severity. So does a comment above the declaration:
\`// capix-ignore missing-schema: the sender decides\`.`,
    toCheckTable(Object.entries(checkRules).filter((entry) => !isForAgents(entry))),
    '## With `--agents`',
    'These rules find what keeps AI agents from using a capability as a tool, or from using it well.',
    toCheckTable(Object.entries(checkRules).filter(isForAgents)),
  ].join('\n\n')}\n`,
);

function toCheckTable(entries) {
  const rows = entries.map(([id, { severity, when }]) => `| \`${id}\` | ${severity} | ${toSentence(when)} |`);
  return ['| Rule | Severity | Found when |', '|---|---|---|', ...rows].join('\n');
}

function introduction() {
  return `# Rules of \`capix diff\`

Written by \`npm run docs\` from \`source/contract/rules/\`; do not edit it.

Every change that \`capix diff\` finds has the id of one of these rules. The ids are permanent; the words may change. Each change has a class:

- *Breaking*: a call that worked is rejected, or its response lacks something that it had.
- *Risky*: the change may break a call, or nobody can tell.
- *Safe*: the change breaks no call.

Each change also names its audience: HTTP callers, users of a generated client, AI agents, code that adds jobs.

Two regular expressions cannot be compared as sets of strings. The change is breaking if one of many sample strings matches the old expression and not the new
one, and risky otherwise. Checks that are code (\`.refine(…)\`, \`.check(…)\`, \`z.custom(…)\`) are compared only by their source text. A change goes unnoticed if
it is in what they call or close over, or in what a \`.superRefine(…)\` or a \`.transform(…)\` does.`;
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
