import { expect, it } from 'vitest';
import { compare } from '../../../source/contract/compare.ts';

/** An API that takes and gives bytes. */
function toDocument([version, schema]: readonly [version: string, schema: object]): object {
  const content = { 'application/octet-stream': { schema } };
  const responses = { 200: { description: 'It', content } };
  const put = { operationId: 'put', requestBody: { content }, responses };
  return { openapi: version, paths: { '/a': { put } } };
}

const binary = { type: 'string', format: 'binary' };
const smaller = [
  'breaking `input` has the maximum size 5, it was 9',
  'safe `200` has the maximum size 5, it was 9',
];

it.each([
  [
    'fewer bytes in the words of OpenAPI 3.0',
    ['3.0.3', { ...binary, maxLength: 9 }],
    ['3.0.3', { ...binary, maxLength: 5 }],
    smaller,
  ],
  [
    'fewer bytes in those of 3.1',
    ['3.1.0', { maxLength: 9 }],
    ['3.1.0', { maxLength: 5 }],
    smaller,
  ],
  [
    'fewer bytes, first in the words of 3.0, then in those of 3.1',
    ['3.0.3', { ...binary, maxLength: 9 }],
    ['3.1.0', { contentMediaType: 'image/png', maxLength: 5 }],
    smaller,
  ],
  [
    'bytes without a limit that have one now',
    ['3.1.0', {}],
    ['3.1.0', { maxLength: 5 }],
    [
      'breaking `input` has the maximum size 5, it was none',
      'safe `200` has the maximum size 5, it was none',
    ],
  ],
  [
    'bytes of another media type',
    ['3.1.0', { contentMediaType: 'image/png' }],
    ['3.1.0', { contentMediaType: 'image/gif' }],
    [
      'breaking `input` has the media type image/gif, it was image/png',
      'risky `200` has the media type image/gif, it was image/png',
    ],
  ],
  ['bytes in other words', ['3.0.3', binary], ['3.1.0', {}], []],
  ['bytes of a type in other words', ['3.0.3', binary], ['3.1.0', { contentMediaType: 'a/b' }], []],
] as const)('tells of %s', (_name, before, after, told) => {
  const { changed } = compare(toDocument(before), toDocument(after));
  const changes = changed.flatMap((capability) => capability.changes);
  expect(changes.map(({ class: type, message }) => `${type} ${message}`)).toEqual(told);
});
