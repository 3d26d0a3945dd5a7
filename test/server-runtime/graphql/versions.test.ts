import { version } from 'graphql';
import { expect, it } from 'vitest';

/** `vitest.config.ts` runs this folder twice: with graphql 16, and with 17. */
it('57 graphql 16 and 17, Node 20–26', () => {
  expect(version.split('.')[0]).toBe(process.env['CAPIX_GRAPHQL'] ?? '16');
});
