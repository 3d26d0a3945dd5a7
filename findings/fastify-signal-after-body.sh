#!/usr/bin/env bash
# Fastify: the signal of a request fires once its body is read, while its client waits
#
# Fastify 5.12.8. `request.signal` is there for a client that leaves. It listens for 'close' of Node's request, which
# comes after the body was read: a handler of POST that reads the signal before it waits for something finds it aborted,
# though the client is there and gets the answer. Without a body it does not fire.
#
# Needs Node 20 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save fastify@5.12.8

cat > run.mjs <<'JS'
import { setTimeout } from 'node:timers/promises';
import fastify from 'fastify';

const app = fastify();
app.route({
  method: ['GET', 'POST'],
  url: '/',
  handler: async ({ signal }) => {
    await setTimeout(100);
    return { aborted: signal.aborted };
  },
});
const url = await app.listen({ port: 0 });
const headers = { 'content-type': 'application/json' };
for (const init of [{ method: 'GET' }, { method: 'POST', headers, body: '{}' }]) {
  const response = await fetch(url, init);
  console.log(init.method, response.status, await response.text());
}
process.exit();
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
GET 200 {"aborted":false}
POST 200 {"aborted":true}
TXT
diff -u expected.txt actual.txt && echo "as stated"
