#!/usr/bin/env bash
# prism and oazapfts: `items: false` behind `prefixItems` makes a valid tuple wrong
#
# @stoplight/prism-cli 5.16.0 as a validating proxy and oazapfts 7.5.0. In JSON Schema 2020-12
# `items: false` says that nothing follows the prefix. Prism applies it to every element and answers
# 500 to a valid answer; oazapfts types the list as `never[]`. The same tuple with `maxItems` alone
# passes and is a tuple in TypeScript.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @stoplight/prism-cli@5.16.0 oazapfts@7.5.0 typescript@5.9.3

echo '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"http://127.0.0.1"}],"paths":{"/closed":{"get":{"operationId":"closed","responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Closed"}}}}}}},"/open":{"get":{"operationId":"open","responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Open"}}}}}}}},"components":{"schemas":{"Closed":{"type":"object","required":["pair"],"properties":{"pair":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"items":false,"minItems":2,"maxItems":2}}},"Open":{"type":"object","required":["pair"],"properties":{"pair":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"minItems":2,"maxItems":2}}}}}}' > document.json
npx oazapfts document.json client.ts > generate.log 2>&1
cat > run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';

const client = readFileSync('client.ts', 'utf8');
for (const name of ['Closed', 'Open']) {
  const [, type] = new RegExp(`type ${name} = {\\s*pair: ([^;]*);`).exec(client);
  console.log('oazapfts', name, type.replaceAll(/\s+/g, ' '));
}
const upstream = createServer((_, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"pair":[1,"a"]}');
}).listen(0, '127.0.0.1');
await once(upstream, 'listening');
const probe = createSocket().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
const target = `http://127.0.0.1:${upstream.address().port}`;
const prism = spawn('npx', ['prism', 'proxy', '--errors', '-h', '127.0.0.1', '-p', port, 'document.json', target], { detached: true });
let log = '';
await new Promise((resolve) => {
  prism.stdout.on('data', (text) => {
    log += text;
    if (log.includes('listening')) resolve();
  });
});
for (const path of ['closed', 'open']) {
  const { status } = await fetch(`http://127.0.0.1:${port}/${path}`);
  console.log('prism', path, status);
}
process.kill(-prism.pid);
process.exit();
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
oazapfts Closed never[]
oazapfts Open [ number, string ]
prism closed 500
prism open 200
TXT
diff -u expected.txt actual.txt && echo "as stated"
