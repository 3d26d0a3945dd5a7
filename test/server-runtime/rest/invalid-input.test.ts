import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  generateOpenAPI,
  type Server,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { connectToTools } from '../../helpers/connect-to-tools.ts';
import { describeOverSockets, describeThroughEveryDoor } from '../../helpers/every-door.ts';
import { json, type RunningRest, startOverSocket } from '../../helpers/start-rest.ts';

const texts = z.object({ tags: z.array(z.string()) });
const FAULTS = 100_000;
const faulty = { tags: Array.from({ length: FAULTS }, () => 1) };
const KIB = 1024;

interface Refusal {
  readonly message: string;
  readonly meta: {
    readonly issues: readonly string[];
    readonly fields: readonly {
      readonly path: string;
      readonly message: string;
      readonly received?: unknown;
    }[];
    readonly omitted?: number;
  };
}

async function refuse(
  { request }: RunningRest,
  input: object,
): Promise<Refusal & { readonly bytes: number }> {
  const response = await request('/things', json(input));
  const text = await response.text();
  expect([response.status, text.slice(0, 60)]).toEqual([
    400,
    '{"error":"BadRequest","message":"Input validation failed","m',
  ]);
  return { ...(JSON.parse(text) as Refusal), bytes: Buffer.byteLength(text) };
}

describeThroughEveryDoor('an input of many faults', (start) => {
  const of = (schema: z.ZodType) =>
    start({ capabilities: { things: { createThing: capability(schema, () => 1) } } });

  it('is told of the first 50, and of how many more there are', async () => {
    const { meta, bytes } = await refuse(await of(texts), faulty);
    expect([meta.issues.length, meta.fields.length, meta.omitted]).toEqual([50, 50, FAULTS - 50]);
    expect(meta.fields[49]).toMatchObject({ path: 'tags.49', received: 1 });
    expect(bytes).toBeLessThan(64 * KIB);
  });

  it('is told of all where they are 50, and of none besides', async () => {
    const { meta } = await refuse(await of(texts), { tags: faulty.tags.slice(0, 50) });
    expect([meta.issues.length, meta.fields.length]).toEqual([50, 50]);
    expect(meta).not.toHaveProperty('omitted');
  });

  it('costs no texts besides those that are told', async () => {
    let made = 0;
    const counted = z.string({ error: () => `Fault ${++made}` });
    await refuse(await of(z.object({ tags: z.array(counted) })), faulty);
    expect(made).toBe(50);
  });

  it('is told of the first 50 where the faults are found later', async () => {
    const later = z.object({ tags: z.array(z.number().refine(async () => false, 'Taken')) });
    const { meta } = await refuse(await of(later), { tags: faulty.tags.slice(0, 60) });
    expect([meta.issues.length, meta.omitted]).toEqual([50, 10]);
  });
});

