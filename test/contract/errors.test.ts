import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability, defineError, defineGuard } from '../../server-runtime/index.ts';
import { ask, jsonBody } from '../helpers/ask.ts';
import { describeOverSockets } from '../helpers/every-door.ts';

const Full = defineError(507, 'StorageFull');
const fail = (): never => {
  throw Full('No room');
};
const answer = { status: 507, body: { error: 'StorageFull', message: 'No room' } };

describeOverSockets('errors', () => {
  it('of a factory, thrown by a handler, have its status and the envelope {error, message}', async () => {
    expect(
      await ask({ capabilities: { files: { listFiles: capability(fail) } } }, 'GET /files'),
    ).toMatchObject(answer);
  });

  it('of a factory, thrown by a guard, have its status and the envelope {error, message}', async () => {
    const listFiles = capability(() => []).guard(defineGuard(fail));
    expect(await ask({ capabilities: { files: { listFiles } } }, 'GET /files')).toMatchObject(
      answer,
    );
  });

  it('of a handler that exceeds the timeout are 504 Timeout, in the same envelope', async () => {
    const listFiles = capability(() => new Promise(() => {}));
    expect(
      await ask({ capabilities: { files: { listFiles } }, timeoutMs: 20 }, 'GET /files'),
    ).toMatchObject({
      status: 504,
      body: { error: 'Timeout', message: expect.any(String) },
    });
  });

  it('of a guard that throws Unauthorized are 401', async () => {
    const Unauthorized = defineError(401, 'Unauthorized');
    const listFiles = capability(() => []).guard(
      defineGuard(() => {
        throw Unauthorized();
      }),
    );
    expect(await ask({ capabilities: { files: { listFiles } } }, 'GET /files')).toMatchObject({
      status: 401,
      body: { error: 'Unauthorized', message: 'Unauthorized' },
    });
  });

  it('of input that fails validation report the original values', async () => {
    const createFile = capability(
      z.object({ size: z.number(), name: z.string().min(3) }),
      () => null,
    );
    const { body } = await ask(
      { capabilities: { files: { createFile } } },
      'POST /files',
      jsonBody({ size: '12kb', name: 'ab' }),
    );
    expect(body).toMatchObject({
      error: 'BadRequest',
      meta: {
        fields: [
          { path: 'size', received: '12kb' },
          { path: 'name', received: 'ab' },
        ],
      },
    });
  });
});
