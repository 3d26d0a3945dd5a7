#!/usr/bin/env bash
# zod: `z.fromJSONSchema` leaves out words, and reads a pattern otherwise
#
# zod 4.6.7. Some words that it does not support throw; these are passed over in silence, so that the
# schema takes what the JSON Schema refuses: `required` and `properties` without `type`, `required` of a
# field that is not declared, words beside a `$ref`. A pattern is compiled without the flag `u`, so that
# `\p{L}` refuses letters.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save zod@4.6.7 ajv@8.20.0

cat > run.mjs <<'JS'
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod';

const $defs = { Name: { type: 'string' } };
const cases = [
  ['no type', { properties: { a: { type: 'string' } }, required: ['a'] }, {}],
  ['required alone', { type: 'object', required: ['a'] }, {}],
  ['minimum alone', { minimum: 3 }, 1],
  ['beside $ref', { $defs, $ref: '#/$defs/Name', maxLength: 1 }, 'abc'],
  ['enum and type', { type: 'string', enum: ['a', 1] }, 1],
  ['pattern', { type: 'string', pattern: '^\\p{L}+$' }, 'ä'],
];
const ajv = new Ajv2020({ strict: false });
for (const [name, schema, value] of cases)
  console.log(name, ajv.validate(schema, value), z.fromJSONSchema(schema).safeParse(value).success);
try {
  z.fromJSONSchema({ type: 'object', unevaluatedProperties: false });
} catch (error) {
  console.log(error.message);
}
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
no type false true
required alone false true
minimum alone false true
beside $ref false true
enum and type false true
pattern true false
unevaluatedProperties is not supported
TXT
diff -u expected.txt actual.txt && echo "as stated"
