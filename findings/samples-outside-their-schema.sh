#!/usr/bin/env bash
# json-schema-faker: samples that their own schema refuses
#
# json-schema-faker 0.6.3. Names of a record do not follow the pattern of `propertyNames`. A pattern with
# `\p{L}` is read without the flag `u`, so that the sample is those characters themselves, with braces.
# A duration is `PT0D`, which no duration is: days stand before the T.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save json-schema-faker@0.6.3 ajv@8.20.0 ajv-formats@3.0.1

cat > run.mjs <<'JS'
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { generate } from 'json-schema-faker';

const schemas = {
  record: {
    type: 'object',
    propertyNames: { pattern: '^[a-z]{3}$' },
    additionalProperties: { type: 'integer' },
    minProperties: 1,
  },
  letters: { type: 'string', pattern: '^\\p{L}{3}$' },
  duration: { type: 'string', format: 'duration' },
  tuple: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2, maxItems: 2 },
};
const ajv = addFormats(new Ajv2020({ strict: false }));
for (const [name, schema] of Object.entries(schemas)) {
  const samples = await Promise.all(Array.from({ length: 20 }, () => generate(structuredClone(schema))));
  const wrong = samples.filter((sample) => !ajv.validate(schema, sample));
  const shown = typeof wrong[0] === 'string' ? wrong[0] : '';
  console.log(name, `${wrong.length} of ${samples.length} wrong`, shown);
}
JS
node run.mjs | sed 's/ *$//' > actual.txt
cat > expected.txt <<'TXT'
record 20 of 20 wrong
letters 20 of 20 wrong p{L}}}
duration 20 of 20 wrong PT0D
tuple 0 of 20 wrong
TXT
diff -u expected.txt actual.txt && echo "as stated"
