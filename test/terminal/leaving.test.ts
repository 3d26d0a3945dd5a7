import { execFileSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { everyScreen } from '../helpers/every-screen.ts';
import { openFixture } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal, toModes } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

/** Throws in the process of the screen when it gets the signal. */
const throwOnSignal = "process.on('SIGUSR2', () => { throw new Error('the shelf fell'); });";

/** A form asks whoever leaves it once more. */
async function typeKey(open: OpenTerminal, key: string): Promise<void> {
  open.type(key);
  if (key !== '\u001B') return;
  await open.waitFor('Esc again leaves.');
  open.type(key);
}

const ways = [
  ['its key', typeKey, { exitCode: 0 }],
  ['Ctrl-C', (open: OpenTerminal) => open.type('\u0003'), { exitCode: 130 }],
  ['SIGTERM', (open: OpenTerminal) => open.kill('SIGTERM'), { signal: 15 }],
  ['SIGHUP', (open: OpenTerminal) => open.kill('SIGHUP'), { signal: 1 }],
] as const;

/** Written to stderr by what hides the cursor, whatever stderr is. */
const showCursor = '\u001B[?25h';

async function openBookshop(words: readonly string[], shown: string, env: Readonly<Record<string, string>> = {}) {
  const { root } = await openFixture('bookshop');
  await cp(join(root, 'src'), join(root, 'old/src'), { recursive: true });
  await writeFile(join(root, 'throw-on-signal.mjs'), throwOnSignal);
  const stderrFile = join(root, 'stderr.txt');
  terminal = openTerminal(words, { cwd: root, stderrFile, env: { PORT: '0', ...env } });
  await terminal.waitFor(shown);
  return { terminal, readError: () => readFile(stderrFile, 'utf8') };
}

describe.each(everyScreen.map((screen) => [screen.name, screen] as const))('%s', (_, { words, shown, leaveKey }) => {
  it.each(ways)('leaves the terminal as before by %s', async (__, leave, end) => {
    const { terminal, readError } = await openBookshop(words, shown);
    expect(terminal.isAlternate()).toBe(true);
    await leave(terminal, leaveKey);
    expect(await terminal.ended).toMatchObject(end);
    expectTerminalAsBefore(terminal);
    if ('exitCode' in end) {
      // It has awaited the end of what it started. The process that builds writes no files, and ends a moment after the pipe to it.
      expect(findProcessesOf(terminal).filter((line) => !/\/esbuild --service/.test(line))).toEqual([]);
      expect((await readError()).replace(showCursor, '')).toBe('');
    }
    // The process that builds has a last word of its own where it is killed together with the tool.
    await expectNoProcessOf(terminal);
  });

  it('leaves the terminal as before by an exception, and says which on stderr', async () => {
    const { terminal, readError } = await openBookshop(words, shown, {
      NODE_OPTIONS: '--import=./throw-on-signal.mjs',
    });
    terminal.kill('SIGUSR2');
    expect(await terminal.ended).toMatchObject({ exitCode: 1 });
    expectTerminalAsBefore(terminal);
    expect(await readError()).toContain('error: the shelf fell');
    await expectNoProcessOf(terminal);
  });

  it('ends with its terminal, and leaves no process behind', async () => {
    const { terminal } = await openBookshop(words, shown);
    expect(findProcessesOf(terminal)).not.toEqual([]);
    terminal.hangUp();
    await expectNoProcessOf(terminal);
  });
});

function expectTerminalAsBefore(terminal: OpenTerminal): void {
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toBe('');
  expect(toModes(terminal.output())).toMatchObject({ 1000: 'l', 1006: 'l', 2004: 'l', 25: 'h' });
}

async function expectNoProcessOf(terminal: OpenTerminal): Promise<void> {
  await expect.poll(() => findProcessesOf(terminal), { timeout: 20_000 }).toEqual([]);
}

/** Processes that the tool of a terminal has started, and itself. */
function findProcessesOf({ pid }: OpenTerminal): readonly string[] {
  const table = execFileSync('ps', ['-A', '-o', 'pgid=,stat=,args='], { encoding: 'utf8' });
  const processes = table.split('\n').map((line) => line.trim().split(/\s+/));
  return processes.flatMap(([group, state = '', ...words]) =>
    group === String(pid) && !state.startsWith('Z') ? [words.join(' ')] : [],
  );
}
