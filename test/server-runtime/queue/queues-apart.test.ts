import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  type BaseContext,
  capability,
  createServer,
  defaultErrors,
  type GroupTree,
  silentLogger,
  type Transport,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';

/** A queue in memory whose jobs note to whom they were sent. */
function makeQueue() {
  const ran: string[] = [];
  const send = capability(z.object({ to: z.string() }), ({ to }): void => void ran.push(to));
  return { ran, jobs: queueTransport({ capabilities: { mails: { send } } }) };
}

function makeServer(
  capabilities: GroupTree,
  transports: readonly Transport<string, BaseContext>[] = [],
) {
  const server = createServer({ capabilities, transports, logger: silentLogger });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return server;
}

it('a queue follows the calls of its servers only: another server has no idea of it', async () => {
  const { ran, jobs } = makeQueue();
  const pay = capability(async () => {
    await jobs.enqueue('mails.send', { to: 'ada' });
    throw defaultErrors.Conflict();
  });
  const own = makeServer({ pay }, [jobs]);
  const other = makeServer({ pay });
  await own.start();
  await expect(own.invoke({ capability: 'pay' })).rejects.toThrow('Conflict');
  expect(ran).toEqual([]);
  await expect(other.invoke({ capability: 'pay' })).rejects.toThrow('Conflict');
  await expect.poll(() => ran).toEqual(['ada']);
});

it('servers of one process keep what their calls enqueue apart, also where one calls the other', async () => {
  const outer = makeQueue();
  const inner = makeQueue();
  const innerServer = makeServer(
    {
      fail: capability(async () => {
        await outer.jobs.enqueue('mails.send', { to: 'of the outer call' });
        await inner.jobs.enqueue('mails.send', { to: 'of the inner call, which failed' });
        throw defaultErrors.Conflict();
      }),
    },
    [inner.jobs],
  );
  const outerServer = makeServer(
    {
      pay: capability(async () => {
        await innerServer.invoke({ capability: 'fail' }).catch(() => {});
        await inner.jobs.enqueue('mails.send', { to: 'of no inner call' });
        return [...outer.ran];
      }),
    },
    [outer.jobs],
  );
  await Promise.all([innerServer.start(), outerServer.start()]);
  expect(await outerServer.invoke({ capability: 'pay' })).toEqual([]);
  await expect.poll(() => outer.ran).toEqual(['of the outer call']);
  await expect.poll(() => inner.ran).toEqual(['of no inner call']);
});

it('a server follows its calls for each of its queues', async () => {
  const [one, two] = [makeQueue(), makeQueue()];
  const enqueue = async (): Promise<void> => {
    await one.jobs.enqueue('mails.send', { to: 'ada' });
    await two.jobs.enqueue('mails.send', { to: 'bob' });
  };
  const server = makeServer(
    {
      pay: capability(enqueue),
      fail: capability(async () => {
        await enqueue();
        throw defaultErrors.Conflict();
      }),
    },
    [one.jobs, two.jobs],
  );
  await server.start();
  await expect(server.invoke({ capability: 'fail' })).rejects.toThrow('Conflict');
  await server.invoke({ capability: 'pay' });
  await expect.poll(() => [one.ran, two.ran]).toEqual([['ada'], ['bob']]);
});

it('test servers of one process keep their jobs apart, also where one calls the other', async () => {
  const { ran, jobs } = makeQueue();
  const send = (to: string): Promise<string> => jobs.enqueue('mails.send', { to });
  const fail = capability(async () => {
    await send('of the inner call, which failed');
    throw defaultErrors.Conflict();
  });
  const pay = capability(async () => void (await send('of the inner call')));
  await using inner = await testServer({ capabilities: { pay, fail }, listen: false });
  const payBoth = capability(async () => {
    await send('before');
    await inner.invoke({ capability: 'fail' }).catch(() => {});
    await inner.invoke({ capability: 'pay' });
    await send('after');
  });
  await using outer = await testServer({ capabilities: { payBoth }, listen: false });
  await outer.invoke({ capability: 'payBoth' });
  const toReceivers = ({ enqueued }: typeof outer.jobs) => enqueued.map(({ input }) => input);
  expect(toReceivers(outer.jobs)).toEqual([{ to: 'before' }, { to: 'after' }]);
  expect(toReceivers(inner.jobs)).toEqual([{ to: 'of the inner call' }]);
  expect(ran).toEqual([]);
});
