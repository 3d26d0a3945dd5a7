#!/usr/bin/env bash
# MCP SDK 2: whether a value fits a schema depends on the runtime
#
# @modelcontextprotocol/server 2.4.0 validates by Ajv on Node and by @cfworker/json-schema in workers and
# browsers. For one schema and one value the two say otherwise: 19.99 is no multiple of 0.01 for Ajv, a
# local time without a zone is a time for the other, and its e-mail addresses and numbers of 32 bits are
# wider. What a tool answers is an error in one place and a result in the other.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @modelcontextprotocol/server@2.4.0 @cfworker/json-schema@4.1.1 zod@4.6.7

cat > run.mjs <<'JS'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';

const cases = [
  [{ type: 'number', multipleOf: 0.01 }, 19.99],
  [{ type: 'string', format: 'time' }, '10:30:00'],
  [{ type: 'string', format: 'email' }, 'admin@localhost'],
  [{ type: 'integer', format: 'int32' }, 3_000_000_000],
  [{ type: 'string', format: 'uuid' }, '01890a5d-ac96-774b-bcce-b302099a8057'],
];
const [node, workers] = [new AjvJsonSchemaValidator(), new CfWorkerJsonSchemaValidator()];
for (const [schema, value] of cases) {
  const [onNode, inWorkers] = [node, workers].map((each) => each.getValidator(schema)(value).valid);
  console.log(JSON.stringify(schema), JSON.stringify(value), onNode, inWorkers);
}
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
{"type":"number","multipleOf":0.01} 19.99 false true
{"type":"string","format":"time"} "10:30:00" false true
{"type":"string","format":"email"} "admin@localhost" false true
{"type":"integer","format":"int32"} 3000000000 false true
{"type":"string","format":"uuid"} "01890a5d-ac96-774b-bcce-b302099a8057" true true
TXT
diff -u expected.txt actual.txt && echo "as stated"
