import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, createServer, silentLogger } from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';

const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: `Row ${id} äöü`, at: new Date(0) }));
const Row = z.object({ id: z.int(), name: z.string(), at: z.date() });
const a = {
  listRows: capability(
    z.object({ page: z.int().default(1), state: z.string().optional() }),
    () => rows,
    'query',
  ).output(z.array(Row)),
  report: capability(z.object({ week: z.int() }), () => ({ title: 'Report', rows, total: 5000 }), 'query'),
  text: capability(() => 'ä'.repeat(300_000), 'query'),
  nested: capability(() => ({ one: { big: { rows } } }), 'query'),
  one: capability(
    z.object({ id: z.int() }),
    () => Object.fromEntries(rows.map(({ id, name }) => [`k${id}`, name])),
    'mutation',
  ),
  small: capability(() => rows.slice(0, 10), 'query'),
};

async function call(name: string, input: Record<string, unknown> = {}) {
  const client = await connectToTools({ capabilities: { a } });
  await client.listTools(); // The client checks answers against what the list says of them.
  const result = await client.callTool({ name: `a_${name}`, arguments: input });
  const [first = '', ...notes] = (result.content as { text: string }[]).map(({ text }) => text);
  return { isError: result.isError === true, first, notes, data: (result.structuredContent as { data?: never })?.data };
}

describe('an answer that is too long', () => {
  it('is the first items of a list, and says how many there are and how to get them', async () => {
    const { first, notes, data } = await call('listRows');
    const items = JSON.parse(first) as unknown[];
    expect(items).toEqual(data);
    expect(items).toEqual(JSON.parse(JSON.stringify(rows.slice(0, items.length))));
    const bytes = Buffer.byteLength(first);
    expect([bytes <= 100_000, bytes > 99_900]).toEqual([true, true]);
    expect(notes).toEqual([
      `Note: this is the start of the answer, ${items.length} of 5000 items. The whole answer has 343 kB, and one answer at most 100 kB. For the rest, call again with other values of page.`,
    ]);
  });

  it('is an object whose longest field is cut, however deep it stands', async () => {
    const { data, notes } = await call('report', { week: 7 });
    const { title, total, rows: some } = data as unknown as { title: string; total: number; rows: unknown[] };
    expect([title, total]).toEqual(['Report', 5000]);
    expect(notes[0]).toContain(`rows: ${some.length} of 5000 items.`);
    expect(notes[0]).toContain('ask for less at a time: call again with other values of week.');
    expect((await call('nested')).notes[0]).toMatch(/one: big: rows: \d+ of 5000 items/);
  });

  it('is the first characters of a text, which are told apart from the note', async () => {
    const { first, notes } = await call('text');
    expect(JSON.parse(first)).toBe('ä'.repeat(49_999));
    expect(notes[0]).toContain('49999 of 300000 characters. The whole answer has 600 kB');
    expect(notes[0]).toContain('tell the user that the rest cannot be had by this tool');
  });

  it('is refused where no part of it fits, and says so of a call that has changed something', async () => {
    const { isError, first } = await call('one', { id: 1 });
    expect(isError).toBe(true);
    expect(first).toMatch(/^PayloadTooLarge \(413\): The call has been made\. The whole answer has \d+ kB/);
  });

  it('is nothing but the answer below that', async () => {
    const { notes, data } = await call('small');
    expect([notes, data]).toEqual([[], JSON.parse(JSON.stringify(rows.slice(0, 10)))]);
  });
});

it('the limit leaves room for an item', async () => {
  const start = () =>
    createServer({
      capabilities: { a },
      logger: silentLogger,
      transports: [mcpTransport({ port: 0, maxResultBytes: 10 })],
    });
  expect(start).toThrow('mcpTransport maxResultBytes: expected 1000 or more, got 10.');
});
