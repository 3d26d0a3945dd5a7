import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { capability } from '../../../server-runtime/index.ts';
import { openRaw, readAnswers } from '../../helpers/raw-http.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const request = (end = ''): string =>
  `POST /items HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${end}content-length: 2\r\n\r\n{}`;

it('no connection holds a response that is sent: neither an open one nor one that has closed', async () => {
  const { url } = await startOverSocket({
    capabilities: { items: { createItem: capability(() => 'done') } },
  });
  const responses: WeakRef<object>[] = [];
  const sockets: unknown[] = [];
  const note = (message: unknown): void => {
    const { response, socket } = message as { response: object; socket: unknown };
    responses.push(new WeakRef(response));
    sockets.push(socket);
  };
  diagnostics.subscribe('http.server.request.start', note);
  const open = openRaw(url);
  open.write(request());
  await readAnswers(open, ['POST']);
  const closed = openRaw(url);
  const end = once(closed, 'close');
  closed.write(request('connection: close\r\n'));
  closed.resume();
  await end;
  diagnostics.unsubscribe('http.server.request.start', note);
  expect(sockets).toHaveLength(2);
  await expect
    .poll(async () => {
      await turn();
      collect();
      return responses.filter((each) => each.deref() !== undefined).length;
    })
    .toBe(0);
  expect(open.writable).toBe(true);
  open.destroy();
});
