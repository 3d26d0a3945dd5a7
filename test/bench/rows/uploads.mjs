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

const maxSize = 64_000_000;

const toTexts = (fields) => Object.fromEntries(fields.map((name) => [name, z.string()]));

/** A server in capix that takes fields and a file. */
export const openCapixForms = (fields) =>
  openCapix(({ capability, uploadedFile }) => ({
    sendFile: capability(
      z.object({ ...toTexts(fields), file: uploadedFile({ stream: true, maxSize }) }),
      async ({ file }) => ({ bytes: await countBytes(file.stream) }),
    ).route('POST', '/files'),
  }));

/**
 * The same by busboy, with what a server by hand has to do: the same schema for the fields, limits of the same sizes,
 * and an answer to a form that is wrong, too large or broken off.
 */
export async function openBusboy(fields) {
  const { Busboy } = await import('@fastify/busboy');
  const schema = z.object(toTexts(fields));
  const limits = { files: 10, parts: 1000, fieldSize: 1_048_576, fileSize: maxSize };
  const answer = (request, response) => {
    const send = (status, body) => {
      if (response.headersSent) return;
      const text = JSON.stringify(body);
      response
        .writeHead(status, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        })
        .end(text);
    };
    const refuse = (status, error) => {
      request.unpipe(form).resume();
      send(status, { error });
    };
    const sent = {};
    const form = new Busboy({ headers: request.headers, limits });
    form.on('field', (name, value, _isNameCut, isCut) => {
      if (isCut) refuse(413, `The field ${name} is too large`);
      else sent[name] = value;
    });
    form.on('file', (_name, file) => {
      const read = schema.safeParse(sent);
      if (!read.success) return refuse(400, read.error.issues);
      file.once('limit', () => file.destroy(new Error('too large')));
      request.once('close', () => {
        if (!request.complete) file.destroy(new Error('broken off'));
      });
      countBytes(file).then(
        (bytes) => send(200, { data: { bytes } }),
        () => refuse(file.truncated ? 413 : 400, 'The file is too large or broken off'),
      );
    });
    form.once('filesLimit', () => refuse(413, 'Too many files'));
    form.once('partsLimit', () => refuse(413, 'Too many parts'));
    form.once('error', () => refuse(400, 'The form is broken'));
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
