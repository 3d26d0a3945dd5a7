import { version } from 'graphql';
import { expect, it } from 'vitest';

/** `npm test` runs this folder with graphql 16, and `npm run compat:graphql` with 17. */
it('57 graphql 16 and 17, Node 20–26', () => {
  expect(version.split('.')[0]).toBe(process.env['CAPIX_GRAPHQL'] ?? '16');
});
