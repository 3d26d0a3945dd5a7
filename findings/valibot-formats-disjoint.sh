#!/usr/bin/env bash
# valibot: the JSON Schema of a local time or date-time refuses every value that the schema takes
#
# valibot 1.5.0 with @valibot/to-json-schema 1.8.0. `isoTime()` and `isoDateTime()` take values
# without a zone; the converter writes the formats `time` and `date-time`, which need one. So no
# value passes both. `isoDate()`, `isoTimestamp()` and `isoTimeSecond()` agree with what is written
# for them.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save valibot@1.5.0 @valibot/to-json-schema@1.8.0 ajv@8.20.0 ajv-formats@3.0.1

cat > run.mjs <<'JS'
import { toJsonSchema } from '@valibot/to-json-schema';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import * as v from 'valibot';

const ajv = addFormats(new Ajv.default({ strict: false }));
const cases = [
  ['isoTime', v.isoTime(), '10:30'],
  ['isoDateTime', v.isoDateTime(), '2026-01-02T10:30'],
  ['isoDate', v.isoDate(), '2026-01-02'],
  ['isoTimestamp', v.isoTimestamp(), '2026-01-02T10:30:00Z'],
  ['isoTimeSecond', v.isoTimeSecond(), '10:30:15'],
];
for (const [name, action, value] of cases) {
  const schema = v.pipe(v.string(), action);
  const { $schema, ...written } = toJsonSchema(schema);
  console.log(name, 'valibot', v.is(schema, value), 'ajv', ajv.compile(written)(value));
}
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
isoTime valibot true ajv false
isoDateTime valibot true ajv false
isoDate valibot true ajv true
isoTimestamp valibot true ajv true
isoTimeSecond valibot true ajv true
TXT
diff -u expected.txt actual.txt && echo "as stated"
