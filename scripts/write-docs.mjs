/**
 * Writes the generated rest of pages of `docs/`. With `--check` it writes nothing, and ends with 1 where a page is not
 * what it would be.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { importSource, root } from './import-source.mjs';
import { outlineCommands } from './outline-commands.mjs';

/** Stands in a page between what is written by hand and what is generated. */
const MARK = '<!-- `npm run docs` writes the rest of this page. -->';

const { cliErrors, rules, checkRules, actions, toKeyText } = await importSource(
  [
    'cli/cli-errors',
    'contract/changes/contract-change',
    'kit/actions',
    'kit/key-binding',
    'manifest/check-rules',
  ]
    .map((file) => `export * from './${file}.ts';`)
    .join('\n'),
  join(root, 'source'),
);

writePage('commands.md', toCommandParts(await outlineCommands(root)));
writePage('contract.md', toContractParts(join(root, 'test', 'contract')));
writePage('cli-errors.md', [
  toTable(
    ['Code', 'Exit code', 'Message, or when it happens', 'What to do'],
    Object.entries(cliErrors).map(
      ([code, { message, when = message, hint = '', exitCode = 1 }]) => [
        `\`${code}\``,
        exitCode,
        ...[when, hint].map(toProse),
      ],
    ),
  ),
]);
writePage('diff-rules.md', [
  '## Routes and requests',
  toDiffTable('requests'),
  '## Responses',
  toDiffTable('responses'),
  '## Agents',
  toDiffTable('agents'),
  '## The server',
  toDiffTable('server'),
  '## GraphQL',
  'Where the capabilities file exports `graphqlTransport(…)`, the two schemas are compared by the package `graphql`.',
  toDiffTable('graphql'),
  '## Jobs',
  'The inputs, guards and deprecations of jobs have the same rules as all others. ' +
    'The new code also runs the jobs that are waiting.',
  toDiffTable('jobs'),
  '## Inputs',
  'Callers send inputs, so it is safe to accept more than before.',
  toDiffTable('inputs'),
  '## Outputs',
  'Callers read outputs, so it is safe to promise more than before. A shorter list of values is safe, and a new ' +
    'value may surprise them. Headers and what errors carry have the same rules.',
  toDiffTable('outputs'),
]);
writePage('check-rules.md', [
  toCheckTable(({ isForAgents = false }) => !isForAgents),
  '## With `--agents`',
  'These rules find what keeps AI agents from using a capability as a tool, or from using it well.',
  toCheckTable(({ isForAgents = false }) => isForAgents),
]);

writeKeys('screens.md');

function writePage(name, parts) {
  writeText(name, (before) => `${[before.split(MARK)[0] + MARK, ...parts].join('\n\n')}\n`);
}

/** Writes the table of keys, which stands in the middle of its page. */
function writeKeys(name) {
  const all = Object.entries(actions);
  const rows = all
    .slice(
      0,
      all.findIndex(([action]) => action === 'backspace'),
    )
    .map(([, { keys, help }]) => [
      keys
        .filter((key) => !key.includes(' '))
        .map((key) => `\`${toKeyText(key)}\``)
        .join(' '),
      help,
    ]);
  const [start, end] = ['<!-- `npm run docs` writes this table. -->', '<!-- The table ends. -->'];
  writeText(name, (before) => {
    const [head = '', rest = ''] = before.split(start);
    const table = toTable(['Key', 'Does'], rows);
    return `${head}${start}\n\n${table}\n\n${end}${rest.split(end)[1] ?? ''}`;
  });
}

function writeText(name, toText) {
  const path = join(root, 'docs', name);
  const before = readFileSync(path, 'utf8');
  const text = toText(before);
  if (!process.argv.includes('--check')) return writeFileSync(path, text);
  if (text === before) return;
  process.stderr.write(`docs/${name} is out of date. Run \`npm run docs\`.\n`);
  process.exitCode = 1;
}

function toCommandParts(program) {
  const toShort = ({ alias, name }) =>
    alias === undefined ? [] : [`\`${alias}\` is short for \`${name}\``];
  const commands = program
    .filter(({ name }) => name !== 'index')
    .flatMap((command) =>
      (command.commands ?? [command]).map((inner) => ({
        ...inner,
        group: command.group,
        words: inner === command ? command.name : `${command.name} ${inner.name}`,
        short: [...new Set([command, inner])].flatMap(toShort).join('; '),
      })),
    );
  return [...new Set(commands.map(({ group }) => group))].map((title) =>
    [`## ${title}`, ...commands.filter(({ group }) => group === title).map(toCommand)].join('\n\n'),
  );
}

