/**
 * Writes `docs/json-schemas.json` and `docs/json.md` from the shapes of `scripts/json-shapes.mjs` and the catalogue of the tool's errors. `--check` only
 * compares.
 */
import { join } from 'node:path';
import { devEvent, eventParts, startEvent } from './event-shapes.mjs';
import { importSource } from './import-source.mjs';
import { callFailure, commands, parts, toFailure, toSuccess } from './json-shapes.mjs';
import { part } from './schema-words.mjs';
import { root, writePage } from './write-page.mjs';

const FILE = 'json-schemas.json';
const { cliErrors } = await importSource(join(root, 'source', 'cli', 'errors', 'cli-errors.ts'));

const outputs = Object.entries(commands).map(([command, data]) => [
  command,
  { anyOf: [toSuccess(data), part('failure')] },
]);
const schemas = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: FILE,
  title: 'What capix prints with --json',
  $defs: {
    ...Object.fromEntries(outputs),
    call: { anyOf: [toSuccess(commands.call, { notes: true }), part('callFailure'), part('failure')] },
    'call --all': { anyOf: [toSuccess(part('savedCalls')), part('failure')] },
    dev: devEvent,
    start: startEvent,
    failure: toFailure(Object.keys(cliErrors)),
    callFailure,
    ...parts,
    ...eventParts,
  },
};

writePage(FILE, `${JSON.stringify(schemas, undefined, 2)}\n`);
writePage('json.md', toPage());

function toPage() {
  const rows = Object.entries(commands).map(([command, data]) => `| \`${command}\` | ${toFields(data)} |`);
  return `# What \`--json\` prints

Written by \`npm run docs\` from \`scripts/json-shapes.mjs\` and \`scripts/event-shapes.mjs\`; do not edit it.

With \`--json\`, a command prints one JSON document to stdout and nothing else. If the command succeeds, the document is
\`{"ok": true, "data": …}\`. If it fails, the document is \`{"ok": false, "error": {"code", "message", "hint"?}}\`, and the
exit code is that of the [error](cli-errors.md). \`capix dev --json\` and \`capix start --json\` print one document per line
instead, and each line is an [event](#events).

Error codes, field names and event names are permanent. A later version may add fields and events, so ignore those that you do not know.

## JSON Schemas

[json-schemas.json](json-schemas.json) contains the JSON Schema of every document. The package includes it, and the name of
a schema is the name of its command:

\`\`\`js
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';

const schemas = JSON.parse(readFileSync('node_modules/capix/docs/json-schemas.json', 'utf8'));
const isList = new Ajv({ strict: false }).addSchema(schemas).getSchema('json-schemas.json#/$defs/list');
\`\`\`

## Commands

A \`?\` marks a field that may be missing.

| Command | Fields of \`data\` |
|---|---|
${rows.join('\n')}

### \`capix call\`

\`data\` is the answer of the capability. If the capability declares its answer with \`.output()\`, the field \`output.json\` of
\`capix show <capability> --json\` is the schema of \`data\`. If the input contains fields that the capability does not have,
the document has \`notes\` beside \`data\`, with a sentence for each of these fields.

If the capability fails, \`error\` contains the name of its error as \`code\`, the HTTP \`status\`, and \`meta\`, as over HTTP (\`callFailure\`).
The \`meta\` of an input that does not fit its schema has a schema of its own, \`invalidInput\`.

\`capix call --all\` prints the results of the [saved calls](saved-calls.md) in \`data\`:
${toFieldNames(parts.savedCalls)}. If a call did not pass, \`ok\` is still \`true\`, and the exit code is 1.

## Events

Each line of \`capix dev --json\` and \`capix start --json\` is an event. It has the fields \`event\`, \`time\` (ISO 8601, UTC), and
those of its row.

### \`capix dev\`

${toEventTable(devEvent)}

### \`capix start\`

${toEventTable(startEvent)}
`;
}

function toEventTable({ oneOf }) {
  const rows = oneOf.map(({ properties, required, description }) => {
    const { event, time: _, ...fields } = properties;
    const name = fields.code?.const === undefined ? event.const : `${event.const}\`, code \`${fields.code.const}`;
    return `| \`${name}\` | ${description}. | ${toFieldNames({ properties: fields, required })} |`;
  });
  return ['| Event | Meaning | Fields |', '|---|---|---|', ...rows].join('\n');
}

function toFields(data) {
  if (data.anyOf === undefined) return [toFieldNames(data), data.description].filter(Boolean).join('. ');
  const each = data.anyOf.map((one) => ('$ref' in one ? toNamed(one.$ref.split('/').at(-1)) : toFieldNames(one)));
  return [each.filter(Boolean).join('; or '), data.description].filter(Boolean).join('. ');
}

/** A job has some of the fields of a capability at its route, which stand before it. */
function toNamed(name) {
  const { description } = parts[name];
  if (name === 'shownJob') return description;
  return [toFieldNames(parts[name]), description].filter(Boolean).join(' ');
}

function toFieldNames({ properties = {}, required = [] }) {
  return Object.keys(properties)
    .map((name) => `\`${name}\`${required.includes(name) ? '' : '?'}`)
    .join(', ');
}
