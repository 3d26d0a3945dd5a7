import { expect, it } from 'vitest';
import { compare } from '../../../source/contract/compare.ts';
import { toDiffRows } from '../../../source/diff/diff-rows.ts';
import { toDiffMarkdown, toDiffText } from '../../../source/diff/diff-text.ts';
import { toTotalsText } from '../../../source/diff/diff-totals.ts';
import type { Compared } from '../../../source/diff/load-compared.ts';
import type { ContractSide } from '../../../source/sides/load-sides.ts';

/** A document in which every operation answers with the same component, and the last one takes it, too. */
function toDocument(operationCount: number, ...fields: readonly string[]): object {
  const $ref = '#/components/schemas/Entity';
  const content = { 'application/json': { schema: { $ref } } };
  const responses = { 200: { description: 'Done', content } };
  const paths = Array.from({ length: operationCount }, (_, at) => [
    `/things-${at}`,
    { get: { operationId: `getThing${at}`, responses } },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      ...Object.fromEntries(paths),
      '/single': { post: { operationId: 'createThing', requestBody: { content } } },
    },
    components: {
      schemas: {
        Entity: {
          type: 'object',
          properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
        },
      },
    },
  };
}

function toCompared(before: object, after: object): Compared {
  const toSide = (label: string, document: object) =>
    ({ label, manifest: { document }, notes: [], unread: [] }) as unknown as ContractSide;
  return {
    diff: compare(before, after),
    ignored: [],
    sides: [toSide('old.json', before), toSide('new.json', after)],
    notes: [],
    unread: [],
  };
}

const few = toCompared(toDocument(5, 'state', 'name'), toDocument(5, 'name'));

it('tells a change of a component once, with what it reaches, and counts it once', () => {
  expect(toDiffText(few)).toBe(`Shared (1)

    breaking  \`Entity.state\` was removed: readers miss it (HTTP callers, typed client, agents)
              5 capabilities: getThing0, getThing1, getThing2 and 2 more

Changed (1)

  createThing  POST /single
    risky     \`state\` was removed: it is no longer taken (HTTP callers, typed client, agents)

1 breaking, 1 risky, 0 safe
`);
  expect(toTotalsText(few.diff)).toBe('1 breaking, 1 risky, 0 safe');
});

it('leaves what one capability has where it is', () => {
  const one = toCompared(toDocument(1, 'state', 'name'), toDocument(1, 'name'));
  expect(toDiffText(one)).not.toContain('Shared');
  expect(toDiffText(one)).toContain('getThing0    GET /things-0\n    breaking  `200.state` was');
});

it('groups alike on the screen, the worst first', () => {
  const rows = toDiffRows(few, new Map());
  const toText = (row: (typeof rows)[number]) => row.line.map(({ text }) => text).join('');
  expect(rows.map(toText)).toEqual(['Shared (1)', 'Changed (1)']);
  const shared = rows[0]?.children?.[0];
  expect(shared && toText(shared)).toMatch(/Entity\.state was removed {2}5 places$/);
  expect(shared?.children?.map(toText)[4]).toBe('getThing4  output.200.state');
});

it('fits a comment on a pull request, the worst first, and says what has no room', () => {
  const names = Array.from({ length: 900 }, (_, at) => `a field of quite a long name ${at}`);
  const before = toDocument(40, ...names, 'z');
  const large = toCompared(before, toDocument(40, 'z', 'fresh'));
  const text = toDiffMarkdown(large);
  expect(text.length).toBeLessThanOrEqual(65_536);
  expect(text.length).toBeGreaterThan(60_000);
  const classes = [...text.matchAll(/^\| (\*\*breaking\*\*|\*\*risky\*\*|safe) /gm)].map(
    (row) => row[1],
  );
  expect(new Set(classes)).toEqual(new Set(['**breaking**']));
  expect(text).toContain('| 40: `getThing0`, `getThing1`, `getThing2` and 37 more |');
  const left = Number(/^(\d+) more have no room in a comment/m.exec(text)?.[1]);
  expect(left + classes.length).toBe(1802);
});

it('cuts what alone would fill a comment', () => {
  const toEnum = (values: readonly string[]) =>
    JSON.parse(
      JSON.stringify(toDocument(1, 'state')).replace(
        '"state":{"type":"string"}',
        `"state":${JSON.stringify({ type: 'string', enum: values })}`,
      ),
    ) as object;
  const values = Array.from({ length: 20_000 }, (_, at) => `value-${at}`);
  const text = toDiffMarkdown(toCompared(toEnum(['a', ...values]), toEnum(['a'])));
  expect(text.length).toBeLessThan(6_000);
  expect(text).toContain('**breaking**');
});

it('lets no name of others begin a line', () => {
  const before = toDocument(1, 'a\n::error::stolen', 'No differences\nNo differences');
  const text = toDiffText(toCompared(before, toDocument(1)));
  expect(text).toContain('::error::stolen');
  expect(text).not.toMatch(/^(::error|No differences)/m);
});
