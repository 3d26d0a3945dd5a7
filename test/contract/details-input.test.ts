import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  generateOpenAPI,
  type UploadedFile,
  uploadedFile,
} from '../../server-runtime/index.ts';
import { ask, formBody, jsonBody } from '../helpers/ask.ts';
import { connectToTools } from '../helpers/connect-to-tools.ts';
import { describeOverSockets, itOverHttp } from '../helpers/every-door.ts';

const echo = capability((input) => input, 'query');

async function read(schema: z.ZodType, query: string): Promise<unknown> {
  const things = { echo: capability(schema, (input) => input, 'query') };
  return (await ask({ capabilities: { things } }, `GET /things/echo?${query}`)).body;
}

async function readRaw(query: string): Promise<unknown> {
  return (await ask({ capabilities: { things: { echo } } }, `GET /things/echo?${query}`)).body;
}

const file = (text: string, name = 'a.txt', type = 'text/plain') =>
  new File([text], name, { type });

describeOverSockets('merging, in detail', () => {
  itOverHttp('DELETE takes the query, POST the body; the path wins', async () => {
    const loose = z.object({ id: z.string() }).loose();
    const things = {
      deleteThing: capability(loose, (input) => input),
      updateThing: capability(loose, (input) => input),
    };
    expect((await ask({ capabilities: { things } }, 'DELETE /things/7?id=8&a=1')).body).toEqual({
      data: { id: '7', a: '1' },
    });
    expect(
      (await ask({ capabilities: { things } }, 'PATCH /things/7', jsonBody({ id: '8', a: 1 })))
        .body,
    ).toEqual({
      data: { id: '7', a: 1 },
    });
  });

  it('__proto__, constructor and prototype never reach a handler, at any depth', async () => {
    const things = { createThing: capability((input) => input) };
    const body = {
      ...jsonBody({}),
      body: '{"__proto__":{"a":1},"b":[{"constructor":1,"c":{"prototype":2,"d":3}}]}',
    };
    expect((await ask({ capabilities: { things } }, 'POST /things', body)).body).toEqual({
      data: { b: [{ c: { d: 3 } }] },
    });
    expect(await readRaw('__proto__=1&constructor=2&prototype=3&a=4')).toEqual({
      data: { a: '4' },
    });
  });

  itOverHttp('nor from an agent', async () => {
    const client = await connectToTools({
      capabilities: { things: { keys: capability((input) => JSON.stringify(input)) } },
    });
    const sent = JSON.parse(
      '{"__proto__":{"a":1},"b":[{"constructor":1,"c":{"prototype":2,"d":3}}]}',
    ) as Record<string, unknown>;
    const { structuredContent } = await client.callTool({ name: 'things_keys', arguments: sent });
    expect(structuredContent).toEqual({ data: '{"b":[{"c":{"d":3}}]}' });
  });
});

describe('query text, in detail', () => {
  it('+ is a space, k without = the empty string, undecodable text stays raw', async () => {
    expect(await readRaw('a=x+y%20z&k&b=%E0%A4%A')).toEqual({
      data: { a: 'x y z', k: '', b: '%E0%A4%A' },
    });
  });

  it('a repeated key, or key[], is an array where the field is one, a single value too; otherwise the last wins', async () => {
    const schema = z.object({ tags: z.array(z.string()).optional(), name: z.string().optional() });
    expect(await read(schema, 'tags=a&tags=b&name=x&name=y')).toEqual({
      data: { tags: ['a', 'b'], name: 'y' },
    });
    expect(await read(schema, 'tags[]=a')).toEqual({ data: { tags: ['a'] } });
    expect(await read(schema, 'tags=a')).toEqual({ data: { tags: ['a'] } });
  });

  it('elements of arrays are coerced by their type', async () => {
    expect(await read(z.object({ ids: z.array(z.number()) }), 'ids=1&ids=2')).toEqual({
      data: { ids: [1, 2] },
    });
  });
});

