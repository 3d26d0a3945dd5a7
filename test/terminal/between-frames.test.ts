import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type HeldTerminal, holdScreen, readStty } from '../helpers/hold-screen.ts';
import { type OpenTerminal, type TerminalOptions, toModes } from '../helpers/open-terminal.ts';

let terminal: HeldTerminal | undefined;
afterEach(() => terminal?.close());

/** Each of Ink's frames begins with this. */
const INK = '\u001B[?2026h';
const QUESTION = '\u001B]11;?';

const asBefore = { 1049: 'l', 25: 'h', 7: 'h' };
const asEarly = { 1049: 'h', 25: 'l', 7: 'l' };
const cooked = /[^-]icanon\b[^]*[^-]echo\b/;
const raw = /-icanon\b[^]*-echo\b/;

/** Opens a screen, and resolves when its early frame is there. */
async function holdList(options?: TerminalOptions): Promise<HeldTerminal> {
  terminal = await holdScreen(['list'], options);
  await terminal.waitFor('Loading the project');
  expect(terminal.output()).not.toContain(INK);
  return terminal;
}

/** As `holdList`, in a terminal that outlives the tool. `readEnd` says how that has ended, and how the terminal stands then. */
async function holdInShell() {
  terminal = await holdScreen(['list'], { isInShell: true });
  await terminal.waitFor('Loading the project');
  const { root } = terminal;
  const readEnd = async () => JSON.parse(await readFile(join(root, 'ended.json'), 'utf8')) as EndOfTool;
  return { terminal, readEnd };
}

interface EndOfTool {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stty: string;
}

function expectAsBefore(ended: OpenTerminal, { stty }: EndOfTool): void {
  expect(ended.isAlternate()).toBe(false);
  expect(toModes(ended.output())).toMatchObject(asBefore);
  expect(stty).toMatch(cooked);
}

describe('between the early frame and the first one of Ink', () => {
  it.each([{}, { NO_COLOR: '1' }])('keys are not shown, and are pressed on the screen to come: %j', async (env) => {
    const held = await holdList({ env });
    for (const key of '/listU') held.type(key);
    await held.release();
    await held.waitFor(/\/ listU.* 1 of 2/);
    expect(held.output().slice(0, held.output().indexOf(INK))).not.toContain('/');
  });

  it.each([
    [100, 30],
    [40, 12],
    [30, 8],
  ])('a window that becomes one of %i x %i has no rests of the frame', async (columns, rows) => {
    const held = await holdList({ env: { NO_COLOR: '1' } });
    held.resize(columns, rows);
    await held.release();
    const seen = await held.waitFor((now) => (columns < 40 ? now.includes('larger') : isWhole(now, columns, rows)));
    const rest = columns < 40 ? seen.split(/leaves\.|…/).slice(1) : seen.split('\n').slice(5, -1);
    expect(rest.join('').trim()).toBe('');
  });

  it('Ctrl-C ends the tool, and leaves the terminal as it was', async () => {
    const { terminal: held, readEnd } = await holdInShell();
    held.type('\u0003');
    await held.release();
    await held.ended;
    const end = await readEnd();
    expect(end).toMatchObject({ code: 130, signal: null });
    expectAsBefore(held, end);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s does so at once', async (signalName) => {
    const { terminal: held, readEnd } = await holdInShell();
    held.kill(signalName);
    await held.ended;
    const end = await readEnd();
    expect(end).toMatchObject({ code: null, signal: signalName });
    expect(held.output()).not.toContain(INK);
    expectAsBefore(held, end);
  });

  it('so does an import that fails', async () => {
    const { terminal: held, readEnd } = await holdInShell();
    await held.release('the package is not whole');
    await held.ended;
    const end = await readEnd();
    expect(end.code).toBe(1);
    expectAsBefore(held, end);
    expect(held.screen()).toContain('the package is not whole');
  });
});

describe('whoever stops the tool from outside before Ink is there', () => {
  it('has the terminal as it was, and the early frame again when it goes on', async () => {
    const held = await holdList();
    for (const time of [1, 2]) {
      await stop(held);
      held.kill('SIGCONT');
      await expect.poll(() => toModes(held.output())).toMatchObject(asEarly);
      await expect.poll(() => held.output().match(/Loading/g)).toHaveLength(time + 1);
      await expect.poll(() => readStty(held.pid)).toMatch(raw);
    }
    held.type('/listU');
    await held.release();
    await held.waitFor(/\/ listU.* 1 of 2/);
    expect(held.output().slice(0, held.output().indexOf(INK))).not.toContain('/');
  });

  it('has the screen when it goes on while Ink comes', async () => {
    const held = await holdList();
    await stop(held);
    const released = held.release();
    held.kill('SIGCONT');
    await released;
    held.type('/listU');
    await held.waitFor(/\/ listU.* 1 of 2/);
    expect(held.isAlternate()).toBe(true);
    expect(readStty(held.pid)).toMatch(raw);
  });

  it('has the keys seen, where the screen has no early frame', async () => {
    const held = await holdScreen([]);
    terminal = held;
    await expect.poll(() => held.output()).toContain(QUESTION);
    await stop(held);
    held.kill('SIGCONT');
    await expect.poll(() => readStty(held.pid)).toMatch(raw);
    await held.release();
    await held.waitFor('2 in 1 group');
    held.type('q');
    expect(await held.ended).toMatchObject({ exitCode: 0 });
  });
});

/** Resolves when the tool stands still. */
async function stop(held: HeldTerminal): Promise<void> {
  held.kill('SIGTSTP');
  await expect
    .poll(() => execFileSync('ps', ['-o', 'stat=', '-p', String(held.pid)], { encoding: 'utf8' }))
    .toMatch(/^T/);
  expect(readStty(held.pid)).toMatch(cooked);
  await expect.poll(() => held.isAlternate()).toBe(false);
  // The window may not yet show what was written before.
  const isDrawn = 1049 in toModes(held.output());
  await expect.poll(() => toModes(held.output())).toMatchObject(isDrawn ? asBefore : {});
}

/** Whether the list is there, the rule below the header as wide as the window, and the key line in its last row. */
function isWhole(seen: string, columns: number, rows: number): boolean {
  const lines = seen.split('\n');
  return seen.includes('users.listUsers') && lines.length === rows && lines[1] === '─'.repeat(columns);
}
