import { once } from 'node:events';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  defaultErrors,
  defineGuard,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import { openRaw, readAll } from '../../helpers/raw-http.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const isUser = defineGuard(() => {
  throw defaultErrors.Unauthorized();
});
const capabilities = {
  items: {
    createItem: capability(z.object({ name: z.string() }), (input) => input),
    sendFile: capability(z.object({ file: uploadedFile() }), ({ file }) => file.size),
    sendMine: capability(z.object({ file: uploadedFile() }), ({ file }) => file.size).guard(isUser),
  },
};
const rest = { maxBodySize: 100 };

function toHead(path: string, type: string, length: number): string {
  const facts = ['host: x', `content-type: ${type}`, `content-length: ${length}`];
  return [`POST ${path} HTTP/1.1`, ...facts, 'expect: 100-continue', '', ''].join('\r\n');
}

it.each([
  ['a length over the limit', '/items', 'application/json', 101, 413],
  ['a long one', '/items', 'application/json', 5_000_000, 413],
  ['another media type', '/items', 'text/plain', 5, 415],
  ['a form that a guard refuses', '/items/send-mine', 'multipart/form-data; boundary=x', 50, 401],
  ['a path that is nothing', '/nothing', 'application/json', 15, 404],
])(
  'answers at once what the head alone refuses, and asks for no body: %s',
  async (_name, path, type, length, status) => {
    const { url } = await startOverSocket({ capabilities, rest });
    const socket = openRaw(url);
    socket.write(toHead(path, type, length));
    const text = await readAll(socket);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toMatch(/^connection: close\r$/im);
    expect(text.match(/^HTTP/gm)).toHaveLength(1);
  },
);

const form =
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--x--\r\n';

it.each([
  ['JSON', '/items', 'application/json', '{"name":"a"}', '{"data":{"name":"a"}}'],
  ['a form', '/items/send-file', 'multipart/form-data; boundary=x', form, '{"data":3}'],
])(
  'asks for a body once it is wanted, and leaves the connection open: %s',
  async (_name, path, type, body, answer) => {
    const { url } = await startOverSocket({ capabilities, rest: { maxBodySize: 1000 } });
    const socket = openRaw(url);
    for (const _time of [1, 2]) {
      socket.write(toHead(path, type, body.length));
      const [asked] = (await once(socket, 'data')) as [Buffer];
      expect(asked.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write(body);
      let text = '';
      while (!text.endsWith(answer)) text += String((await once(socket, 'data'))[0]);
      expect(text).toMatch(/^HTTP\/1.1 200 /);
    }
    socket.destroy();
  },
);

it('takes the body of a caller who has not waited', async () => {
  const { url } = await startOverSocket({ capabilities, rest });
  const socket = openRaw(url);
  socket.write(`${toHead('/items', 'application/json', 12)}{"name":"a"}`);
  let text = '';
  while (!text.endsWith('{"data":{"name":"a"}}')) text += String((await once(socket, 'data'))[0]);
  expect(text.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
  socket.destroy();
});

it('answers a caller who sends its refused body without waiting', async () => {
  const { url } = await startOverSocket({ capabilities, rest });
  const socket = openRaw(url);
  socket.write(toHead('/items', 'text/plain', 50_000));
  socket.write('x'.repeat(50_000));
  expect(await readAll(socket)).toMatch(/^HTTP\/1.1 415 /);
});
