import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RequestPacker, unpackRequests } from '../../../source/record/packed-requests.ts';
import type { RequestRecord } from '../../../source/record/request-record.ts';

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const request: fc.Arbitrary<RequestRecord> = fc.record({
  id: fc.nat(),
  at: fc.nat({ max: 2_000_000_000_000 }),
  method: fc.constantFrom('GET', 'POST'),
  url: fc.string(),
  capability: optional(fc.string()),
  status: fc.integer({ min: 0, max: 599 }),
  durationMs: fc.nat({ max: 60_000_000 }).map((us) => us / 1000),
  bytes: optional(fc.nat()),
  requestId: optional(fc.string()),
  details: optional(
    fc.record({
      headers: fc.array(fc.tuple(fc.string(), fc.string())),
      hasRun: fc.boolean(),
      guards: fc.constant([]),
      logs: fc.constant([]),
    }),
  ),
});

it('gives the requests that were packed, in their order, after they travelled as JSON', () => {
  fc.assert(
    fc.property(fc.array(request), (requests) => {
      const packer = new RequestPacker();
      for (const each of requests) packer.add(each);
      const travelled = JSON.parse(JSON.stringify(packer.take())) as ReturnType<RequestPacker['take']>;
      expect(unpackRequests(travelled)).toEqual(requests);
      expect(packer.isEmpty).toBe(true);
    }),
  );
});
