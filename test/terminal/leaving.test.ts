import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import xterm from '@xterm/headless';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { everyScreen } from '../helpers/every-screen.ts';
import { openFixture } from '../helpers/fixture-project.ts';
import { expectToLeave, expectToLeaveByException, openBookshop } from '../helpers/open-bookshop.ts';
import { openTerminal, toModes } from '../helpers/open-terminal.ts';

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

it.skipIf(process.platform === 'win32')(
  'gives the terminal back to who started it where the tool is killed in the middle',
  async () => {
    const { root } = await openFixture('shop');
    const script = '"$@" < /dev/tty & echo $! > pid; wait $!; echo BACK; exec cat';
    const terminal = openTerminal(['list'], { cwd: root, script });
    onTestFinished(terminal.close);
    await terminal.waitFor('items.getItem');
    expect(terminal.isAlternate()).toBe(true);

    const pid = (await readFile(join(root, 'pid'), 'utf8')).trim();
    // The process that watches over the window begins after the first frame.
    await expect
      .poll(async () => (await execa('pgrep', ['-P', pid, 'sh'], { reject: false })).stdout)
      .not.toBe('');
    process.kill(Number(pid), 'SIGKILL');
    await expect.poll(() => terminal.isAlternate()).toBe(false);
    await terminal.waitFor('BACK');
    expect(toModes(terminal.output())).toMatchObject({ 25: 'h', 7: 'h', 1049: 'l' });
    // A little later keys are echoed, and Enter ends a line, as in every shell.
    const typeLine = (): string => {
      terminal.type('words\r');
      return terminal.screen();
    };
    await expect.poll(typeLine).toMatch(/words\nwords/);
  },
);

it('leaves the prompt a line of its own in a terminal that has no alternate screen', async () => {
  const { root } = await openFixture('shop');
  const terminal = openTerminal(['list'], { cwd: root });
  await terminal.waitFor('items.getItem');
  terminal.type('q');
  await terminal.ended;
  const window = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  onTestFinished(() => window.dispose());
  const output = terminal.output().replaceAll(/\u001B\[\?1049[hl]/g, '');
  await new Promise<void>((resolve) => window.write(`${output}PROMPT> `, resolve));
  const { active } = window.buffer;
  const rows = Array.from({ length: active.length }, (_, row) =>
    active.getLine(row)?.translateToString(true),
  );
  expect(rows.filter((row) => row?.includes('PROMPT'))).toEqual(['PROMPT> ']);
});
