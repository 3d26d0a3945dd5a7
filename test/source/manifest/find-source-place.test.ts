import { expect, it } from 'vitest';
import { findErrorPlace } from '../../../source/manifest/find-source-place.ts';

it.each([
  ['a stack', 'Error: no\n    at node:internal/x:1:2\n    at connect (/shop/src/pool.ts:3:9)'],
  [
    'a stack in a line of JSON',
    String.raw`{"err":{"stack":"Error: no\n    at connect (/shop/src/pool.ts:3:9)\n    at run"}}`,
  ],
])('finds the first place of the project in %s', (_name, text) => {
  expect(findErrorPlace(text, '/shop')).toEqual({ file: '/shop/src/pool.ts', line: 3, column: 9 });
});

it('finds none in what is no stack', () => {
  expect(findErrorPlace('server listens at /shop/src:3', '/shop')).toBeUndefined();
  expect(findErrorPlace(undefined, '/shop')).toBeUndefined();
});
