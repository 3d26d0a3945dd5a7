import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  defaultErrors,
  generateOpenAPI,
  noContent,
  type RestOptions,
  redirect,
  reply,
  stream,
} from '../../../server-runtime/index.ts';
import { describeEverywhere, json } from '../../helpers/start-rest.ts';

const long = 'a long text. '.repeat(1000);
let answer = 'first';
const capabilities = {
  texts: {
    getCurrent: capability(() => answer).output(z.string()),
    getLong: capability(() => long),
    getLongOwn: capability(() => reply(long, { headers: { etag: '"long"' } })),
    getFile: capability(() =>
      reply(Readable.from(['x']), { headers: { etag: '"file"', 'content-type': 'text/csv' } }),
    ),
    getOwn: capability(() =>
      reply('x', { headers: { etag: '"own"', 'Cache-Control': 'no-store' } }),
    ),
    getPublic: capability(() => 'x').cacheControl('public, max-age=60'),
    getMissing: capability(() => {
      throw defaultErrors.NotFound();
    }).cacheControl('public, max-age=60'),
    watchTexts: capability(async function* () {
      yield await Promise.resolve('a');
    }, 'query').output(stream(z.string())),
    createText: capability(z.object({ text: z.string() }), () => 'x').cacheControl('no-store'),
    updateText: capability(z.object({ text: z.string() }), () => 'x').route('PATCH', '/texts'),
    removeText: capability(() => {}, 'mutation').output(noContent),
    moveText: capability(() => 'https://a.example', 'query').output(redirect),
  },
};

describeEverywhere('caching', (start) => {
  const begin = async (rest: RestOptions) => {
    const { request } = await start({ capabilities, rest });
    return async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await request(path, {
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
      });
      const [etag, type, control, coding] = [
        'etag',
        'content-type',
        'cache-control',
        'content-encoding',
      ].map((name) => response.headers.get(name));
      return {
        status: response.status,
        etag,
        type,
        control,
        coding,
        body: await response.text(),
        response,
      };
    };
  };

  it('gives answers to GET a tag, and 304 to who has them', async () => {
    answer = 'first';
    const ask = await begin({ etag: true });
    const first = await ask('/texts/current');
    expect(first).toMatchObject({
      status: 200,
      etag: expect.stringMatching(/^W\/"[\w-]{27}"$/),
      body: '{"data":"first"}',
    });
    const tag = String(first.etag);
    const unchanged = await ask('/texts/current', { 'if-none-match': tag });
    expect(unchanged).toMatchObject({ status: 304, etag: tag, type: null, body: '' });
    expect(unchanged.response.headers.get('x-request-id')).toMatch(/./);
    expect(unchanged.response.headers.get('access-control-allow-origin')).toBe('*');
    for (const condition of ['*', `"other", ${tag}`, tag.slice(2)])
      expect((await ask('/texts/current', { 'if-none-match': condition })).status).toBe(304);
    for (const condition of ['"other"', 'W/"other"', tag.slice(3, -1)])
      expect((await ask('/texts/current', { 'if-none-match': condition })).status).toBe(200);
    expect(await ask('/texts/current', { 'if-none-match': tag }, 'HEAD')).toMatchObject({
      status: 304,
      etag: tag,
    });
    expect(await ask('/texts/current', {}, 'HEAD')).toMatchObject({
      status: 200,
      etag: tag,
      body: '',
    });
    answer = 'second';
    expect(await ask('/texts/current', { 'if-none-match': tag })).toMatchObject({
      status: 200,
      body: '{"data":"second"}',
    });
  });

  it("gives none to errors, items and what is not read, and keeps the handler's own, of streams too", async () => {
    const ask = await begin({ etag: true });
    for (const path of ['/texts/missing', '/texts/watch-texts', '/nowhere'])
      expect((await ask(path, { 'if-none-match': '*' })).etag).toBeNull();
    const { request } = await start({ capabilities, rest: { etag: true } });
    expect((await request('/texts', json({ text: 'a' }))).headers.get('etag')).toBeNull();
    expect(await ask('/texts/own')).toMatchObject({ status: 200, etag: '"own"' });
    expect(await ask('/texts/own', { 'if-none-match': 'W/"own"' })).toMatchObject({
      status: 304,
      etag: '"own"',
    });
    expect(await ask('/texts/file')).toMatchObject({ status: 200, etag: '"file"', body: 'x' });
    expect(await ask('/texts/file', { 'if-none-match': '"file"' })).toMatchObject({
      status: 304,
      body: '',
    });
  });

  it('has weak tags alone for compressed bytes', async () => {
    const ask = await begin({ etag: true, compression: true });
    const plain = await ask('/texts/long');
    const packed = await ask('/texts/long', { 'accept-encoding': 'gzip' });
    expect([plain.coding, packed.coding, packed.etag]).toEqual([null, 'gzip', plain.etag]);
    expect((await ask('/texts/long-own', { 'accept-encoding': 'gzip' })).etag).toBe('W/"long"');
    const again = await ask('/texts/long', {
      'accept-encoding': 'gzip',
      'if-none-match': String(packed.etag),
    });
    expect(again).toMatchObject({ status: 304, coding: null, etag: packed.etag });
    expect(again.response.headers.get('vary')).toBe('Accept-Encoding');
  });

  it('says how long answers may be kept: as the handler says, else the capability, and never errors', async () => {
    const ask = await begin({});
    expect((await ask('/texts/own')).control).toBe('no-store');
    expect((await ask('/texts/public')).control).toBe('public, max-age=60');
    expect((await ask('/texts/current')).control).toBeNull();
    expect((await ask('/texts/watch-texts')).control).toBe('no-cache, no-transform');
    expect((await ask('/texts/missing')).control).toBeNull();
    const { request } = await start({ capabilities });
    expect((await request('/texts', json({ text: 'a' }))).headers.get('cache-control')).toBe(
      'no-store',
    );
    expect(
      (await request('/texts', json({ text: 'a' }, 'PATCH'))).headers.get('cache-control'),
    ).toBeNull();
  });

  it('is in the document that is served', async () => {
    const ask = await begin({ etag: true, docs: true });
    const { paths } = JSON.parse((await ask('/openapi.json')).body) as {
      paths: Record<string, unknown>;
    };
    const responses = { 200: { headers: { etag: {}, 'cache-control': {} } }, 304: {} };
    expect(paths['/texts/public']).toMatchObject({ get: { responses } });
  });

  it('does nothing unless it is asked for', async () => {
    const ask = await begin({});
    expect(await ask('/texts/own', { 'if-none-match': '"own"' })).toMatchObject({
      status: 200,
      etag: '"own"',
    });
    expect(await ask('/texts/current')).toMatchObject({ etag: null, control: null });
  });
});

