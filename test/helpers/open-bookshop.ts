import { execFileSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cleanUp } from './clean-up.ts';
import type { EveryScreen } from './every-screen.ts';
import { openFixture } from './fixture-project.ts';
import { type OpenTerminal, openTerminal, toModes } from './open-terminal.ts';

export interface OpenBookshop {
  readonly terminal: OpenTerminal;
  /** Absolute path of the project. */
  readonly root: string;
  /** All that was written to stderr. */
  readonly readError: () => Promise<string>;
}

const open = new Set<OpenTerminal>();

cleanUp.afterEachTest.add(async () => {
  await Promise.all([...open].map((terminal) => terminal.close()));
  open.clear();
});

/** Throws in the process of the screen when it gets the signal, by `NODE_OPTIONS: '--import=./throw-on-signal.mjs'`. */
export const throwOnSignal = "process.on('SIGUSR2', () => { throw new Error('the shelf fell'); });";

/** Opens a screen in the fixture `bookshop`, once `prepare` has changed the project, and waits until it is shown. */
export async function openBookshop(
  { words, shown }: Pick<EveryScreen, 'words' | 'shown'>,
  env: Readonly<Record<string, string>> = {},
  prepare: (root: string) => Promise<void> = async () => {},
): Promise<OpenBookshop> {
  const { root } = await openFixture('bookshop');
  await cp(join(root, 'src'), join(root, 'old/src'), { recursive: true });
  await writeFile(join(root, 'throw-on-signal.mjs'), throwOnSignal);
  await prepare(root);
  const stderrFile = join(root, 'stderr.txt');
  const terminal = openTerminal(words, { cwd: root, stderrFile, env: { PORT: '0', ...env } });
  open.add(terminal);
  await terminal.waitFor(shown);
  return { terminal, root, readError: () => readFile(stderrFile, 'utf8') };
}

/** A form asks whoever leaves it once more. */
async function typeKey({ terminal }: OpenBookshop, { leaveKey }: EveryScreen): Promise<void> {
  terminal.type(leaveKey);
  if (leaveKey !== '\u001B') return;
  await terminal.waitFor('Esc again leaves.');
  terminal.type(leaveKey);
}

const ways = {
  'its key': { leave: typeKey, end: { exitCode: 0 } },
  'Ctrl-C': {
    leave: ({ terminal }: OpenBookshop) => terminal.type('\u0003'),
    end: { exitCode: 130 },
  },
  SIGTERM: { leave: ({ terminal }: OpenBookshop) => terminal.kill('SIGTERM'), end: { signal: 15 } },
  SIGHUP: { leave: ({ terminal }: OpenBookshop) => terminal.kill('SIGHUP'), end: { signal: 1 } },
} as const;

/** Leaves a screen, and expects the terminal as it was before, the exit code or signal of that way, and no process that is left. */
export async function expectToLeave(
  opened: OpenBookshop,
  screen: EveryScreen,
  way: keyof typeof ways,
): Promise<void> {
  const { terminal, readError } = opened;
  const { leave, end } = ways[way];
  expect(terminal.isAlternate()).toBe(true);
  await leave(opened, screen);
  expect(await terminal.ended).toMatchObject(end);
  expectTerminalAsBefore(terminal);
  if ('exitCode' in end) {
    // It has awaited the end of what it started.
    expect(findProcessesOf(terminal)).toEqual([]);
    expect((await readError()).replace(showCursor, '')).toBe('');
  }
  await expectNoProcessOf(terminal);
}

/** Written to stderr by what hides the cursor, whatever stderr is. */
const showCursor = '\u001B[?25h';

/** Has the process of a screen throw, and expects the same as `expectToLeave` does, and the error on stderr. */
export async function expectToLeaveByException({
  terminal,
  readError,
}: Omit<OpenBookshop, 'root'>): Promise<void> {
  terminal.kill('SIGUSR2');
  expect(await terminal.ended).toMatchObject({ exitCode: 1 });
  expectTerminalAsBefore(terminal);
  expect(await readError()).toContain('error: the shelf fell');
  await expectNoProcessOf(terminal);
}

function expectTerminalAsBefore(terminal: OpenTerminal): void {
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toBe('');
  expect(toModes(terminal.output())).toMatchObject({ 2004: 'l', 25: 'h' });
}

export async function expectNoProcessOf(terminal: OpenTerminal): Promise<void> {
  await expect.poll(() => findProcessesOf(terminal)).toEqual([]);
}

/** Processes that the tool of a terminal has started, and itself. */
export function findProcessesOf({ pid }: OpenTerminal): readonly string[] {
  const table = execFileSync('ps', ['-A', '-o', 'pgid=,stat=,args='], { encoding: 'utf8' });
  const processes = table.split('\n').map((line) => line.trim().split(/\s+/));
  return processes.flatMap(([group, state = '', ...words]) =>
    group === String(pid) && !state.startsWith('Z') ? [words.join(' ')] : [],
  );
}
