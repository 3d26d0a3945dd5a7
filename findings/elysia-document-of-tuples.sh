#!/usr/bin/env bash
# Elysia: a tuple makes the document invalid, and the document names defaults that the server does not have
#
# elysia 1.4.30 with @elysiajs/openapi 1.4.16. The document says that it is OpenAPI 3.1. A tuple is written as
# in draft 7, by `items` with a list, which JSON Schema 2020-12 does not admit: Ajv does not compile the body.
# A choice of `t.UnionEnum` has its first value as `default`, and the server refuses a body without the field.
# Of a list of files the default is the text "Files". A field that the document does not forbid is refused.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save elysia@1.4.30 @elysiajs/openapi@1.4.16 @sinclair/typebox@0.34.52 exact-mirror@1.2.6 file-type@21.3.4 openapi-types@12.1.3 ajv@8.20.0

cat > run.mjs <<'JS'
import { openapi } from '@elysiajs/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Elysia, t } from 'elysia';
const state = t.UnionEnum(['open', 'done']);
const app = new Elysia({ aot: false })
  .use(openapi())
  .post('/places', ({ body }) => body, { body: t.Object({ place: t.Tuple([t.Number(), t.Number()]) }) })
  .post('/tasks', ({ body }) => body, { body: t.Object({ state }) })
  .post('/files', () => 'ok', { body: t.Object({ files: t.Files() }) });
const read = async (path, body) => {
  const headers = { 'content-type': 'application/json' };
  const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await app.handle(new Request(`http://localhost${path}`, init));
  return [response.status, await response.json()];
};
const [, { openapi: version, paths }] = await read('/openapi/json');
const bodyOf = (path) => paths[path].post.requestBody.content['application/json'].schema;
const ajv = new Ajv2020({ strict: false, logger: false });
console.log('OpenAPI', version.slice(0, 3));
try {
  ajv.compile(bodyOf('/places'));
  console.log('the tuple compiles');
} catch (error) {
  console.log(error.message);
}
console.log(JSON.stringify(bodyOf('/tasks')));
console.log('files:', JSON.stringify(bodyOf('/files').properties.files.default));
for (const body of [{}, { state: 'open', more: 1 }, { state: 'open' }])
  console.log(JSON.stringify(body), (await read('/tasks', body))[0]);
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
OpenAPI 3.1
schema is invalid: data/properties/place/items must be object,boolean
{"type":"object","required":["state"],"properties":{"state":{"default":"open","type":"string","enum":["open","done"]}}}
files: "Files"
{} 422
{"state":"open","more":1} 422
{"state":"open"} 200
TXT
diff -u expected.txt actual.txt && echo "as stated"
