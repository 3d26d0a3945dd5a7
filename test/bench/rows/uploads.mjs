/** Forms with a file, in capix and by busboy itself; the file goes through as a stream. */
import { createServer as createHttpServer } from 'node:http';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from '../zod-of-capix.mjs';
import { listen, openCapix, read, repeat } from './servers.mjs';

async function countBytes(stream) {
  let bytes = 0;
  const counting = new Writable({
    write: (chunk, _encoding, done) => {
      bytes += chunk.length;
      done();
    },
  });
  await pipeline(stream, counting);
  return bytes;
}

/** A server in capix that takes fields and a file. */
export const openCapixForms = (fields) =>
  openCapix(({ capability, uploadedFile }) => ({
    sendFile: capability(
      z.object({
        ...Object.fromEntries(fields.map((name) => [name, z.string()])),
        file: uploadedFile({ stream: true, maxSize: 64_000_000 }),
      }),
      async ({ file }) => ({ bytes: await countBytes(file.stream) }),
    ).route('POST', '/files'),
  }));

export async function openBusboy() {
  const { Busboy } = await import('@fastify/busboy');
  const answer = (request, response) => {
    const fields = {};
    let bytes;
    const form = new Busboy({ headers: request.headers });
    form.on('field', (name, value) => (fields[name] = value));
    form.on('file', (_name, file) => {
      bytes = countBytes(file);
    });
    const send = async () => {
      const text = JSON.stringify({ data: { bytes: await bytes } });
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    form.once('finish', () => void send());
    request.pipe(form);
  };
  return listen(createHttpServer(answer));
}

/** Sends a form with these fields and a file of so many bytes, again and again. */
export function sendForms({ fields, bytes, times }) {
  const boundary = 'bench-boundary';
  const texts = fields.map(
    (name) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nvalue of ${name}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(texts.join('') + head),
    Buffer.alloc(bytes, 'x'),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': body.length,
  };
  return (url) =>
    repeat(times, 1, async () => {
      const { status } = await read(`${url}/files`, { method: 'POST', headers, body });
      if (status >= 300) throw new Error(`It answered ${status}.`);
    });
}
