import { describe, expect, it } from 'vitest';
import { everyScreen } from '../helpers/every-screen.ts';
import { expectNoProcessOf, expectTerminalAsBefore, expectToLeave, openBookshop } from '../helpers/open-bookshop.ts';

// Each screen is left in every way: by Ctrl-C, by SIGTERM and with its window in `every-screen.test.ts`, by SIGHUP in `hand-over.test.ts`,
// where a process that has done something else before is left.
describe.each(everyScreen.map((screen) => [screen.name, screen] as const))('%s', (_, screen) => {
  it('leaves the terminal as before by its key', async () => {
    await expectToLeave(await openBookshop(screen), screen, 'its key');
  });

  it('leaves the terminal as before by an exception, and says which on stderr', async () => {
    const { terminal, readError } = await openBookshop(screen, { NODE_OPTIONS: '--import=./throw-on-signal.mjs' });
    terminal.kill('SIGUSR2');
    expect(await terminal.ended).toMatchObject({ exitCode: 1 });
    expectTerminalAsBefore(terminal);
    expect(await readError()).toContain('error: the shelf fell');
    await expectNoProcessOf(terminal);
  });
});
