import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LimitOptions, toLimits } from '../../../server-runtime/http/limits.ts';
import { capability, restTransport } from '../../../server-runtime/index.ts';
import { defer, startOverSocket } from '../../helpers/start-rest.ts';

describe('limits', () => {
  it('close connections beyond those that may be', async () => {
    const { url } = await startOverSocket({
      capabilities: { ping: capability(() => 1, 'query') },
      rest: { limits: { connections: 1 } },
    });
    const open = () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    const first = open();
    first.write('GET /ping HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(first, 'data');
    await once(open(), 'close');
    expect(first.destroyed).toBe(false);
  });

  it('end the connection of a caller who reads nothing, and not that of one who waits for a handler', async () => {
    const [handler, stream] = [defer<string>(), defer()];
    const capabilities = {
      wait: capability(() => handler.promise, 'query'),
      watch: capability(async function* () {
        try {
          for (;;) yield 'x'.repeat(1_000_000);
        } finally {
          stream.resolve();
        }
      }, 'query'),
    };
    const { url } = await startOverSocket({
      capabilities,
      rest: { limits: { slowReaderMs: 1_000 } },
    });
    const waiting = fetch(`${url}/wait`);
    const slow = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    onTestFinished(() => void slow.destroy());
    slow.write('GET /watch HTTP/1.1\r\nhost: x\r\n\r\n');
    await stream.promise;
    handler.resolve('done');
    expect((await waiting).status).toBe(200);
    const idle = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    await once(idle.resume(), 'close');
  });

  it('end the connection of a slow reader after a minute, unless they say another time', () => {
    expect(toLimits().slowReaderMs).toBe(60_000);
    expect(toLimits({ slowReaderMs: 5_000 }).slowReaderMs).toBe(5_000);
  });

  it('end a connection with the last request that it may have', async () => {
    const { request } = await startOverSocket({
      capabilities: { ping: capability(() => 1, 'query') },
      rest: { limits: { connectionRequests: 1 } },
    });
    expect((await request('/ping')).headers.get('connection')).toBe('close');
  });

  it.each<[LimitOptions | object, string]>([
    [
      { connectionRequests: 0 },
      'limits.connectionRequests: expected an integer of at least 1, got 0',
    ],
    [{ slowReaderMs: 0 }, 'limits.slowReaderMs: expected milliseconds'],
    [{ connection: 1 }, 'Did you mean `connections`?'],
  ])('that cannot be are refused: %j', (limits, message) => {
    expect(() => restTransport({ limits })).toThrow(message);
  });
});
