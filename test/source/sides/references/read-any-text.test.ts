import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAnyText } from '../../../../source/sides/references/read-any-text.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const invalid = async (text: string) => {
  const parsed = await readAnyText(encode(text));
  return parsed.kind === 'invalid' ? `${parsed.place} ${parsed.reason}` : parsed.document;
};

it.each([
  ['{"a": 1,}', ':1:9: "}" is not expected here in JSON'],
  ['{\n  "a": tru\n}', ':2:11: "\\n" is not expected here in JSON'],
  ['{"a": [1, 2', ':1:12: the end of the file is not expected here in JSON'],
  ['{"a": "b\nc"}', ':1:9: "\\n" is not expected here in JSON'],
  ['{"a": 01}', ':1:8: "1" is not expected here in JSON'],
  [
    'a: [b',
    ':1:6: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['a: 1\na: 2', ':2:1: Map keys must be unique'],
  ['a: *gone', ':1:1: Unresolved alias (the anchor must be set before the alias): gone'],
  ['just words', ' is neither JSON nor YAML'],
  ['[]', ' is neither JSON nor YAML'],
])('%j is told with its place', async (text, reason) => {
  expect(await invalid(text)).toBe(reason);
});

it('names the first character that no JSON has there, wherever it stands', async () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.constant(true), fc.constant(null), tie('list')),
    list: fc.array(tie('any'), { maxLength: 4 }),
  })).list;
  await fc.assert(
    fc.asyncProperty(value, fc.nat(), async (list, place) => {
      const text = JSON.stringify({ list }, undefined, 1).replace('"list"', '"l"');
      const at = 1 + (place % (text.length - 1));
      // In the only name it would be a part of it.
      fc.pre(at <= text.indexOf('"') || at > text.lastIndexOf('"'));
      const lines = text.slice(0, at).split('\n');
      const expected = `:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}: "§" is not expected here in JSON`;
      expect(await invalid(`${text.slice(0, at)}§${text.slice(at)}`)).toBe(expected);
    }),
  );
});

it.each([
  ['UTF-8 with its mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"a":1}')])],
  ['UTF-16 as PowerShell writes it', Buffer.from('\uFEFF{"a":1}', 'utf16le')],
  ['UTF-16 the other way round', Buffer.from('\uFEFF{"a":1}', 'utf16le').swap16()],
  ['YAML with a comment', Buffer.from('# yaml\na: 1\n')],
])('%s is read', async (_, bytes) => {
  expect(await readAnyText(bytes)).toEqual({ kind: 'document', document: { a: 1 } });
});

it('reads the merge keys of YAML', async () => {
  expect(await invalid('base: &base\n  a: 1\nother:\n  <<: *base\n  b: 2\n')).toEqual({
    base: { a: 1 },
    other: { a: 1, b: 2 },
  });
});

it('says of a compressed file that it is one', async () => {
  const parsed = await readAnyText(Uint8Array.from([0x1f, 0x8b, 8, 0]));
  expect(parsed).toMatchObject({ kind: 'invalid', reason: 'is compressed: unpack it first' });
});