function toCommand(command) {
  const { words, usage, summary, description, short, operands, options, examples, page } = command;
  const shape = usage ?? operands.map(({ name }) => name).join(' ');
  return [
    `### \`${`capix ${words} ${shape}`.trim()}\``,
    toProse(`${summary}.`),
    ...(description === summary ? [] : [toProse(description)]),
    ...(short === '' ? [] : [`${short}.`]),
    ...(page === 'commands.md' ? [] : [`More: [${page}](${page}).`]),
    ...toValueTable('Argument', operands, ({ name }) => name.slice(1, -1)),
    ...toValueTable('Option', options, ({ flags }) => flags),
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ].join('\n\n');
}

function toValueTable(title, values, toName) {
  const rows = values.map((value) => [
    `\`${toName(value).replaceAll('|', String.raw`\|`)}\``,
    toMeaning(value),
  ]);
  return rows.length === 0 ? [] : [toTable([title, 'Meaning'], rows)];
}

/** With its choices and its default value, as in the help. */
function toMeaning({ description, choices = [], defaultValue }) {
  const more = [
    ...(choices.length > 0
      ? [`choices: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`]
      : []),
    ...(typeof defaultValue === 'string' ? [`default: ${JSON.stringify(defaultValue)}`] : []),
  ];
  return toProse(`${description}${more.length > 0 ? ` (${more.join(', ')})` : ''}`);
}

/** The lines of the contract are the names of the tests in `test/contract`, which are literals, to be found by grep. */
function toContractParts(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts'));
  return files.sort().map((file) => {
    const words = file
      .replace('.test.ts', '')
      .replace('details-', 'in detail: ')
      .replaceAll('-', ' ');
    const text = readFileSync(join(folder, file), 'utf8');
    const calls = [
      ...text.matchAll(
        /^ *(describe|it)(?:OverSockets|OverHttp)?(?:\.each\(\w+\))?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/gm,
      ),
    ];
    if (calls.length !== [...text.matchAll(/^ *(?:describe|it)(?:Over\w+)?\b/gm)].length)
      throw new Error(`${file}: the name of each test must be a string literal`);
    const lines = calls.map(([, kind, single, double]) => {
      const name = (single ?? double).replaceAll(/\\(.)/g, '$1').replaceAll('%s', '…');
      const line = name.replaceAll(/[\\`*_[\]|]/g, String.raw`\$&`).replaceAll('<', '&lt;');
      return kind === 'it' ? `- ${line}` : `\n${line}:\n`;
    });
    const title = `${words[0].toUpperCase()}${words.slice(1)}`;
    return `## ${title}\n\n\`test/contract/${file}\`\n${lines.join('\n')}`;
  });
}

function toDiffTable(name) {
  const names = {
    http: 'HTTP callers',
    client: 'typed client',
    agents: 'agents',
    jobs: 'code that adds jobs',
    graphql: 'GraphQL',
  };
  const toAudience = (audience) => {
    const isAll = ['http', 'client', 'agents'].every((name) => audience.includes(name));
    return isAll ? 'all' : audience.map((who) => names[who]).join(', ');
  };
  const rows = Object.entries(rules).filter(([, { group }]) => group === name);
  return toTable(
    ['Rule', 'Class', 'What changed', 'Why', 'For'],
    rows.map(([id, { when, class: changeClass, reason, audience }]) => [
      `\`${id}\``,
      changeClass,
      toSentence(when),
      toSentence(reason),
      toAudience(audience),
    ]),
  );
}

function toCheckTable(isShown) {
  const entries = Object.entries(checkRules).filter(([, rule]) => isShown(rule));
  const rows = entries.map(([id, { severity, when }]) => [`\`${id}\``, severity, toSentence(when)]);
  return toTable(['Rule', 'Severity', 'Found when'], rows);
}

function toTable(titles, rows) {
  const lines = [titles, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.toSpliced(1, 0, `|${'---|'.repeat(titles.length)}`).join('\n');
}

function toSentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** Outside of code, what is in angle brackets would be read as HTML, and a bar as the end of a cell. */
function toProse(text) {
  return text
    .replaceAll(/(`[^`]*`)|</g, (_match, code) => code ?? '&lt;')
    .replaceAll('|', String.raw`\|`);
}
