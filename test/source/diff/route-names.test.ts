import { expect, it } from 'vitest';
import { compare } from '../../../source/contract/compare.ts';
import { toDiffRows } from '../../../source/diff/diff-rows.ts';
import { toDiffMarkdown, toDiffText } from '../../../source/diff/diff-text.ts';
import type { Compared } from '../../../source/diff/load-compared.ts';
import type { ContractSide } from '../../../source/sides/load-sides.ts';

function toDocument(paths: object): object {
  return { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths };
}

const get = { responses: { 200: { description: 'Done' } } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const before = toDocument({ '/users/{id}': { get: { ...get, parameters: [id] } } });
const after = toDocument({
  '/users/{id}': { get: { ...get, deprecated: true, parameters: [id] } },
  '/users/me': { get },
});
const toSide = (label: string, document: object) =>
  ({ label, manifest: { document }, notes: [], unread: [] }) as unknown as ContractSide;
const compared: Compared = {
  diff: compare(before, after),
  ignored: [],
  sides: [toSide('a', before), toSide('b', after)],
  notes: [],
  unread: [],
};

it('names an operation without an `operationId` by its route, once', () => {
  const lines = toDiffText(compared).split('\n');
  expect(lines).toContain('  GET /users/{id}');
  expect(lines).toContain('  GET /users/me');
  expect(toDiffMarkdown(compared)).toContain('| `GET /users/{id}` |');
  const rows = toDiffRows(compared, new Map()).flatMap(({ children = [] }) => children);
  expect(rows.map(({ line }) => line.map(({ text }) => text.trim()).join('|'))).toEqual([
    expect.stringMatching(/\|GET \/users\/\{id\}\|$/),
    expect.stringMatching(/\|GET \/users\/me\|$/),
  ]);
});

it('names the routes of both once where one takes requests of the other', () => {
  expect(toDiffText(compared)).toContain('GET /users/me takes requests that GET /users/:id took');
});
