// Boundary: anybody, over HTTP. Promise: a form takes the memory of what the capability declares, and no more.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  silentLogger,
  toFetchHandler,
  type UploadedFile,
  uploadedFile,
} from '../../server-runtime/index.ts';
import { countInputs } from '../helpers/count-inputs.ts';
import { file, form, rawForm } from '../helpers/file-capabilities.ts';
import { describeEverywhere, type ErrorBody } from '../helpers/start-rest.ts';

const size = 'x'.repeat(3000);
const item = z.object({ name: z.string(), note: z.string().optional() });
const scan = z.object({ title: z.string().optional(), scan: uploadedFile().optional() });
const capabilities = {
  items: { createItem: capability(item, ({ name }) => name.length) },
  pings: { createPing: capability(z.object({}), () => 'pong') },
  scans: { createScan: capability(scan, (input) => input.scan?.size ?? 0) },
};
const rest = { maxBodySize: 5000, multipart: { maxFileSize: 10_000, maxTotalSize: 12_000 } };

describeEverywhere('a form', (start) => {
  it('of texts alone is taken by every capability, within maxBodySize', async () => {
    const { request } = await start({ capabilities, rest });
    const fits = await request('/items', form(['name', size]));
    expect(await fits.json()).toEqual({ data: 3000 });
    const refused = await request('/items', form(['name', size], ['note', size]));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({
      message: 'The form is larger than 5000 bytes (maxBodySize)',
      meta: { limit: 5000 },
    });
    expect((await request('/pings', form(['any', size]))).status).toBe(200);
  });

  it.each([
    ['a field that is none', '/items', 'avatar'],
    ['a field that takes a text', '/items', 'name'],
    ['a capability without fields', '/pings', 'avatar'],
    ['another field than the one for files', '/scans', 'other'],
    ['a part of a text', '/items', 'name[0]'],
  ])('has no file for %s: it is named, and not read', async (_what, path, field) => {
    const { request } = await start({ capabilities, rest });
    const pieces = 1000;
    let count = 0;
    const head = `--X\r\ncontent-disposition: form-data; name="${field}"; filename="a.bin"\r\n\r\n`;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (count === pieces) return controller.close();
        controller.enqueue(Buffer.from(count === 0 ? head : 'x'.repeat(65_536)));
        count++;
      },
    });
    const sent = { ...rawForm(''), body, duplex: 'half' } as const;
    const response = await request(path, sent);
    expect(response.status).toBe(400);
    const { error, message, meta } = (await response.json()) as ErrorBody;
    expect([error, message, meta]).toEqual([
      'BadRequest',
      `The field '${field}' takes no file`,
      { field },
    ]);
    expect(count).toBeLessThan(pieces);
  });

  it('with files is no larger in all than maxTotalSize', async () => {
    const { request } = await start({ capabilities, rest });
    const fits = await request('/scans', form(['scan', file('x'.repeat(9000))]));
    expect(await fits.json()).toEqual({ data: 9000 });
    const two = form(['scan', file('x'.repeat(9000))], ['scan', file('x'.repeat(9000))]);
    const refused = await request('/scans', two);
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({
      message: 'The form is larger than 12000 bytes (multipart.maxTotalSize)',
      meta: { limit: 12_000 },
    });
    const around = await request('/scans', rawForm(`${'x'.repeat(13_000)}\r\n--X--\r\n`));
    expect(around.status).toBe(413);
  });

  it('has the file that a browser sends where none was chosen', async () => {
    const { request } = await start({ capabilities, rest });
    const none = file('', '', 'application/octet-stream');
    expect((await request('/items', form(['name', 'a'], ['avatar', none]))).status).toBe(200);
  });
});

const any = z.object({ a: z.string().optional() });
describe('a file is taken where a schema leaves the field open', () => {
  it.each([
    ['by uploadedFile()', z.object({ f: uploadedFile() }), 'f'],
    ['by z.custom()', z.object({ f: z.custom<UploadedFile>() }), 'f'],
    ['by z.file()', z.object({ f: z.file().nullable() }), 'f'],
    ['by z.unknown()', z.object({ f: z.unknown() }), 'f'],
    ['by a list', z.object({ f: z.array(uploadedFile()) }), 'f[]'],
    ['by a list of anything', z.object({ f: z.array(z.unknown()) }), 'f'],
    ['by an object', z.object({ f: z.object({ g: uploadedFile() }) }), 'f[g]'],
    ['by a list of objects', z.object({ f: z.array(z.object({ g: z.any() })) }), 'f[0][g]'],
    ['by a union', z.object({ f: z.union([z.string(), uploadedFile()]) }), 'f'],
    ['by both of two', z.intersection(any, z.object({ f: uploadedFile() })), 'f'],
    ['by the rest of an object', z.looseObject({ a: z.string().optional() }), 'f'],
    ['by a record', z.record(z.string(), z.unknown()), 'f'],
    ['by what a function gets', z.preprocess((value) => value, z.looseObject({})), 'f'],
    ['by anything', z.any(), 'f'],
    ['by no schema', undefined, 'f'],
  ])('%s', async (_what, schema, name) => {
    const list = (input: object) => Object.keys(input);
    const receive =
      schema === undefined ? capability(list) : capability(schema as typeof any, list);
    const server = createServer({
      capabilities: { a: { receive: receive.route('POST', '/a') } },
      logger: silentLogger,
    });
    const request = new Request('http://a.test/a', form([name, file('1')]));
    const response = await toFetchHandler(server)(request);
    expect([response.status, await response.json()]).toEqual([200, { data: ['f'] }]);
  });
});

it('answers any form, with what it holds or with a refusal', async () => {
  const server = createServer({ capabilities, logger: silentLogger });
  const answer = toFetchHandler(server, rest);
  const piece = fc.constantFrom(
    '--X\r\n',
    '\r\n--X\r\n',
    '\r\n--X--\r\n',
    'content-disposition: form-data; name="name"\r\n',
    'content-disposition: form-data; name="scan"; filename="a"\r\n',
    'content-disposition: form-data; name="__proto__"; filename=""\r\n',
    'content-disposition: form-data\r\n',
    'content-type: application/json\r\n',
    'content-type: application/octet-stream\r\n',
    '\r\n',
    '{"a":1}',
    'text',
    '\u0000\u00ff',
  );
  const body = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom('/items', '/pings', '/scans'), async (parts, path) => {
      const bytes = new Uint8Array(Buffer.from(parts.join(''), 'latin1'));
      const response = await answer(new Request(`http://a.test${path}`, rawForm(bytes)));
      expect([200, 400, 413, 415]).toContain(response.status);
      expect(await response.json()).toHaveProperty(response.status === 200 ? 'data' : 'message');
    }),
    { numRuns: countInputs(300) },
  );
});
