import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { server, takeReceived } from '../generators/kinds/app.mjs';
import { columns, operations, send, streamedItems, values } from '../generators/kinds/cases.mjs';
import { judge, toWorst } from '../generators/kinds/judge.mjs';
import { programs } from '../generators/kinds/programs.mjs';
import { findLosses, readRows, toRow, writeRows } from '../generators/kinds/table.mjs';
import { packageRoot } from '../helpers/run-capix.ts';

const page = readFileSync(join(packageRoot, 'docs', 'compatibility.md'), 'utf8');
const kinds = columns.map(({ title }) => title);

describe('the table of docs/compatibility.md that npm run generators writes', () => {
  const { day, head, rows, text } = readRows(page);

  it('has a row for each of at least 16 programs, in the version that is installed', () => {
    expect(programs.length).toBeGreaterThanOrEqual(16);
    const versions = [...rows].map(([title, cells]) => [title, cells.get('Version')]);
    expect(versions).toEqual(
      programs.map(({ title, packages }) => [title, Object.values(packages).join(', ')]),
    );
  });

  it('has a column for each of the ten kinds, and says of each cell what happens', () => {
    expect(kinds).toHaveLength(10);
    expect(head).toEqual(['Program', 'Version', 'Asks for Node', ...kinds]);
    const words = [...rows.values()].flatMap((cells) => kinds.map((kind) => cells.get(kind)));
    expect(words.filter((word) => !['right', 'wrong', 'silent', '–'].includes(word ?? ''))).toEqual(
      [],
    );
  });

  it('says the day on which it was written', () => {
    expect(Date.parse(day ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('tells what was seen in each cell that is not right', () => {
    const notes = text.split('\n').filter((line) => line.startsWith('- '));
    for (const [title, cells] of rows)
      for (const kind of kinds.filter((each) =>
        ['wrong', 'silent'].includes(cells.get(each) ?? ''),
      )) {
        const note = notes.find((line) => line.startsWith(`- ${title}: `));
        expect(note, title).toContain(`${kind}: `);
      }
  });
});

it('answers each call of the table with what was sent, where the caller is right', async () => {
  const [{ url = '' } = {}] = await server.start();
  try {
    for (const operation of operations)
      for (const value of values[operation] ?? []) {
        takeReceived();
        const answered = await send(url, operation, value);
        expect(answered).toEqual(operation === 'streams' ? streamedItems : value);
        expect(takeReceived()).toEqual({ requests: 1, arrivals: [{ operation, input: value }] });
      }
  } finally {
    await server.stop({ graceMs: 0 });
  }
});

describe('what a call is called', () => {
  const value = { tags: ['a'] };
  const call = { operation: 'lists', value, isValid: true, isRead: true, answered: value };
  const arrived = (input: unknown) => ({ arrivals: [{ operation: 'lists', input }], requests: 1 });

  it.each([
    ['right', 'client', { ...call, ...arrived(value) }],
    ['silent', 'client', { ...call, ...arrived({ tags: ['b'] }) }],
    ['silent', 'client', { ...call, ...arrived(value), answered: { tags: 'a' } }],
    ['silent', 'client', { ...call, arrivals: [] }],
    ['wrong', 'client', { ...call, arrivals: [], error: '404' }],
    ['right', 'validator', { ...call, isValid: false, error: 'no', requests: 0, arrivals: [] }],
    ['silent', 'validator', { ...call, isValid: false, error: '400', requests: 1, arrivals: [] }],
    ['wrong', 'validator', { ...call, error: 'no', requests: 0, arrivals: [] }],
    ['right', 'mock', call],
    ['silent', 'mock', { ...call, objection: 'tags is missing' }],
    ['none', 'mock', { operation: 'lists', left: true }],
  ] as const)('is %s', (outcome, role, record) => {
    expect(judge(role, record).outcome).toBe(outcome);
  });

  it('is that of the worst value of its kind', () => {
    const right = { outcome: 'right' };
    const wrong = { outcome: 'wrong' };
    const silent = { outcome: 'silent' };
    expect(toWorst([right, wrong, silent])).toBe(silent);
    expect(toWorst([right, wrong])).toBe(wrong);
    expect(toWorst([])).toEqual({ outcome: 'none' });
  });

  it('fails the run where it was right on the page, and is no longer', () => {
    const program = { title: 'A', group: 'B', role: 'client' };
    const good = { ...call, ...arrived(value) };
    const facts = { version: '1', engines: undefined };
    const empty = '<!-- kinds -->\n<!-- end of kinds -->';
    const written = writeRows(empty, [toRow(program, [good], facts)], {
      day: '2026-01-02',
      node: '24',
    });
    const bad = toRow(program, [{ ...good, error: 'late' }], facts);
    expect(findLosses(written, [bad])).toEqual(['A, lists: wrong, late']);
    expect(findLosses(written, [toRow(program, [good], facts)])).toEqual([]);
  });
});
