#!/usr/bin/env bash
# Node 20.20.2: a child that has sent a socket over its IPC channel gets no event `disconnect` where its parent ends before
# it has acknowledged the socket. `process.connected` is false all the same. Expected: `disconnect`, as without a socket.
# Seen: "with a socket: connected false, disconnect false" and "without: connected false, disconnect true".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/parent.mjs" <<'JS'
import { fork } from 'node:child_process';
fork(new URL('child.mjs', import.meta.url), [process.argv[2]]);
// It never reads the channel, and ends with a signal meanwhile.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1);
const end = Date.now() + 1500;
while (Date.now() < end);
JS
cat > "$folder/child.mjs" <<'JS'
import { createServer } from 'node:net';
let hasHeard = false;
process.once('disconnect', () => (hasHeard = true));
const server = createServer().listen(0, () => {
  if (process.argv[2] === 'with') process.send('a socket', server);
});
setTimeout(() => {
  console.log(`connected ${process.connected}, disconnect ${hasHeard}`);
  process.exit();
}, 4000);
JS
node --version
with=$(node "$folder/parent.mjs" with 2>/dev/null | cat) || true
without=$(node "$folder/parent.mjs" without 2>/dev/null | cat) || true
echo "with a socket: $with"
echo "without: $without"
[ "$with" = 'connected false, disconnect false' ] && [ "$without" = 'connected false, disconnect true' ]
