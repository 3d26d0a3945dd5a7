import { expect, it } from 'vitest';
import { capability, defineError } from '../../server-runtime/index.ts';
import { ask } from '../helpers/ask.ts';
import { describeOverSockets } from '../helpers/every-door.ts';

const Gone = defineError(410, 'ItemGone');

describeOverSockets('error factory', () => {
  it('made by defineError yields an error that can be thrown', () => {
    const error = Gone('It left');
    expect(error).toBeInstanceOf(Error);
    expect(error.stack).toContain('error-factory.test.ts');
    expect(error).toMatchObject({ name: 'ItemGone', message: 'It left' });
  });

  it('has the HTTP status as its first argument and the name as its second', async () => {
    const getItem = capability(() => {
      throw Gone();
    });
    expect(await ask({ capabilities: { items: { getItem } } }, 'GET /items')).toMatchObject({
      status: 410,
      body: { error: 'ItemGone' },
    });
  });
});