describeOverSockets('the answer to an invalid input is never longer than 64 KiB', () => {
  const control = '\u0001'.repeat(1_500);
  const keys = (count: number, key: (at: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [key(at), 1]));
  const records = z.object({ named: z.record(z.string(), z.string()) });

  it.each([
    [
      'names that JSON writes six times as long',
      records,
      { named: keys(100, (at) => at + control) },
    ],
    [
      'names of three bytes a letter',
      records,
      { named: keys(100, (at) => at + '語'.repeat(3_000)) },
    ],
    ['one name of a megabyte', records, { named: keys(1, () => 'x'.repeat(1_000_000)) }],
    [
      'texts that JSON writes six times as long',
      z.object({ tags: z.array(z.number()) }),
      { tags: Array.from({ length: 100 }, () => control) },
    ],
    ['names that nobody knows', z.strictObject({}), keys(50_000, (at) => `unknown ${at}`)],
    ['a long list in place of a text', z.object({ tags: z.string() }), faulty],
    [
      'many names in place of a text',
      z.object({ named: z.string() }),
      { named: keys(50_000, (at) => `password ${at}`) },
    ],
    ['a text of a megabyte', z.object({ text: z.email() }), { text: 'x'.repeat(1_000_000) }],
    [
      'a message that repeats it',
      z.object({ text: z.string().superRefine((text, ctx) => ctx.addIssue(`Not ${text}`)) }),
      { text: 'x'.repeat(1_000_000) },
    ],
  ])('with %s', async (_what, schema, input) => {
    const running = await startOverSocket({
      capabilities: { things: { createThing: capability(schema, () => 1) } },
    });
    const { meta, bytes } = await refuse(running, input);
    expect(bytes).toBeLessThan(64 * KIB);
    expect(meta.issues.length).toBe(meta.fields.length);
    expect(meta.fields.length).toBeGreaterThan(0);
    for (const { path, message, received } of meta.fields) {
      expect([
        path.length <= 501,
        message.length <= 501,
        JSON.stringify(received ?? '').length,
      ]).toEqual([true, true, expect.any(Number)]);
      expect(typeof received === 'string' ? received.length : 0).toBeLessThanOrEqual(201);
    }
  });

  it('and counts what did not fit', async () => {
    const running = await startOverSocket({
      capabilities: { things: { createThing: capability(records, () => 1) } },
    });
    const { meta } = await refuse(running, { named: keys(100, (at) => at + control) });
    expect(meta.fields.length + (meta.omitted ?? 0)).toBe(100);
    expect(meta.fields.length).toBeLessThan(50);
  });
});

describeOverSockets('an input of many faults elsewhere', () => {
  const capabilities = { things: { createThing: capability(texts, () => 1) } };

  it('rejects invoke with the first 50', async () => {
    const server: Server = createServer({ capabilities, logger: silentLogger });
    await expect(
      server.invoke({ capability: 'things.createThing', input: faulty }),
    ).rejects.toMatchObject({
      status: 400,
      meta: { fields: { length: 50 }, issues: { length: 50 }, omitted: FAULTS - 50 },
    });
  });

  it('tells an agent the first 50, and of how many more there are', async () => {
    const client = await connectToTools({ capabilities });
    const { content } = await client.callTool({ name: 'things_createThing', arguments: faulty });
    const lines = (content as [{ text: string }])[0].text.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'BadRequest (400): Input validation failed',
      'Correct these fields and call again:',
      '- tags[0]: Invalid input: expected string, received number (received 1)',
    ]);
    expect(lines.slice(52)).toEqual([`- and ${FAULTS - 50} more`]);
  });

  it('names the first 50 in the log where the handler made them', async () => {
    const getThings = capability(() => faulty.tags as unknown as string[]).output(
      z.array(z.string()),
    );
    const { request, log } = await startOverSocket({ capabilities: { things: { getThings } } });
    expect((await request('/things')).status).toBe(500);
    expect(String(log.errors[0]?.error)).toMatch(
      new RegExp(
        `^TypeError: things.getThings returned .*: 0: Invalid .*; 49: .*; and ${FAULTS - 50} more$`,
      ),
    );
  });
});

it('of the advised schemas of a date and a big integer takes such texts, as the document says, and nothing else', async () => {
  const Fields = z.object({
    at: z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
    size: z
      .string()
      .regex(/^-?\d+$/)
      .pipe(z.coerce.bigint()),
  });
  const createThing = capability(Fields, ({ at, size }) => [at.getTime(), String(size)]);
  const { request } = await startOverSocket({ capabilities: { things: { createThing } } });
  const valid = { at: '2026-01-31T10:00:00Z', size: '12' };
  const send = async (sent: object) =>
    (await request('/things', json({ ...valid, ...sent }))).status;
  expect(await send({})).toBe(200);
  for (const wrong of [null, 0, true, '', [], '2026', {}])
    expect([
      wrong,
      await send({ at: wrong }),
      await send({ size: wrong === '2026' ? 2026 : wrong }),
    ]).toEqual([wrong, 400, 400]);
  const { components, paths } = generateOpenAPI({ things: { createThing } });
  expect(JSON.stringify([components, paths])).toContain(
    '"at":{"type":"string","format":"date-time"',
  );
});
