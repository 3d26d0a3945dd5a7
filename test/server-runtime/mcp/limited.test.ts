import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  blocks,
  bytes,
  capability,
  createServer,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { connectToTools, connectToUrl, serveTools } from '../../helpers/connect-to-tools.ts';

const rows = Array.from({ length: 5000 }, (_, id) => ({
  id,
  name: `Row ${id} äöü`,
  at: new Date(0),
}));
const Row = z.object({ id: z.int(), name: z.string(), at: z.date() });
const long = 'ä'.repeat(60_000);
const a = {
  listRows: capability(
    z.object({ page: z.int().default(1), state: z.string().optional() }),
    () => rows,
    'query',
  ).output(z.array(Row)),
  report: capability(
    z.object({ week: z.int() }),
    () => ({ title: 'Report', rows, total: 5000 }),
    'query',
  ),
  streamRows: capability(async function* () {
    yield* rows;
  }, 'query'),
  text: capability(() => long, 'query')
    .resource('a://text')
    .prompt(),
  parts: capability(() => blocks(long, { text: long, uri: 'a://part' }), 'query'),
  order: capability(z.object({ id: z.int() }), () => rows, 'mutation'),
  photo: capability(() => new Uint8Array(300_000), 'query').output(bytes('image/png')),
  small: capability(() => rows.slice(0, 10), 'query'),
};

async function call(name: string, input: Record<string, unknown> = {}) {
  const client = await connectToTools({ capabilities: { a } });
  await client.listTools(); // The client checks answers against what the list says of them.
  const result = await client.callTool({ name: `a_${name}`, arguments: input });
  const [first = ''] = (result.content as { text: string }[]).map(({ text }) => text);
  return {
    isError: result.isError === true,
    first,
    data: (result.structuredContent as { data?: never })?.data,
  };
}

describe('a result with more text than it may have', () => {
  it('is an error that says how much that is, and how much it may be', async () => {
    expect(await call('listRows')).toMatchObject({
      isError: true,
      data: undefined,
      first:
        'PayloadTooLarge (413): The result has 343 kB of text, and may have 100 kB. Ask for less at a time, or tell the user.',
    });
    expect((await call('report', { week: 7 })).first).toContain('343 kB');
    expect((await call('text')).first).toContain('120 kB');
  });

  it('is one whether it is data, a stream or parts', async () => {
    expect((await call('streamRows')).first).toMatch(
      /^PayloadTooLarge .* has more than 100 kB of text, and may have 100 kB/,
    );
    expect((await call('parts')).first).toMatch(/^PayloadTooLarge .* has 240 kB of text/);
  });

  it('says of a call that changes something that it has been made', async () => {
    expect((await call('order', { id: 1 })).first).toMatch(
      /^PayloadTooLarge \(413\): The call has been made\. /,
    );
  });

  it('is refused as a resource and as a prompt, too', async () => {
    const client = await connectToTools({ capabilities: { a } });
    const refusal = /PayloadTooLarge \(413\): The result has 120 kB of text, and may have 100 kB/;
    await expect(client.readResource({ uri: 'a://text' })).rejects.toThrow(refusal);
    await expect(client.getPrompt({ name: 'a_text' })).rejects.toThrow(refusal);
  });

  it('is given where the server allows it', async () => {
    const client = await connectToUrl(
      await serveTools({ capabilities: { a } }, { maxResultBytes: 1_000_000 }),
    );
    for (const name of ['a_listRows', 'a_streamRows'])
      expect(await client.callTool({ name, arguments: {} })).toMatchObject({
        structuredContent: { data: { length: 5000 } },
      });
  });
});

it('images and small results are as they are', async () => {
  expect((await call('small')).data).toEqual(JSON.parse(JSON.stringify(rows.slice(0, 10))));
  expect(await call('photo')).toMatchObject({ isError: false });
});

it.each([
  [
    { maxResultBytes: 10 },
    'mcpTransport maxResultBytes: expected an integer of at least 1000, got 10.',
  ],
  [{ port: 70_000 }, 'mcpTransport port: expected an integer from 0 to 65535, got 70000.'],
])('%j is refused at once', (options, message) => {
  const start = () =>
    createServer({
      capabilities: { a },
      logger: silentLogger,
      transports: [mcpTransport(options)],
    });
  expect(start).toThrow(message);
});
