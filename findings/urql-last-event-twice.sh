#!/usr/bin/env bash
# urql: the last result of a subscription over fetch is given twice, and a connection that breaks is a whole one
#
# @urql/core 6.0.3 with `fetchSubscriptions: true`. A server sends one event, and then `complete`, as graphql-sse has it:
# the subscriber gets the event, and once more at the end. A list that grows by each result has the last one twice. Where
# the connection ends without `complete`, the same comes: no error, and urql does not subscribe again.
#
# Needs Node 20 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @urql/core@6.0.3 graphql@16.15.0

cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Client, fetchExchange, gql } from '@urql/core';

const requests = { '/complete': 0, '/broken': 0 };
const server = createServer(async (request, response) => {
  requests[request.url]++;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: next\ndata: {"data":{"n":1}}\n\n');
  await setTimeout(50);
  response.end(request.url === '/complete' ? 'event: complete\ndata:\n\n' : '');
}).listen(0);
await once(server, 'listening');
for (const path of Object.keys(requests)) {
  const url = `http://localhost:${server.address().port}${path}`;
  const client = new Client({ url, exchanges: [fetchExchange], fetchSubscriptions: true });
  const seen = [];
  const results = client.subscription(gql`subscription { n }`, {});
  results.subscribe(({ data, error, hasNext }) => seen.push([data.n, error ?? null, hasNext]));
  await setTimeout(1500);
  console.log(path, JSON.stringify(seen), 'requests:', requests[path]);
}
process.exit();
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
/complete [[1,null,true],[1,null,false]] requests: 1
/broken [[1,null,true],[1,null,false]] requests: 1
TXT
diff -u expected.txt actual.txt && echo "as stated"
