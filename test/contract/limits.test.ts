import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  toFetchHandler,
  uploadedFile,
  withTimeout,
} from '../../server-runtime/index.ts';
import { ask, formBody } from '../helpers/ask.ts';
import { describeOverSockets, itOverHttp } from '../helpers/every-door.ts';

const never = () => new Promise<never>(() => {});
const file = (text: string, type = 'text/plain') => new File([text], 'a.txt', { type });
const createFile = capability(
  z.object({ file: uploadedFile().optional(), files: z.array(uploadedFile()).optional() }),
  () => 'taken',
);
const capabilities = { files: { createFile } };

describeOverSockets('limits', () => {
  itOverHttp('a request may take 30 seconds by default, then it is 504 Timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const fetchHandler = toFetchHandler(
      createServer({ capabilities: { jobs: { listJobs: capability(never) } } }),
    );
    let response: Response | undefined;
    const answered = fetchHandler(new Request('http://localhost/jobs')).then(
      (value) => (response = value),
    );
    await vi.advanceTimersByTimeAsync(29_999);
    expect(response).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await answered;
    expect([response?.status, await response?.json()]).toEqual([
      504,
      { error: 'Timeout', message: 'Timeout after 30 seconds' },
    ]);
  });

  it('withTimeout sets another for one capability', async () => {
    const jobs = { listJobs: capability(never).enhance(withTimeout(20)) };
    expect(await ask({ capabilities: { jobs } }, 'GET /jobs')).toMatchObject({
      status: 504,
      body: { error: 'Timeout' },
    });
  });

  itOverHttp('multipart.maxFileSize is in bytes, for each file', async () => {
    const options = { capabilities, rest: { multipart: { maxFileSize: 4 } } };
    expect(
      (
        await ask(
          options,
          'POST /files',
          formBody(['files', file('1234')], ['files', file('1234')]),
        )
      ).status,
    ).toBe(200);
    expect(await ask(options, 'POST /files', formBody(['file', file('12345')]))).toMatchObject({
      status: 413,
      body: { error: 'PayloadTooLarge', meta: { field: 'file', limit: 4 } },
    });
  });

  itOverHttp('multipart.maxFiles is the number of files in a request', async () => {
    const options = { capabilities, rest: { multipart: { maxFiles: 1 } } };
    expect((await ask(options, 'POST /files', formBody(['files', file('1')]))).status).toBe(200);
    expect(
      await ask(options, 'POST /files', formBody(['files', file('1')], ['files', file('2')])),
    ).toMatchObject({
      status: 413,
      body: { error: 'PayloadTooLarge', meta: { limit: 1 } },
    });
  });

  itOverHttp(
    'multipart.allowedMimeTypes is the list of media types that files may have',
    async () => {
      const options = { capabilities, rest: { multipart: { allowedMimeTypes: ['image/png'] } } };
      expect(
        (await ask(options, 'POST /files', formBody(['file', file('1', 'image/png')]))).status,
      ).toBe(200);
      expect(await ask(options, 'POST /files', formBody(['file', file('1')]))).toMatchObject({
        status: 415,
        body: { error: 'UnsupportedMediaType', meta: { field: 'file', limit: ['image/png'] } },
      });
    },
  );
});
