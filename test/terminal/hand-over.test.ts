import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type EveryScreen, everyScreen, isForm } from '../helpers/every-screen.ts';
import { openFixture } from '../helpers/fixture-project.ts';
import { expectToLeave, openBookshop } from '../helpers/open-bookshop.ts';
import { type OpenTerminal, openTerminal, toModes } from '../helpers/open-terminal.ts';
import { windowSizes } from '../helpers/window-sizes.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

/** What a screen switches on: marks around what is pasted, the alternate screen; and the cursor that it hides. */
const ofScreen = { 2004: 'h', 1049: 'h', 25: 'l' };
const given = { 2004: 'l', 1049: 'l', 25: 'h' };

/** Says when it starts and ends, keeps how the terminal stands, and what is typed. */
const editorScript = (root: string) => `#!/bin/sh
printf 'EDITOR-STARTS'
stty -a > ${root}/stty.txt
read -r line
printf %s "$line" > ${root}/typed.txt
printf 'EDITOR-ENDS'
`;

async function openList(env: Readonly<Record<string, string>> = {}) {
  const { root } = await openFixture('shop');
  const editor = join(root, 'editor.sh');
  await writeFile(editor, editorScript(root));
  await chmod(editor, 0o755);
  terminal = openTerminal(['list'], { cwd: root, env: { EDITOR: editor, ...env } });
  await terminal.waitFor(/❯ items\.getItem/);
  return { terminal, root };
}

it('gives an editor the terminal as it was before, and takes it back when that ends', async () => {
  const { terminal, root } = await openList();
  expect(toModes(terminal.output())).toMatchObject(ofScreen);
  for (const time of [1, 2]) {
    terminal.type('e');
    await expect.poll(() => terminal.output().split('EDITOR-STARTS')).toHaveLength(time + 1);
    expect(toModes(terminal.output().split('EDITOR-STARTS').slice(0, -1).join())).toMatchObject(
      given,
    );
    const line = 'typed into the editor, letter by letter';
    for (const letter of line) terminal.type(letter);
    terminal.type('\r');
    await expect.poll(() => terminal.output().split('EDITOR-ENDS')).toHaveLength(time + 1);
    await terminal.waitFor(/❯ items\.getItem/);
    await expect.poll(() => toModes(terminal.output())).toMatchObject(ofScreen);
    expect(await readFile(join(root, 'typed.txt'), 'utf8')).toBe(line);
    expect(await readFile(join(root, 'stty.txt'), 'utf8')).toMatch(/[^-]icanon\b[^]*[^-]echo\b/);
  }
  terminal.type('j');
  await terminal.waitFor(/❯ items\.listItems/);
});

it('takes it back also from an editor that fails, or is not there', async () => {
  const { terminal } = await openList({ EDITOR: '/bin/false' });
  terminal.type('e');
  await terminal.waitFor('/bin/false ended with exit code 1');
  await expect.poll(() => toModes(terminal.output())).toMatchObject(ofScreen);
});

it.each(everyScreen.map((screen) => [screen.name, screen] as const))(
  '%s gives the terminal back while it is stopped, by Ctrl-Z or from outside, and draws itself anew when it goes on, as it does in each new size; left by SIGHUP',
  async (_, screen) => {
    const opened = await openBookshop(screen);
    const { terminal } = opened;
    for (const [columns, rows] of windowSizes) {
      await resize(terminal, columns, rows);
      // What a screen still loads may come between the two; remains of another size are there each time.
      await expect
        .poll(async () => {
          const anew = await stopAndGoOn(terminal, screen);
          await resize(terminal, columns + 40, rows);
          await resize(terminal, columns, rows + 5);
          await resize(terminal, columns, rows);
          return terminal.screen() === anew
            ? 'as anew'
            : `after other sizes:\n${terminal.screen()}\nanew:\n${anew}`;
        })
        .toBe('as anew');
    }
    await expectToLeave(opened, screen, 'SIGHUP');
  },
);

/** Resolves when the window is drawn in its new size: the line below the header has its width, and the key line is in its last row. */
async function resize(terminal: OpenTerminal, columns: number, rows: number): Promise<void> {
  terminal.resize(columns, rows);
  await terminal.waitFor((seen) => {
    const lines = seen.split('\n');
    return lines.length === rows && lines[1] === '─'.repeat(columns);
  });
}

/** Resolves with what the screen shows when it goes on. */
async function stopAndGoOn(terminal: OpenTerminal, screen: EveryScreen): Promise<string> {
  // In a form Ctrl-Z undoes.
  if (isForm(screen)) terminal.kill('SIGTSTP');
  else terminal.type('\u001A');
  await expect.poll(() => stateOf(terminal.pid)).toMatch(/^T/);
  await expect.poll(() => toModes(terminal.output())).toMatchObject(given);
  await expect.poll(() => terminal.isAlternate()).toBe(false);
  terminal.kill('SIGCONT');
  await expect.poll(() => toModes(terminal.output())).toMatchObject(ofScreen);
  return terminal.waitFor(screen.shown);
}

/** As `ps` says it: `T` is stopped. */
function stateOf(pid: number): string {
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
}
