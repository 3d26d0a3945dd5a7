// Boundary: callers, over HTTP. Promise: no text of others splits a header, a list of URLs or an event.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  redirect,
  reply,
  silentLogger,
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
