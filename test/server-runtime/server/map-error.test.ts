import { expect, it } from 'vitest';
import { capability, createServer, defineError } from '../../../server-runtime/index.ts';
import { describeThroughEveryDoor } from '../../helpers/every-door.ts';
import type { StartRestOptions } from '../../helpers/start-rest.ts';

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
const options: StartRestOptions = {
  capabilities: { items },
  mapError: (error) => {
    if (error instanceof RangeError) throw new Error('a fault of mapError');
    return error instanceof UniqueViolation
      ? Taken('has already been taken', undefined, { cause: error })
      : undefined;
  },
};

describeThroughEveryDoor('what the code throws', (start) => {
  it.each([
    ['unique', 409, { error: 'Taken', message: 'has already been taken' }],
    ['other', 500, { error: 'Internal', message: 'Internal server error' }],
    ['own', 409, { error: 'Taken', message: 'by hand' }],
    ['bad', 500, { error: 'Internal', message: 'Internal server error' }],
  ])('is mapped: %s', async (path, status, body) => {
    const { request } = await start(options);
    const response = await request(`/items/${path}`);
    expect([response.status, await response.json()]).toEqual([status, body]);
  });

  it('is in the log beside a fault of mapError', async () => {
    const { request, log } = await start(options);
    await request('/items/bad');
    const errors = [new RangeError('mapError fails'), new Error('a fault of mapError')];
    expect(log.errors).toMatchObject([{ error: { errors } }]);
  });
});

it('an error is the same one for who calls in this process', async () => {
  await expect(
    createServer(options).invoke({ capability: 'items.getUnique' }),
  ).rejects.toMatchObject({
    status: 409,
    cause: expect.any(UniqueViolation),
  });
});
