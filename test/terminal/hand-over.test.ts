import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { everyScreen, isForm } from '../helpers/every-screen.ts';
import { openFixture } from '../helpers/fixture-project.ts';
import { expectToLeave, openBookshop } from '../helpers/open-bookshop.ts';
import { type OpenTerminal, openTerminal, toModes } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

/** What a screen switches on: the wheel of the mouse, marks around what is pasted, the alternate screen; and the cursor that it hides. */
const ofScreen = { 1000: 'h', 1006: 'h', 2004: 'h', 1049: 'h', 25: 'l' };
const given = { 1000: 'l', 1006: 'l', 2004: 'l', 1049: 'l', 25: 'h' };

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
    expect(toModes(terminal.output().split('EDITOR-STARTS').slice(0, -1).join())).toMatchObject(given);
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

it('leaves the mouse to the terminal where CAPIX_MOUSE is 0, after an editor too', async () => {
  const { terminal } = await openList({ EDITOR: '/bin/true', CAPIX_MOUSE: '0' });
  terminal.type('e');
  await expect.poll(() => terminal.output().match(/\u001B\[\?1049h/g)).toHaveLength(2);
  await terminal.waitFor(/❯ items\.getItem/);
  expect(terminal.output()).not.toContain('[?1000h');
});

it.each(everyScreen.map((screen) => [screen.name, screen] as const))(
  '%s gives the terminal back while it is stopped, by Ctrl-Z or from outside, and draws itself anew when it goes on; left by SIGHUP',
  async (_, screen) => {
    const opened = await openBookshop(screen);
    const { terminal } = opened;
    // In a form Ctrl-Z undoes.
    if (isForm(screen)) terminal.kill('SIGTSTP');
    else terminal.type('\u001A');
    await expect.poll(() => stateOf(terminal.pid)).toMatch(/^T/);
    await expect.poll(() => toModes(terminal.output())).toMatchObject(given);
    await expect.poll(() => terminal.isAlternate()).toBe(false);
    terminal.kill('SIGCONT');
    await expect.poll(() => toModes(terminal.output())).toMatchObject(ofScreen);
    expect(await terminal.waitFor(screen.shown)).toContain(screen.title);
    await expectToLeave(opened, screen, 'SIGHUP');
  },
);

/** As `ps` says it: `T` is stopped. */
function stateOf(pid: number): string {
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
}
