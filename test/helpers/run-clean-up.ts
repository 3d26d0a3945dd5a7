import { afterAll, afterEach } from 'vitest';
import { cleanUp } from './clean-up.ts';

// Vitest runs this file before each file of tests. Helpers are imported once for many files: hooks of their own would count for the first one alone.
afterEach(async () => {
  for (const task of cleanUp.afterEachTest) await task();
});
afterAll(async () => {
  for (const task of cleanUp.afterEachFile) await task();
});
