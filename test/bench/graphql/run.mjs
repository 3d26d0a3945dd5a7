/**
 * Compares `graphqlTransport` with yoga and mercurius whose resolvers were written by hand, with the same request over
 * REST, and with pothos and its dataloader on mercurius: the CPU of a request, as ratios within rounds. Then what the
 * import and the schema cost. `npm ci --prefix test/bench && npm run build && node test/bench/graphql/run.mjs [rounds]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import process from 'node:process';
import { sendLoad } from '../load.mjs';

const rounds = Number(process.argv[2] ?? 5);
const authorization = 'Bearer 1';

const toPost = (query, variables) => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
});
const one = toPost('query ($id: ID!) { getUser(id: $id) { id name } }', { id: '7' });
const list = toPost('{ listPosts { id title author { id name } } }');

/** What is sent to each server, and how often. */
const scenarios = {
  one: {
    count: 8000,
    requests: {
      capix: one,
      yoga: one,
      mercurius: one,
      rest: { method: 'GET', path: '/users/find-user?id=7' },
    },
  },
  list: { count: 600, requests: { capix: list, pothos: list } },
};

function toBytes({ method, path, body = '' }) {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: ${authorization}`,
    'accept: application/json',
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

async function start(kind) {
  const child = fork(new URL('server.mjs', import.meta.url), [kind]);
  const [message] = await once(child, 'message');
  return { child, ...message };
}

async function measure(kind, request, count) {
  const { child, port } = await start(kind);
  const { method, path, body } = request;
  const init = { method, body, headers: { authorization, 'content-type': 'application/json' } };
  const answer = await (await fetch(`http://127.0.0.1:${port}${path}`, init)).json();
  if (answer.errors || !JSON.stringify(answer).includes('Ada'))
    throw new Error(`${kind}: ${JSON.stringify(answer)}`);
  const requests = [toBytes(request)];
  await sendLoad({ port, requests, status: 200, count: count / 2 });
  child.send('begin');
  await sendLoad({ port, requests, status: 200, count });
  child.send('end');
  const [{ cpuUs }] = await once(child, 'message');
  child.kill();
  return cpuUs / count;
}

function toMedian(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function write(line) {
  process.stdout.write(`${line}\n`);
}

write(`Node ${process.version}, a load of ${loadavg()[0].toFixed(1)} at the start`);
for (const [name, { count, requests }] of Object.entries(scenarios)) {
  const found = Object.fromEntries(Object.keys(requests).map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++)
    for (const [kind, request] of Object.entries(requests))
      found[kind].push(await measure(kind, request, count));
  const { capix, ...others } = found;
  write(`${name}: capix ${toMedian(capix).toFixed(0)} µs, best ${Math.min(...capix).toFixed(0)}`);
  for (const [kind, all] of Object.entries(others)) {
    const ratios = capix.map((own, round) => own / all[round]);
    const best = Math.min(...capix) / Math.min(...all);
    write(
      `  ${toMedian(ratios).toFixed(2)} of ${kind}, best rounds ${best.toFixed(2)} (${Math.min(...all).toFixed(0)} µs)`,
    );
  }
}
for (const [kind, what] of [
  ['import', 'import and start'],
  ['graphql', 'import of graphql alone'],
  ['schema', 'schema, a capability'],
  ['zod', 'its JSON Schemas by zod, a capability'],
]) {
  const all = [];
  for (let round = 0; round < rounds; round++) {
    const { child, ms } = await start(kind);
    child.kill();
    all.push(ms);
  }
  write(`${what}: ${toMedian(all).toFixed(2)} ms of CPU, best ${Math.min(...all).toFixed(2)}`);
}
write(`a load of ${loadavg()[0].toFixed(1)} at the end`);
