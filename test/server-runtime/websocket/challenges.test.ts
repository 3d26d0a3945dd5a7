import { expect, it } from 'vitest';
import { capability, defaultErrors, defineGuard } from '../../../server-runtime/index.ts';
import { openRaw, readAll, toRawAnswer } from '../../helpers/raw-http.ts';
import { startSockets } from '../../helpers/start-web-sockets.ts';

it.each([
  [401, () => defaultErrors.Unauthorized(), 'Bearer'],
  [403, () => defaultErrors.Forbidden(), undefined],
  [
    401,
    () =>
      defaultErrors.Unauthorized('No', undefined, { headers: { 'x-a': 'b\r\nset-cookie: c=1' } }),
    'Bearer',
  ],
])(
  'an upgrade that is refused with %d says what would be accepted',
  async (status, make, challenge) => {
    const guard = defineGuard(
      () => {
        throw make();
      },
      { security: [{ type: 'http', scheme: 'bearer' }] },
    );
    const capabilities = { a: { run: capability(() => 1) } };
    const { url } = await startSockets({ capabilities, socket: { guards: [guard] } });
    const socket = openRaw(url);
    const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'];
    const head = ['GET /_call HTTP/1.1', 'Host: a', ...upgrade];
    socket.write([...head, 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', '', ''].join('\r\n'));
    const answer = toRawAnswer(await readAll(socket));
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([status, challenge]);
    expect(answer.headers.has('set-cookie')).toBe(false);
  },
);
