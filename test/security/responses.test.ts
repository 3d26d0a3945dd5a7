// Boundary: callers, over HTTP. Promise: no text of others splits a header, a list of URLs or an event.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineCookie } from '../../server-runtime/cookies/index.ts';
import {
  capability,
  createServer,
  defaultErrors,
  redirect,
  reply,
  silentLogger,
  sse,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { countInputs } from '../helpers/count-inputs.ts';

const input = z.object({ text: z.string() });
const a = {
  findPlace: capability(input, ({ text }) => text, 'query').output(redirect),
  findOwn: capability(
    input,
    ({ text }) => reply('x', { headers: { 'x-own': text } }),
    'query',
  ).route('GET', '/own'),
};
const findSent = capability(
  input,
  ({ text }) => reply(null, { status: 302, headers: { location: text } }),
  'query',
).route('GET', '/sent');
const answer = toFetchHandler(
  createServer({ capabilities: { a: { ...a, findSent } }, logger: silentLogger }),
);
const ask = (path: string, text: string, headers: Readonly<Record<string, string>> = {}) =>
  answer(new Request(`http://a.test${path}?text=${encodeURIComponent(text)}`, { headers }));

const splitting = [
  'https://b.test/\r\nset-cookie: a=b',
  'https://b.test/\nhttps://evil.test',
  '/\0',
  '/\r',
];

describe('a URL that would be several lines', () => {
  it.each(splitting)('%j is no second line, by whatever way it is asked for', async (text) => {
    const followed = await ask('/a', text);
    expect(followed.headers.get('set-cookie')).toBeNull();
    expect(followed.headers.get('location') ?? '').not.toMatch(/[\r\n\0]/);
    const listed = await ask('/a', text, { accept: 'text/uri-list' });
    if (listed.status === 200) expect((await listed.text()).split(/\r\n|\r|\n/)).toHaveLength(3);
    else expect(listed.status).toBe(500);
  });

  it.each(splitting)('%j in a reply of the handler is no second line either', async (text) => {
    // A header of fetch loses a line feed at its end.
    const followed = await ask('/sent', text);
    expect(followed.headers.get('set-cookie')).toBeNull();
    expect(followed.headers.get('location') ?? '').not.toMatch(/[\r\n\0]/);
    // What no header carries is percent-encoded in both.
    const listed = await ask('/sent', text, { accept: 'text/uri-list' });
    if (listed.status === 200) expect((await listed.text()).split(/\r\n|\r|\n/)).toHaveLength(3);
    else expect(listed.status).toBe(500);
  });

  it('that is one line is given both ways', async () => {
    expect((await ask('/a', 'https://b.test/')).headers.get('location')).toBe('https://b.test/');
    const listed = await ask('/a', 'https://b.test/', { accept: 'text/uri-list' });
    expect(await listed.text()).toMatch(/^#30\d\r\nhttps:\/\/b\.test\/\r\n$/);
  });
});

describe('a text that would be several lines', () => {
  const secrets = ['a'.repeat(32)];
  const cookie = defineCookie('own', { secrets });
  const b = {
    bake: capability(
      input,
      ({ text }) => reply(1, { headers: { 'set-cookie': cookie.set(text) } }),
      'query',
    ).route('GET', '/bake'),
    raw: capability(
      input,
      ({ text }) => reply(1, { headers: { 'set-cookie': `a=${text}` } }),
      'query',
    ).route('GET', '/raw'),
    name: capability(input, ({ text }) => reply(1, { headers: { [text]: 'a' } }), 'query').route(
      'GET',
      '/name',
    ),
    events: capability(
      input,
      async function* ({ text }) {
        yield sse('first', { id: text, event: text });
        yield 'last';
      },
      'query',
    ).route('GET', '/events'),
    data: capability(
      input,
      async function* ({ text }) {
        yield text;
        yield 'last';
      },
      'query',
    ).route('GET', '/data'),
    refuse: capability(
      input,
      ({ text }) => {
        throw defaultErrors.Conflict('Taken', undefined, { headers: { 'x-own': text } });
      },
      'query',
    ).route('GET', '/refuse'),
    file: capability(
      input,
      ({ text }) =>
        reply(1, { headers: { 'content-disposition': `attachment; filename="${text}"` } }),
      'query',
    ).route('GET', '/file'),
  };
  const make = toFetchHandler(createServer({ capabilities: { b }, logger: silentLogger }));
  const evil = 'a\r\nset-cookie: forged=1\r\ndata: forged\r\n\r\ndata: forged\nid: forged';

  it.each(['/bake', '/raw', '/name', '/refuse', '/file'])(
    'forges no header by %s',
    async (path) => {
      const response = await make(
        new Request(`http://a.test${path}?text=${encodeURIComponent(evil)}`),
      );
      expect([200, 409, 500]).toContain(response.status);
      for (const [name, value] of response.headers) {
        expect(name).not.toBe('forged');
        expect(value).not.toMatch(/[\r\n]|^forged/);
      }
    },
  );

  it.each(['/events', '/data'])('forges no event by %s', async (path) => {
    const request = new Request(`http://a.test${path}?text=${encodeURIComponent(evil)}`);
    const text = await make(request)
      .then((response) => response.text())
      .catch(String);
    for (const line of text.split(/\r\n|\r|\n/))
      expect(line).not.toMatch(/^(data|id|event): ?forged/);
  });

  it.each(['a b', 'a\u00ff', 'x'.repeat(129), 'a\tb'])('is no id of a request: %j', async (id) => {
    const headers = { 'x-request-id': id };
    const response = await make(new Request('http://a.test/data?text=a', { headers }));
    const given = response.headers.get('x-request-id') ?? '';
    expect(given).toMatch(/^[\x21-\x7e]{1,128}$/);
    expect(given).not.toBe(id);
  });
});

it('puts one header and one line into an answer, or none', async () => {
  const text = fc.string({ unit: 'binary' }).map((each) => each.toWellFormed());
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      const own = await ask('/own', value);
      expect([200, 500]).toContain(own.status);
      expect(own.headers.get('set-cookie')).toBeNull();
      const listed = await ask('/a', value, { accept: 'text/uri-list' });
      const lines = (await listed.text()).split(/\r\n|\r|\n/);
      if (listed.status === 200) expect(lines).toHaveLength(3);
      else expect(listed.status).toBe(500);
    }),
    { numRuns: countInputs(200) },
  );
});
