import { expect, it } from 'vitest';
import * as z from 'zod';
import { createClient } from '../../../../server-runtime/client/index.ts';
import {
  capability,
  compileRegistry,
  createServer,
  defaultErrors,
  toFetchHandler,
  withIdempotency,
} from '../../../../server-runtime/index.ts';
import { describeApi } from '../../../../source/manifest/describe-api.ts';
import { toDocsText } from '../../../../source/written/docs/docs-text.ts';
import { openGeneratedClient } from '../../../helpers/generated-client.ts';
import { tryAgain } from '../../../helpers/try-again.ts';

/** Payments that end in 503 so many times before they are made; each gives its number. */
function payments({ refusals = 0 } = {}) {
  let made = 0;
  let asked = 0;
  const pay = capability(z.object({ sum: z.number() }), ({ sum }) => {
    if (++asked <= refusals)
      throw defaultErrors.ServiceUnavailable('Busy', { retryAfterSeconds: 0 });
    return { sum, number: ++made };
  });
  const once = pay.enhance(withIdempotency({ required: true }));
  return {
    payments: {
      createPayment: once,
      changePayment: pay.route('PATCH', '/payments').enhance(withIdempotency()),
      getPayments: capability(() => made).enhance(withIdempotency()),
      saveDraft: pay,
    },
  };
}

/** A fetch that remembers the keys that it was given, and loses the answers that it is told to. */
function recordingFetch(losses = 0) {
  const keys: (string | null)[] = [];
  let left = losses;
  const ask = async (input: string | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    keys.push(request.headers.get('idempotency-key'));
    const response = await fetch(request);
    if (left-- > 0) throw new TypeError('the connection was lost');
    return response;
  };
  return { keys, ask };
}

it('the generated client sends one key with all attempts of a call, and runs it once', async () => {
  const { exported, url } = await openGeneratedClient(payments({ refusals: 1 }));
  const { keys, ask } = recordingFetch(2);
  const api = exported.createClient({ baseUrl: url, fetch: ask, intercept: [tryAgain(3)] });
  expect(await api['payments']?.['createPayment']?.({ sum: 5 })).toEqual({ sum: 5, number: 1 });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^"[\da-f]{32}"$/);
  await api['payments']?.['createPayment']?.({ sum: 5 });
  await api['payments']?.['changePayment']?.({ sum: 5 });
  expect(new Set(keys).size).toBe(3);
});

it('a key that the caller gives is sent as it is, and calls that take none have none', async () => {
  const { exported, url } = await openGeneratedClient(payments());
  const { keys, ask } = recordingFetch();
  const { payments: api } = exported.createClient({ baseUrl: url, fetch: ask });
  const own = { headers: { 'idempotency-key': '"order-7"' } };
  const first = await api?.['createPayment']?.({ sum: 5 }, own);
  expect(await api?.['createPayment']?.({ sum: 5 }, own)).toEqual(first);
  await api?.['getPayments']?.();
  await api?.['saveDraft']?.({ sum: 5 });
  expect(keys).toEqual(['"order-7"', '"order-7"', null, null]);
});

it('the client that is inferred sends the key that it is given, from pages of other origins as well', async () => {
  const capabilities = payments({ refusals: 1 });
  const rest = { calls: true };
  const answer = toFetchHandler(createServer({ capabilities }), rest);
  const keys: (string | null)[] = [];
  const ask: typeof fetch = (input, init) => {
    const request = new Request(input as string, init);
    keys.push(request.headers.get('idempotency-key'));
    return answer(request);
  };
  const api = createClient<typeof capabilities>({
    baseUrl: 'http://any',
    fetch: ask,
    intercept: [tryAgain(2)],
  });
  expect(await api.payments.createPayment({ sum: 5 }, { idempotencyKey: 'order-7' })).toEqual({
    sum: 5,
    number: 1,
  });
  expect(keys).toEqual(['"order-7"', '"order-7"']);

  const plain = { drafts: { createDraft: capability(() => 1) } };
  const allowedBy = async (options: object): Promise<string | null> => {
    const asked = { method: 'OPTIONS', headers: { origin: 'https://app.example' } };
    const response = await toFetchHandler(
      createServer({ capabilities: plain }),
      options,
    )(new Request('http://any/x', asked));
    return response.headers.get('access-control-allow-headers');
  };
  expect(await allowedBy(rest)).toBe('Content-Type, Authorization, Idempotency-Key');
  expect(await allowedBy({})).toBe('Content-Type, Authorization');
});

it('the document and its pages have the header where it is taken, and the inputs of the client have not', async () => {
  const { document, source } = await openGeneratedClient(payments());
  const keyOf = (path: string, method: 'get' | 'post' | 'patch') =>
    document.paths[path]?.[method]?.parameters?.map(({ name, in: place, required }) => ({
      name,
      place,
      required,
    }));
  expect(keyOf('/payments', 'post')).toEqual([
    { name: 'Idempotency-Key', place: 'header', required: true },
  ]);
  expect(keyOf('/payments', 'patch')).toEqual([
    { name: 'Idempotency-Key', place: 'header', required: undefined },
  ]);
  expect(keyOf('/payments', 'get')).toBeUndefined();
  expect(keyOf('/payments/save-draft', 'post')).toBeUndefined();
  expect(source).not.toContain('Idempotency-Key:');

  const registry = compileRegistry(payments());
  const text = toDocsText(describeApi({ registry, restOptions: {} }).document, registry.operations);
  expect(text.match(/^\| `Idempotency-Key` \| header \| `string` \| (yes|no) \|/gm)).toHaveLength(
    2,
  );
  expect(text).toContain(
    `-H 'idempotency-key: "8e03978e-40d5-43dd-bc93-6894a57f9324"' -H 'content-type: application/json' -d '{"sum":`,
  );
});
