import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  createServer,
  defaultErrors,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { callHere } from '../../../source/invoke/call-here.ts';

it('a job that a called capability enqueues is added when the call has succeeded', async () => {
  const ran: string[] = [];
  const send = capability(z.object({ to: z.string() }), ({ to }): void => void ran.push(to));
  const jobs = queueTransport({ capabilities: { mails: { send } } });
  const server = createServer({ transports: [jobs], logger: silentLogger });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  await server.start();
  const users = {
    signUp: capability(z.object({ email: z.string() }), async ({ email }) => {
      await jobs.enqueue('mails.send', { to: email });
      if (email === 'taken') throw defaultErrors.Conflict();
      return email;
    }),
  };
  const loaded = {
    kind: 'loaded',
    project: { root: '/', name: 'shop', entryFile: '/shop.ts' },
    registry: compileRegistry({ users }),
    restOptions: {},
    files: [],
  } as const;
  const call = (email: string) =>
    callHere(loaded, {
      key: 'users.signUp',
      input: { json: { email }, files: {} },
      headers: {},
    });
  expect((await call('taken')).status).toBe(409);
  expect((await call('ada')).status).toBe(200);
  await expect.poll(() => ran).toEqual(['ada']);
});
