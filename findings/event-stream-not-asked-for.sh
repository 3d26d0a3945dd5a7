#!/usr/bin/env bash
# hey-api: its client of server-sent events does not ask for them, and another stream is one without items
#
# @hey-api/openapi-ts 0.99.0. For an operation that documents `text/event-stream` and lines of JSON
# it writes a client of events, which sends `Accept: */*`. A server that then picks lines is right
# by HTTP; the loop over the stream ends at once, without an item and without an error.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @hey-api/openapi-ts@0.99.0 typescript@6.0.3 esbuild@0.28.2

echo '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"http://localhost"}],"paths":{"/ticks":{"get":{"operationId":"ticks","responses":{"200":{"description":"ok","content":{"text/event-stream":{"schema":{"type":"object"}},"application/x-ndjson":{"schema":{"type":"object"}}}}}}}}}' > document.json
npx openapi-ts --input document.json --output client > generate.log 2>&1
npx esbuild client/index.ts --bundle --format=esm --platform=node --outfile=client.mjs --log-level=error
npx esbuild client/client.gen.ts --bundle --format=esm --platform=node --outfile=runtime.mjs --log-level=error
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { once } from 'node:events';
import { ticks } from './client.mjs';

const server = createServer((request, response) => {
  const wanted = request.headers.accept;
  console.log('accept:', wanted);
  if (wanted.includes('event-stream')) {
    response.setHeader('content-type', 'text/event-stream');
    response.end('data: {"n":1}\n\ndata: {"n":2}\n\n');
  } else {
    response.setHeader('content-type', 'application/x-ndjson');
    response.end('{"n":1}\n{"n":2}\n');
  }
}).listen(0);
await once(server, 'listening');
const baseUrl = `http://localhost:${server.address().port}`;
for (const headers of [{}, { accept: 'text/event-stream' }]) {
  let items = 0;
  const { stream } = await ticks({ baseUrl, headers, sseMaxRetryAttempts: 1 });
  for await (const _ of stream) items++;
  console.log('items:', items);
}
process.exit();
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
accept: */*
items: 0
accept: text/event-stream
items: 2
TXT
diff -u expected.txt actual.txt && echo "as stated"
