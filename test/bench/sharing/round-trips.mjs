import { setImmediate } from 'node:timers/promises';
import {
  capability,
  createServer,
  silentLogger,
  toFetchHandler,
  withCache,
  withIdempotency,
  withRateLimit,
} from '../../../dist/server-runtime/index.js';
import { redisStore } from '../../../dist/server-runtime/stores/redis-store.js';
import { toText } from '../table.mjs';

const hour = 3_600_000;
const CALLS = 200;

/** The questions that a call asks the store, and what is waited for: `[{name, questions, inTurn}]`. */
export async function measureRoundTrips(url) {
  const count = { questions: 0, turns: 0, open: 0 };
  const store = toCounting(redisStore(url), count);
  const query = capability(() => 'ok', 'query');
  const change = capability(() => 'ok', 'mutation');
  let key = 0;
  let page = 0;
  const cases = [
    [
      'withRateLimit',
      query.enhance(withRateLimit({ limit: 1e9, windowMs: hour, by: 'address' })),
      () => ({}),
    ],
    ['withCache, answer in the store', query.enhance(withCache({ ttlMs: hour })), () => ({})],
    [
      'withCache, answer in the store, 2 tags',
      query.enhance(withCache({ ttlMs: hour, tags: () => ['a', 'b'] })),
      () => ({}),
    ],
    [
      'withCache, no answer',
      query.enhance(withCache({ ttlMs: hour, key: () => String(page++) })),
      () => ({}),
    ],
    ['withIdempotency, no key', change.enhance(withIdempotency()), () => ({})],
    [
      'withIdempotency, first call',
      change.enhance(withIdempotency()),
      () => ({ 'idempotency-key': `"${key++}"` }),
    ],
    [
      'withIdempotency, same key again',
      change.enhance(withIdempotency()),
      () => ({ 'idempotency-key': '"same"' }),
    ],
  ];
  const rows = [];
  for (const [name, made, toHeaders] of cases) {
    const answer = toFetchHandler(
      createServer({ capabilities: { a: { run: made } }, store, logger: silentLogger }),
    );
    const method = name.startsWith('withIdempotency') ? 'POST' : 'GET';
    const call = async () => {
      const body = method === 'POST' ? { body: '{}' } : {};
      const headers = { 'content-type': 'application/json', ...toHeaders() };
      const response = await answer(
        new Request('http://localhost/a/run', { method, headers, ...body }),
      );
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      await response.text();
    };
    await call();
    // What a call leaves to be done after its answer is not counted with the next ones.
    while (count.open > 0) await setImmediate();
    Object.assign(count, { questions: 0, turns: 0 });
    const startedAt = performance.now();
    for (let n = 0; n < CALLS; n++) await call();
    const tookMs = (performance.now() - startedAt) / CALLS;
    rows.push({ name, questions: count.questions / CALLS, inTurn: count.turns / CALLS, tookMs });
  }
  await store.stop();
  return rows;
}

/** A question that is asked while another one is open is waited for together with it. */
function toCounting(store, count) {
  const counted =
    (ask) =>
    async (...given) => {
      count.questions++;
      if (count.open++ === 0) count.turns++;
      try {
        return await ask(...given);
      } finally {
        count.open--;
      }
    };
  const { name, stop, topics, ...asks } = store;
  return {
    name,
    stop,
    topics,
    ...Object.fromEntries(Object.entries(asks).map(([method, ask]) => [method, counted(ask)])),
  };
}

export function toRoundTripsText(rows) {
  return toText(
    ['', 'questions a call', 'one after the other', 'ms a call'],
    rows.map(({ name, questions, inTurn, tookMs }) => [
      name,
      questions.toFixed(1),
      inTurn.toFixed(1),
      tookMs.toFixed(2),
    ]),
  );
}
