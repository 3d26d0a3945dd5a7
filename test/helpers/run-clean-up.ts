import { afterAll, afterEach } from 'vitest';
import { cleanUp } from './clean-up.ts';

// Vitest runs this file before each file of tests. Helpers are imported once for many files: hooks of their own would count for the first one alone.
// A test that runs beside others of its file ends itself what it has opened.
afterEach(async ({ task }) => {
  if (task.concurrent === true) return;
  for (const end of cleanUp.afterEachTest) await end();
});
afterAll(async () => {
  for (const end of [...cleanUp.afterEachTest, ...cleanUp.afterEachFile]) await end();
});
