import { expect, it } from 'vitest';
import { capability, defaultErrors } from '../../server-runtime/index.ts';
import { ask } from '../helpers/ask.ts';
import { describeOverSockets } from '../helpers/every-door.ts';

describeOverSockets('response envelope', () => {
  it('of a success is {data}, and nothing else', async () => {
    const listItems = capability(() => [1]);
    expect((await ask({ capabilities: { items: { listItems } } }, 'GET /items')).body).toEqual({
      data: [1],
    });
  });

  it('of an error is {error, message}, both strings', async () => {
    const listItems = capability(() => {
      throw defaultErrors.Conflict('Taken');
    });
    expect((await ask({ capabilities: { items: { listItems } } }, 'GET /items')).body).toEqual({
      error: 'Conflict',
      message: 'Taken',
    });
  });
});
