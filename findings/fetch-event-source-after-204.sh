#!/usr/bin/env bash
# fetch-event-source: 204, which ends every other EventSource, makes it connect again for ever
#
# @microsoft/fetch-event-source 2.0.1. A server ends a stream of events for good by the status 204, at which
# a client must not connect again. This client misses the content type of an empty response, calls that an
# error, and tries again. eventsource 4.1.1 and eventsource-client 1.2.0 stop.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @microsoft/fetch-event-source@2.0.1 eventsource@4.1.1 eventsource-client@1.2.0

cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fetchEventSource } from '@microsoft/fetch-event-source';
import { EventSource } from 'eventsource';
import { createEventSource } from 'eventsource-client';

// It was written for pages.
globalThis.window = globalThis;
globalThis.document = { hidden: false, addEventListener() {}, removeEventListener() {} };

/** One event and its end; 204 for who has that event. Stops at the fifth request. */
async function count(connect) {
  let requests = 0;
  const { promise: fifth, resolve } = Promise.withResolvers?.() ?? withResolvers();
  const server = createServer((request, response) => {
    requests += 1;
    if (requests === 5) resolve('connects again');
    if (request.headers['last-event-id'] === '1') return response.writeHead(204).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('retry: 10\nid: 1\ndata: a\n\n');
  }).listen(0);
  await once(server, 'listening');
  const stopped = new Promise((done) => setTimeout(done, 3000, 'stops'));
  const close = connect(`http://localhost:${server.address().port}`);
  const outcome = await Promise.race([fifth, stopped]);
  close();
  server.close();
  return outcome === 'stops' ? `stops after ${requests} requests` : outcome;
}
function withResolvers() {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
console.log('eventsource', await count((url) => {
  const source = new EventSource(url);
  return () => source.close();
}));
console.log('eventsource-client', await count((url) => {
  const source = createEventSource({ url });
  return () => source.close();
}));
console.log('fetch-event-source', await count((url) => {
  const leave = new AbortController();
  let isEnded = false;
  // As its page says: whoever wants to go on after the end of a stream throws in `onclose`.
  fetchEventSource(url, {
    signal: leave.signal,
    onclose() {
      if (isEnded) return;
      isEnded = true;
      throw new Error('connect again');
    },
  });
  return () => leave.abort();
}));
process.exit();
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
eventsource stops after 2 requests
eventsource-client stops after 2 requests
fetch-event-source connects again
TXT
diff -u expected.txt actual.txt && echo "as stated"
