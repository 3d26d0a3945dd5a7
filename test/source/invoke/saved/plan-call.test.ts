import { describe, expect, it } from 'vitest';
import { createSecretCheck } from '../../../../server-runtime/schema/secret-names.ts';
import {
  findKeepProblem,
  type MadeCall,
  type PlannedCall,
  planCall,
  toAloneText,
  toMadeCall,
  toPlannedText,
} from '../../../../source/invoke/saved/plan-call.ts';
import { MASK } from '../../../../source/record/preview.ts';
import type { RequestDetails, RequestRecord } from '../../../../source/record/request-record.ts';
import { toMade } from '../../../helpers/made-call.ts';

const toCall = (part: Partial<MadeCall>): MadeCall => toMade({ key: 'orders.getOrder', ...part });

/** Plans the last call, with every call that it may need. */
const plan = (made: readonly MadeCall[], isWanted = async () => true): Promise<PlannedCall> =>
  planCall(made.at(-1) ?? toCall({}), {
    made,
    toName: ({ key }) => key.split('.').at(-1) ?? key,
    isWanted,
  });

const toFile = async (made: readonly MadeCall[], isWanted?: () => Promise<boolean>) =>
  JSON.parse(toPlannedText(await plan(made, isWanted))) as Record<string, unknown>;

const create = toCall({
  key: 'orders.createOrder',
  input: { customer: 'Ada', count: 7 },
  body: { data: { id: '12', lines: [{ id: 7 }], customer: 'Ada' } },
  changes: true,
});

describe('a kept call', () => {
  it('takes a value from the answer that has made it, and expects it in its own', async () => {
    const get = toCall({ input: { orderId: '12' }, body: { data: { id: '12', state: 'new' } } });
    expect(await toFile([create, get])).toEqual({
      call: 'orders.getOrder',
      input: { orderId: '{{createOrder.id}}' },
      expect: {
        status: 200,
        body: { data: { id: '{{createOrder.id}}', state: 'new' } },
      },
    });
    const { needs } = await plan([create, get]);
    expect(needs.map(({ call }) => call)).toEqual([create]);
  });

  it('finds no value that the earlier call got itself, that is of another kind, or that came later', async () => {
    for (const input of [{ customer: 'Ada' }, { state: '12' }, { lineId: 7 }])
      expect(await toFile([create, toCall({ input })])).toMatchObject({ input });
    const get = toCall({ input: { id: '12' } });
    expect(
      JSON.parse(toPlannedText(await planCall(get, { ...options, made: [get, create] }))),
    ).toMatchObject({
      input: { id: '12' },
    });
  });

  it('reaches into lists, and finds a long text under any name', async () => {
    const list = toCall({
      key: 'orders.listOrders',
      body: { data: [{ key: 'order-long-name' }, { key: 'another-long-name' }] },
    });
    expect(await toFile([list, toCall({ input: { of: ['another-long-name'] } })])).toMatchObject({
      input: { of: ['{{listOrders[1].key}}'] },
    });
  });

  it('writes the value itself where the user wants that', async () => {
    const get = toCall({ input: { id: '12' } });
    expect(await toFile([create, get], async () => false)).toMatchObject({ input: { id: '12' } });
  });

  it('leaves out what differs between two recordings of the same call, and lists of another length', async () => {
    const first = toCall({ body: { data: { at: 'Monday', of: [1], state: 'new', seen: 1 } } });
    const second = toCall({ body: { data: { at: 'Friday', of: [1, 2], state: 'new', seen: 2 } } });
    const other = toCall({ input: { id: '1' }, body: { data: { state: 'old' } } });
    expect(await toFile([first, other, second])).toMatchObject({
      expect: { body: { data: { state: 'new' } } },
    });
    expect(JSON.stringify(await toFile([first, other, second]))).not.toMatch(/"at"|"of"|"seen"/);
  });

  it('leaves out times, random ids and ids that it has made, but expects what it was sent', () => {
    const at = '2026-11-29T20:00:00.000Z';
    const uuid = '0b5a2d34-6f8a-4f0f-9f0c-0a4f6d1b2c3d';
    const text = toAloneText({
      environment: 'staging',
      ...toCall({
        input: { from: at },
        body: {
          data: {
            from: at,
            to: '2026-11-30T20:00:00.000Z',
            uuid,
            id: 3,
            ms: 1_780_000_000_000,
            n: 4,
          },
        },
        changes: true,
      }),
    });
    expect(JSON.parse(text)).toEqual({
      call: 'orders.getOrder',
      input: { from: at },
      environment: 'staging',
      expect: { status: 200, body: { data: { from: at, n: 4 } } },
    });
  });

  it('has no secret: of headers, of fields, and of those that the capability declares', async () => {
    const call = toCall({
      input: { password: MASK, pin: MASK },
      headers: { authorization: 'Bearer abc', cookie: 'sid=abc' },
      body: { data: { token: 'topsecret', password: null, pin: MASK, name: 'Ada' } },
      isSecret: createSecretCheck(['pin']),
    });
    expect(await toFile([call])).toEqual({
      call: 'orders.getOrder',
      input: { password: '${PASSWORD}', pin: '${PIN}' },
      headers: { authorization: 'Bearer ${AUTHORIZATION}', cookie: '${COOKIE}' },
      expect: { status: 200, body: { data: { name: 'Ada' } } },
    });
  });
});

