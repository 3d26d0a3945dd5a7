#!/usr/bin/env bash
# hey-api, orval and kubb: zod schemas that they generate refuse every value of a format
#
# @hey-api/openapi-ts 0.99.0, orval 8.38.0 and @kubb/plugin-zod 4.39.3 with zod 4.6.7. `format: time` is the
# time of RFC 3339, which has a zone (`10:30:00Z`). All three write `z.iso.time()`, which takes times without
# a zone only, so no value fits both. kubb writes `z.url()` for `hostname` and `uri-reference`: no host name
# is a URL. A date-time with an offset is refused by hey-api and kubb, which leave out `{ offset: true }`.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @hey-api/openapi-ts@0.99.0 orval@8.38.0 @kubb/core@4.39.3 @kubb/cli@4.39.3 @kubb/plugin-oas@4.39.3 @kubb/plugin-ts@4.39.3 @kubb/plugin-zod@4.39.3 typescript@5.9.3 zod@4.6.7 ajv@8.20.0 ajv-formats@3.0.1 esbuild@0.28.2

echo '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/events":{"get":{"operationId":"event","responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Event"}}}}}}}},"components":{"schemas":{"Event":{"type":"object","properties":{"time":{"type":"string","format":"time"},"at":{"type":"string","format":"date-time"},"host":{"type":"string","format":"hostname"},"link":{"type":"string","format":"uri-reference"}}}}}}' > document.json
echo "export default { a: { input: './document.json', output: { target: './orval.ts', client: 'zod' } } };" > orval.config.mjs
cat > kubb.config.mjs <<'JS'
import { defineConfig } from '@kubb/core';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';
export default defineConfig({
  root: '.',
  input: { path: './document.json' },
  output: { path: './kubb' },
  plugins: [pluginOas(), pluginTs(), pluginZod({ version: '4' })],
});
JS
npx openapi-ts -i document.json -o hey-api -p zod > generate.log 2>&1
npx orval --config orval.config.mjs >> generate.log 2>&1
npx kubb generate --config kubb.config.mjs >> generate.log 2>&1
cat > run.ts <<'TS'
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { zEvent } from './hey-api/zod.gen';
import { eventSchema } from './kubb/zod/eventSchema';
import { EventResponse } from './orval';
const ajv = new Ajv2020();
(addFormats as any).default(ajv);
const { Event } = JSON.parse(readFileSync('document.json', 'utf8')).components.schemas;
const fitsDocument = ajv.compile(Event);
const values = [
  { time: '10:30:00Z' },
  { time: '10:30:00+02:00' },
  { at: '2026-01-02T10:30:00Z' },
  { at: '2026-01-02T10:30:00+02:00' },
  { host: 'example.org' },
  { link: '/events/7' },
];
for (const value of values) {
  const refuse = Object.entries({ 'hey-api': zEvent, orval: EventResponse, kubb: eventSchema })
    .filter(([, schema]) => !schema.safeParse(value).success)
    .map(([name]) => name);
  const verdict = fitsDocument(value) ? 'fits the document' : 'does not fit';
  console.log(`${JSON.stringify(value)} ${verdict}; refused by ${refuse.join(', ') || 'none'}`);
}
TS
npx esbuild run.ts --bundle --format=esm --platform=node --packages=external --outfile=run.mjs --log-level=error
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
{"time":"10:30:00Z"} fits the document; refused by hey-api, orval, kubb
{"time":"10:30:00+02:00"} fits the document; refused by hey-api, orval, kubb
{"at":"2026-01-02T10:30:00Z"} fits the document; refused by none
{"at":"2026-01-02T10:30:00+02:00"} fits the document; refused by hey-api, kubb
{"host":"example.org"} fits the document; refused by kubb
{"link":"/events/7"} fits the document; refused by kubb
TXT
diff -u expected.txt actual.txt && echo "as stated"
