import { expect, it } from 'vitest';
import {
  capability,
  createServer,
  defineError,
  silentLogger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';

class UniqueViolation extends Error {}
const Taken = defineError(409, 'Taken');
const fail = (error: unknown) =>
  capability(async () => {
    throw error;
  }, 'query').errors(Taken);

const items = {
  getUnique: fail(new UniqueViolation('duplicate key')),
  getOther: fail(new TypeError('other')),
  getOwn: fail(Taken('by hand')),
  getBad: fail(new RangeError('mapError fails')),
};
const logged: unknown[] = [];
const server = createServer({
  capabilities: { items },
  logger: { ...silentLogger, error: (_message, details) => void logged.push(details?.['error']) },
  mapError: (error) => {
    if (error instanceof RangeError) throw new Error('a fault of mapError');
    return error instanceof UniqueViolation
      ? Taken('has already been taken', undefined, { cause: error })
      : undefined;
  },
});

it.each([
  ['unique', 409, { error: 'Taken', message: 'has already been taken' }],
  ['other', 500, { error: 'Internal', message: 'Internal server error' }],
  ['own', 409, { error: 'Taken', message: 'by hand' }],
  ['bad', 500, { error: 'Internal', message: 'Internal server error' }],
])('what the code throws is mapped: %s', async (path, status, body) => {
  const response = await toFetchHandler(server)(new Request(`http://any/items/${path}`));
  expect([response.status, await response.json()]).toEqual([status, body]);
});

it('a fault of mapError is in the log, beside the error that it was asked about', async () => {
  logged.length = 0;
  await toFetchHandler(server)(new Request('http://any/items/bad'));
  const errors = [new RangeError('mapError fails'), new Error('a fault of mapError')];
  expect(logged).toEqual([expect.objectContaining({ errors })]);
});

it('an error is the same one for who calls in this process', async () => {
  await expect(server.invoke({ capability: 'items.getUnique' })).rejects.toMatchObject({
    status: 409,
    cause: expect.any(UniqueViolation),
  });
});
