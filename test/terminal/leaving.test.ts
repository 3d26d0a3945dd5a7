import { describe, it } from 'vitest';
import { everyScreen } from '../helpers/every-screen.ts';
import { expectToLeave, expectToLeaveByException, openBookshop } from '../helpers/open-bookshop.ts';

// Each screen is left in every way: by Ctrl-C, by SIGTERM and with its window in `every-screen.test.ts`, by SIGHUP in `hand-over.test.ts`, by its key
// in `filter-and-reload.test.ts`, by an exception in `foreign-text.test.ts`, where a process that has done something else before is left. Here are
// those that the last two do not open.
const screensOf = (...names: readonly string[]) =>
  everyScreen
    .filter(({ name }) => names.includes(name))
    .map((screen) => [screen.name, screen] as const);

describe('leaves the terminal as before', () => {
  it.each(screensOf('check'))('by its key: %s', async (_, screen) => {
    await expectToLeave(await openBookshop(screen), screen, 'its key');
  });

  it.each(screensOf('new'))('by an exception, and says which on stderr: %s', async (_, screen) => {
    await expectToLeaveByException(
      await openBookshop(screen, { NODE_OPTIONS: '--import=./throw-on-signal.mjs' }),
    );
  });
});
