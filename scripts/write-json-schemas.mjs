/**
 * Writes `docs/json-schemas.json` and `docs/json.md` from the shapes of `scripts/json-shapes.mjs` and the catalogue of the tool's errors. `--check` only
 * compares.
 */
import { join } from 'node:path';
import { importSource } from './import-source.mjs';
import { commands, devEvent, parts, savedCalls, startEvent, toFailure, toSuccess } from './json-shapes.mjs';
import { root, writePage } from './write-page.mjs';

const FILE = 'json-schemas.json';
const { cliErrors } = await importSource(join(root, 'source', 'cli', 'errors', 'cli-errors.ts'));

const outputs = Object.entries(commands).map(([command, data]) => [
  command,
  { anyOf: [toSuccess(data), { $ref: '#/$defs/failure' }] },
]);
const schemas = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: FILE,
  title: 'What capix prints with --json',
  $defs: {
    ...Object.fromEntries(outputs),
    dev: devEvent,
    start: startEvent,
    failure: toFailure(Object.keys(cliErrors)),
    savedCalls,
    ...parts,
  },
};

writePage(FILE, `${JSON.stringify(schemas, undefined, 2)}\n`);
writePage('json.md', toPage());

function toPage() {
  const rows = Object.entries(commands).map(([command, data]) => `| \`${command}\` | ${toFields(data)} |`);
  return `# What \`--json\` prints

Written by \`npm run docs\` from \`scripts/json-shapes.mjs\`; do not edit it.

A command with \`--json\` prints one document on stdout: \`{"ok": true, "data": …}\`, or \`{"ok": false, "error": {"code", "message", "hint"?}}\` with the exit code of the
[error](cli-errors.md), whose codes are permanent. \`capix dev --json\` and \`capix start --json\` print one event a line, \`{"event", "time", …}\`. Fields may be added; those that are here stay.

[json-schemas.json](json-schemas.json) has the JSON Schema of each document, by the command: \`json-schemas.json#/$defs/list\`. It is in the package, as
\`node_modules/capix/docs/json-schemas.json\`:

\`\`\`js
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';

const schemas = JSON.parse(readFileSync('node_modules/capix/docs/json-schemas.json', 'utf8'));
const isList = new Ajv({ strict: false }).addSchema(schemas).getSchema('json-schemas.json#/$defs/list');
\`\`\`

| Command | Fields of \`data\`; \`?\` may be missing |
|---|---|
${rows.join('\n')}

A capability that \`capix call\` calls fails with its own error as the code, and with \`status\` and \`meta\` as over HTTP. Fields of its input that it does not
have are told in \`notes\`, beside \`data\`.
`;
}

function toFields(data) {
  if (data.anyOf === undefined) return [toFieldNames(data), data.description].filter(Boolean).join('. ');
  const each = data.anyOf.map((one) => ('$ref' in one ? `\`${one.$ref.split('/').at(-1)}\`` : toFieldNames(one)));
  return [each.filter(Boolean).join(', or '), data.description].filter(Boolean).join('. ');
}

function toFieldNames({ properties = {}, required = [] }) {
  return Object.keys(properties)
    .map((name) => `\`${name}\`${required.includes(name) ? '' : '?'}`)
    .join(', ');
}
