import { Readable } from 'node:stream';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { blocks, bytes, capability, reply, text } from '../../../server-runtime/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]);
const encoded = Buffer.from(png).toString('base64');

type Result = Awaited<ReturnType<Client['callTool']>>;

async function call(run: () => unknown): Promise<Result> {
  const client = await connectToTools({
    capabilities: { a: { run: capability(run as () => string) } },
  });
  return client.callTool({ name: 'a_run', arguments: {} });
}

describe('bytes of a handler', () => {
  it.each<[string, () => unknown, object]>([
    [
      'a Response with an image',
      () => new Response(png, { headers: { 'content-type': 'image/png' } }),
      { type: 'image', data: encoded, mimeType: 'image/png' },
    ],
    [
      'audio in a reply',
      () => reply(png, { headers: { 'Content-Type': 'audio/wav; rate=8000' } }),
      { type: 'audio', data: encoded, mimeType: 'audio/wav' },
    ],
    [
      'a Response with a PDF',
      () => new Response(png, { headers: { 'content-type': 'application/pdf' } }),
      {
        type: 'resource',
        resource: { uri: 'capix://a.run', mimeType: 'application/pdf', blob: encoded },
      },
    ],
    [
      'a Buffer that is no text',
      () => Buffer.from(png),
      {
        type: 'resource',
        resource: { uri: 'capix://a.run', mimeType: 'application/octet-stream', blob: encoded },
      },
    ],
    [
      'a stream that is no text',
      () => Readable.from([png.subarray(0, 3), png.subarray(3)]),
      {
        type: 'resource',
        resource: { uri: 'capix://a.run', mimeType: 'application/octet-stream', blob: encoded },
      },
    ],
  ])('arrive whole: %s', async (_what, run, block) => {
    const result = await call(run);
    expect([result.content, result.structuredContent]).toEqual([[block], undefined]);
  });

  it.each<[string, () => unknown, unknown]>([
    ['a Buffer', () => Buffer.from('grüezi'), 'grüezi'],
    ['a stream', () => Readable.from([Buffer.from('grü'), Buffer.from('ezi')]), 'grüezi'],
    [
      'a Response',
      () => new Response('a,b\n', { headers: { 'content-type': 'text/csv' } }),
      'a,b\n',
    ],
    ['a Response with JSON', () => Response.json({ a: 1 }), { a: 1 }],
  ])('are a text or data where they are that: %s', async (_what, run, data) => {
    expect((await call(run)).structuredContent).toEqual({ data });
  });

  it('are an image where the declared answer says so', async () => {
    const getAvatar = capability(() => png, 'query').output(bytes('image/png'));
    const getNote = capability(() => 'hello', 'query').output(text('text/markdown'));
    const client = await connectToTools({ capabilities: { a: { getAvatar, getNote } } });
    const ask = (name: string) => client.callTool({ name, arguments: {} });
    expect((await ask('a_getAvatar')).content).toEqual([
      { type: 'image', data: encoded, mimeType: 'image/png' },
    ]);
    expect((await ask('a_getNote')).structuredContent).toEqual({ data: 'hello' });
  });
});

describe('blocks', () => {
  it('are parts of one answer: texts, bytes, embedded and linked resources', async () => {
    const result = await call(() =>
      blocks(
        'Sales:',
        { bytes: png, mimeType: 'image/png' },
        { bytes: png, mimeType: 'application/pdf', uri: 'shop://charts/1' },
        { bytes: png, mimeType: 'audio/mpeg' },
        { text: '{"a":1}', uri: 'shop://orders/1', mimeType: 'application/json' },
        { type: 'resource_link', uri: 'shop://orders', name: 'All orders' },
      ),
    );
    const image = { type: 'image', data: encoded, mimeType: 'image/png' };
    expect(result.content).toEqual([
      { type: 'text', text: 'Sales:' },
      image,
      {
        type: 'resource',
        resource: { uri: 'shop://charts/1', mimeType: 'application/pdf', blob: encoded },
      },
      { type: 'audio', data: encoded, mimeType: 'audio/mpeg' },
      {
        type: 'resource',
        resource: { uri: 'shop://orders/1', mimeType: 'application/json', text: '{"a":1}' },
      },
      { type: 'resource_link', uri: 'shop://orders', name: 'All orders' },
    ]);
  });

  it('are JSON over HTTP', async () => {
    const getChart = capability(
      z.object({}),
      () => blocks('Sales:', { bytes: png, mimeType: 'image/png' }),
      'query',
    );
    const { url } = await startOverSocket({ capabilities: { charts: { getChart } } });
    expect(await (await fetch(`${url}/charts`)).json()).toEqual({
      data: {
        blocks: [
          { type: 'text', text: 'Sales:' },
          { type: 'image', data: encoded, mimeType: 'image/png' },
        ],
      },
    });
  });
});