const options = { toName: ({ key }: MadeCall) => key, isWanted: async () => true };

const details: RequestDetails = {
  headers: [],
  answerHeaders: [],
  hasRun: true,
  guards: [],
  logs: [],
};

const toRequest = (part: Partial<RequestRecord>): RequestRecord => ({
  id: '1',
  at: 0,
  method: 'POST',
  url: '/orders',
  capability: 'orders.createOrder',
  status: 200,
  durationMs: 1,
  details,
  ...part,
});

describe('a recorded request', () => {
  it('is a call with the input that was sent, without the headers of its way', () => {
    const made = toMadeCall(
      toRequest({
        details: {
          ...details,
          headers: [
            ['Host', 'localhost'],
            ['User-Agent', 'curl'],
            ['Content-Type', 'application/json'],
            ['If-None-Match', '"1"'],
            ['Sec-Fetch-Mode', 'cors'],
            ['X-Tenant', 'a'],
          ],
          sent: { at: 'today' },
          input: { at: 5 },
          answer: { id: '1' },
        },
      }),
    );
    expect(made).toMatchObject({
      key: 'orders.createOrder',
      input: { at: 'today' },
      headers: { 'x-tenant': 'a' },
      body: { data: { id: '1' } },
      changes: true,
    });
  });

  it('expects the name of a failure, and nothing of one that nobody foresaw', () => {
    const error = { name: 'NotFound', message: 'There is no order 7' };
    const failed = { ...details, error };
    expect(toMadeCall(toRequest({ status: 404, details: failed })).body).toEqual({
      error: 'NotFound',
    });
    expect(toMadeCall(toRequest({ status: 500, details: failed })).body).toBeUndefined();
  });

  it('says why it cannot be made again', () => {
    expect(findKeepProblem(toRequest({ details: { ...details, input: { password: MASK } } }))).toBe(
      undefined,
    );
    const refused = { ...details, guards: [{ name: 'mustBeUser', rejection: 'no' }] };
    for (const [request, reason] of [
      [{ capability: undefined }, 'No capability'],
      [{ method: 'JOB' }, 'a job'],
      [{ details: undefined }, 'were not kept'],
      [{ status: 0 }, 'no answer'],
      [{ details: refused }, 'A guard refused it'],
      [{ details: { ...details, input: { photo: '<12 bytes>' } } }, 'A part of its input'],
      [{ details: { ...details, input: { text: 'a… (900 characters)' } } }, 'A part of its input'],
    ] as const)
      expect(findKeepProblem(toRequest(request))).toContain(reason);
  });
});