it('is in the document', () => {
  const { paths } = generateOpenAPI(capabilities, { etag: true });
  const headersOf = (path: string, method: 'get' | 'post' | 'patch' | 'delete'): unknown =>
    Object.fromEntries(
      Object.entries(paths[path]?.[method]?.responses ?? {}).flatMap(([status, response]) =>
        '$ref' in response ? [] : [[status, Object.keys(response.headers ?? {})]],
      ),
    );
  const both = ['cache-control', 'etag'];
  expect(headersOf('/texts/public', 'get')).toEqual({ 200: both, 304: both });
  expect(headersOf('/texts/current', 'get')).toEqual({ 200: ['etag'], 304: ['etag'] });
  expect(headersOf('/texts/watch-texts', 'get')).toEqual({ 200: [] });
  expect(headersOf('/texts', 'post')).toEqual({ 200: ['cache-control'] });
  expect(headersOf('/texts', 'patch')).toEqual({ 200: [] });
  expect(headersOf('/texts/move-text', 'get')).toEqual({ 302: ['Location'] });
  expect(
    Object.keys(generateOpenAPI(capabilities).paths['/texts/current']?.['get']?.responses ?? {}),
  ).not.toContain('304');
});

it.each([
  [
    () => capability(() => 1).cacheControl('max-age: 60'),
    ".cacheControl: expected directives such as 'private, max-age=60', got 'max-age: 60'.",
  ],
  [() => capability(() => 1).cacheControl('a\r\nb: c'), '.cacheControl: expected directives'],
])('refuses directives that cannot be: %#', (declare, message) => {
  expect(declare).toThrow(message);
});
