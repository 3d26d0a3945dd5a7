// Boundary: whoever wrote a document. Promise: reading and comparing it takes time and memory in proportion to its size,
// whatever it refers to and however deep it is, and what is too deep or too large is refused by name.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toAllChanges } from '../../source/contract/changes/contract-change.ts';
import { compare } from '../../source/contract/compare.ts';
import { readOperations } from '../../source/document/operations/read-operations.ts';
import { AddressReader } from '../../source/sides/references/address-reader.ts';
import { readAnyText } from '../../source/sides/references/read-any-text.ts';

type Json = Readonly<Record<string, unknown>>;
const refersTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const count = (length: number) => Array.from({ length }, (_, index) => index);

/** A document of one operation, which takes and gives the schema `S0`. */
function toDocument(schemas: Json): Json {
  const content = { 'application/json': { schema: refersTo('S0') } };
  const post = { requestBody: { content }, responses: { 200: { content } } };
  const info = { title: 'a', version: '1' };
  return { openapi: '3.1.0', info, paths: { '/a': { post } }, components: { schemas } };
}

/** Each schema refers to the next one in some ways, and the last one is of a type. */
function toChain(levels: number, refer: (next: Json) => Json, type: string): Json {
  const links = count(levels).map((at) => [`S${at}`, refer(refersTo(`S${at + 1}`))]);
  return Object.fromEntries([...links, [`S${levels}`, { type }]]);
}
const toPair = (next: Json): Json => ({ type: 'object', properties: { a: next, b: next } });

/** Schemas within each other. */
function toNested(levels: number, type: string): Json {
  const S0 = count(levels).reduce<Json>((inner) => ({ type: 'object', properties: { a: inner } }), {
    type,
  });
  return { S0 };
}

const documents: Readonly<Record<string, (type: string) => Json>> = {
  'of 24 schemas that refer twice to the next': (type) => toChain(24, toPair, type),
  'of 2,000 schemas that refer twice to the next': (type) => toChain(2000, toPair, type),
  'of 30 lists and records of the next': (type) =>
    toChain(30, (next) => ({ type: 'object', properties: { a: { items: next }, b: next } }), type),
  'of 24 unions of the next and the next': (type) =>
    toChain(24, (next) => ({ anyOf: [next, toPair(next)] }), type),
  'of 24 intersections of the next and the next': (type) =>
    toChain(24, (next) => ({ allOf: [next, next] }), type),
  'of 24 intersections of the next, a part of it and the next': (type) =>
    toChain(24, (next) => ({ allOf: [next, { allOf: [next, { minLength: 1 }] }] }), type),
  'of 40 schemas that refer to all': (type) =>
    Object.fromEntries([
      ...count(40).map((at) => [
        `S${at}`,
        {
          type: 'object',
          properties: Object.fromEntries(count(41).map((to) => [`to${to}`, refersTo(`S${to}`)])),
        },
      ]),
      ['S40', { type }],
    ]),
  'of a schema that is itself': () => ({ S0: refersTo('S0') }),
  'of two schemas that are each other': () => ({ S0: refersTo('S1'), S1: refersTo('S0') }),
  'of an intersection of itself and more': (type) => ({
    S0: { allOf: [refersTo('S0'), { type }] },
  }),
  'of a union of 400': (type) => ({
    S0: {
      anyOf: count(400).map((at) => ({ type: 'object', properties: { [`a${at}`]: { type } } })),
    },
  }),
  'of unions of 70 in one intersection': (type) => ({
    S0: {
      allOf: count(2).map((side) => ({
        anyOf: count(70).map((at) => ({ properties: { [`a${side}${at}`]: { type } } })),
      })),
    },
  }),
  'of 20,000 values': (type) => ({ S0: { enum: count(20_000).map((at) => `${type}${at}`) } }),
  'of 20,000 fields': (type) => ({
    S0: { properties: Object.fromEntries(count(20_000).map((at) => [`a${at}`, { type }])) },
  }),
  'of 400 levels': (type) => toNested(400, type),
};

/** The time of this process, milliseconds: other programs run, too. */
async function measure(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('a comparison ends', () => {
  // The worst of them took more than a minute each, and the first one never ended.
  it.each(Object.keys(documents))('of a document %s', async (what) => {
    const [before, after] = ['string', 'integer'].map((type) =>
      toDocument(documents[what]?.(type) ?? {}),
    ) as [Json, Json];
    const took = await measure(() => {
      expect(toAllChanges(compare(before, before))).toEqual([]);
      compare(before, after);
      readOperations(before);
    });
    expect(took).toBeLessThan(15_000);
  });
});

const read = (text: string) => readAnyText(new TextEncoder().encode(text));
/** A list of ten times the one before, so many times. */
const toAliases = (levels: number): string =>
  count(levels)
    .map((at) => `a${at}: &a${at} [${at === 0 ? '1' : count(10).map(() => `*a${at - 1}`)}]`)
    .join('\n');

describe('a text is read or refused in bounded time', () => {
  it.each([
    ['lists of YAML that hold each other 10,000,000,000 times', toAliases(11), /alias/i],
    ['an anchor of YAML within itself', 'a: &a [*a]', /./],
    ['100,000 open lists of YAML', '['.repeat(100_000), /./],
    ['100,000 open records of YAML', 'a: {'.repeat(100_000), /./],
    ['100,000 open lists of JSON', `{"a":${'['.repeat(100_000)}`, /not expected/],
    ['100,000 lists of JSON', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /./],
    ['a record whose fault is its last character', `{"a":[${'1,'.repeat(500_000)}]}`, /not expect/],
    ['a text that is neither', 'x'.repeat(1_000_000), /neither/],
    [
      'indents of YAML',
      count(2000)
        .map((at) => `${' '.repeat(at)}a:`)
        .join('\n'),
      /./,
    ],
    ['keys of YAML that are merged again and again', `${toMerges(40)}`, /./],
  ])('that is %s', async (_what, text, reason) => {
    let found: Awaited<ReturnType<typeof read>> | undefined;
    const took = await measure(async () => {
      found = await read(text);
    });
    if (found?.kind === 'invalid') expect(found.reason).toMatch(reason);
    expect(took).toBeLessThan(15_000);
  });
});

function toMerges(levels: number): string {
  return count(levels)
    .map((at) => `a${at}: &a${at} { ${at === 0 ? 'x: 1' : `<<: [*a${at - 1}, *a${at - 1}]`} }`)
    .join('\n');
}

it('an answer is read up to the size that is allowed, and not to its end', async () => {
  let sent = 0;
  const chunk = Buffer.alloc(65_536, ' ');
  const endless = createServer((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
    };
    response.on('drain', more);
    more();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => endless.close().closeAllConnections());
  await once(endless, 'listening');
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/a.json`;
  const { text } = await new AddressReader({ maxSize: 2 }).read(url, true);
  expect(text).toMatchObject({ kind: 'invalid', reason: expect.stringContaining('2 MiB') });
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});