describe('coercion, in detail', () => {
  it('numbers are decimal literals with sign, point and exponent', async () => {
    const schema = z.object({ n: z.array(z.number()) });
    expect(await read(schema, 'n=-1&n=%2B2&n=.5&n=1e-3&n=007')).toEqual({
      data: { n: [-1, 2, 0.5, 0.001, 7] },
    });
  });

  it('blanks around, 0x10, Infinity and the empty string are not numbers', async () => {
    for (const text of ['%201', '1%20', '0x10', 'Infinity', 'NaN', '', '1_000', '1,5']) {
      expect(await read(z.object({ n: z.number() }), `n=${text}`)).toMatchObject({
        error: 'BadRequest',
        meta: { fields: [{ path: 'n', received: decodeURIComponent(text) }] },
      });
    }
  });

  it('booleans are exactly true and false', async () => {
    for (const text of ['TRUE', '1', 'on', '', 'yes']) {
      expect(await read(z.object({ b: z.boolean() }), `b=${text}`)).toMatchObject({
        error: 'BadRequest',
      });
    }
  });

  it('a union is coerced where every branch but null and undefined is of one type', async () => {
    const schema = z.object({
      a: z.union([z.number(), z.null()]),
      b: z.union([z.number(), z.string()]),
    });
    expect(await read(schema, 'a=1&b=1')).toEqual({ data: { a: 1, b: '1' } });
  });
});

describe('forms, in detail', () => {
  const files = {
    createFile: capability(
      z
        .object({
          a: z.custom<UploadedFile>().optional(),
          many: z.array(uploadedFile()).optional(),
          text: z.string().optional(),
        })
        .loose(),
      ({ many = [] }) => many.map(({ filename, size }) => [filename, size]),
    ),
  };
  const post = (body: RequestInit, multipart = {}) =>
    ask({ capabilities: { files }, rest: { multipart } }, 'POST /files', body);

  it('several files of an array field make an array', async () => {
    expect((await post(formBody(['many', file('1')], ['many', file('22', 'b.txt')]))).body).toEqual(
      {
        data: [
          ['a.txt', 1],
          ['b.txt', 2],
        ],
      },
    );
  });

  it('a file may have 5 MiB by default', async () => {
    const limit = 5 * 1024 * 1024;
    expect((await post(formBody(['a', file('x'.repeat(limit))]))).status).toBe(200);
    expect(await post(formBody(['a', file('x'.repeat(limit + 1))]))).toMatchObject({
      status: 413,
      body: { meta: { field: 'a', limit } },
    });
  });

  it('a request may have 10 files by default', async () => {
    const some = (count: number) =>
      formBody(...Array.from({ length: count }, () => ['many', file('1')] as const));
    expect((await post(some(10))).status).toBe(200);
    expect(await post(some(11))).toMatchObject({ status: 413, body: { meta: { limit: 10 } } });
  });

  it('a request may have 1 MiB of text and 1,000 parts by default', async () => {
    expect(await post(formBody(['text', 'x'.repeat(1_048_577)]))).toMatchObject({
      status: 413,
      body: { meta: { field: 'text', limit: 1_048_576 } },
    });
    const parts = (count: number) =>
      formBody(...Array.from({ length: count }, (_, index) => [`t${index}`, ''] as const));
    expect((await post(parts(1000))).status).toBe(200);
    expect(await post(parts(1001))).toMatchObject({ status: 413, body: { meta: { limit: 1000 } } });
  });

  it('patterns such as image/* allow types; another is 415 and names field and limit', async () => {
    const multipart = { allowedMimeTypes: ['image/*'] };
    expect((await post(formBody(['a', file('1', 'a.png', 'image/png')]), multipart)).status).toBe(
      200,
    );
    expect(await post(formBody(['a', file('1')]), multipart)).toMatchObject({
      status: 415,
      body: { meta: { field: 'a', limit: ['image/*'] } },
    });
  });

  it('uploadedFile({maxSize, accept}) limits one field, and is a binary part in the document', async () => {
    const avatars = {
      createAvatar: capability(
        z.object({ avatar: uploadedFile({ maxSize: 3, accept: ['image/*'] }) }),
        () => 1,
      ),
    };
    const send = (sent: File) =>
      ask({ capabilities: { avatars } }, 'POST /avatars', formBody(['avatar', sent]));
    expect((await send(file('123', 'a.png', 'image/png'))).status).toBe(200);
    expect((await send(file('1234', 'a.png', 'image/png'))).status).toBe(413);
    expect((await send(file('123'))).status).toBe(415);
    expect(
      JSON.stringify(generateOpenAPI({ avatars }).paths['/avatars']?.['post']?.requestBody),
    ).toMatch(/multipart\/form-data.*binary/);
  });
});
