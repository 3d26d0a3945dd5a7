#!/usr/bin/env bash
# kubb: its client on fetch sends JSON as plain text, and gives the answer of an error as the data
#
# @kubb/plugin-client 4.39.3 with `client: 'fetch'`. A body that the document declares as JSON is sent without a content
# type, so that fetch calls it text/plain. A server that refuses that answers 415, and the call resolves: what it gives
# is the error, typed as the data of the success.
#
# Needs Node 22 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @kubb/cli@4.39.3 @kubb/core@4.39.3 @kubb/plugin-client@4.39.3 @kubb/plugin-oas@4.39.3 @kubb/plugin-ts@4.39.3 typescript@5.9.3 esbuild@0.28.2

echo '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/names":{"post":{"operationId":"save","requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}},"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","properties":{"saved":{"type":"string"}},"required":["saved"]}}}}}}}}}' > document.json
cat > kubb.config.mjs <<'JS'
import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

const plugins = [pluginOas(), pluginTs(), pluginClient({ client: 'fetch', bundle: true })];
export default defineConfig({ root: '.', input: { path: './document.json' }, output: { path: './client' }, plugins });
JS
CI=true npx kubb generate --config kubb.config.mjs > generate.log 2>&1
npx esbuild client/index.ts --bundle --format=esm --platform=node --outfile=client.mjs --log-level=error
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { once } from 'node:events';
import { save } from './client.mjs';

const server = createServer(async (request, response) => {
  const type = request.headers['content-type'];
  console.log('content-type:', type);
  const isJson = type?.startsWith('application/json') === true;
  const answer = isJson ? { saved: 'a' } : { error: 'UnsupportedMediaType' };
  response.writeHead(isJson ? 200 : 415, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer));
}).listen(0);
await once(server, 'listening');
const baseURL = `http://localhost:${server.address().port}`;
for (const headers of [{}, { 'content-type': 'application/json' }]) {
  const given = await save({ name: 'a' }, { baseURL, headers }).catch((error) => ({ thrown: error.message }));
  console.log('given:', JSON.stringify(given));
}
process.exit();
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
content-type: text/plain;charset=UTF-8
given: {"error":"UnsupportedMediaType"}
content-type: application/json
given: {"saved":"a"}
TXT
diff -u expected.txt actual.txt && echo "as stated"
