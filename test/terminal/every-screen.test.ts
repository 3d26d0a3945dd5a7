import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everyScreen, isForm } from '../helpers/every-screen.ts';
import {
  expectNoProcessOf,
  expectToLeave,
  findProcessesOf,
  openBookshop,
} from '../helpers/open-bookshop.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { everyWindowSize } from '../helpers/window-sizes.ts';

describe.each(everyScreen.map((screen) => [screen.name, screen] as const))('%s', (_, screen) => {
  const { title, shown } = screen;

  it('has a header, a list of keys and screens that leads away and back, and takes no keys in a window too small to see; left by SIGTERM', async () => {
    const opened = await openBookshop(screen);
    const { terminal } = opened;
    await terminal.waitFor(
      new RegExp(`^ capix {2}bookshop ▸ ${title} .*● \\d\\d:\\d\\d:\\d\\d in [\\d.]+ m?s`),
    );
    terminal.type('\u0010');
    await terminal.waitFor(/Esc close/);
    terminal.type('\u001B');
    await terminal.waitFor((seen) => seen.includes(shown) && !seen.includes('Esc close'));
    terminal.resize(39, 9);
    await terminal.waitFor('The window is 39x9; make it 40x10 or');
    terminal.type('x');
    terminal.resize(38, 9);
    await terminal.waitFor('The window is 38x9');
    for (const [columns, rows] of everyWindowSize) {
      terminal.resize(columns, rows);
      const seen = await terminal.waitFor(
        (frame) => isDrawnIn(frame, columns, rows) && frame.includes(shown),
      );
      expect(seen).not.toMatch(/❯ \S+ +x\b/);
      expect(seen.split('\n').at(-1)).toMatch(/^ .*(q leave|Esc (leave|back|again leaves)).*$/);
      expect(seen.split('\n').at(-1)).toMatch(/(\?|Ctrl-P) help/);
      expect(seen.split('\n').at(-1)).not.toContain('…');
      if (title === 'home' && columns >= 80) expect(seen).not.toContain('…');
    }
    terminal.type('\u0010list');
    await terminal.waitFor(/❯ list +all capabilities/);
    terminal.type('\r');
    await terminal.waitFor(/^ capix {2}bookshop ▸ list /);
    if (title !== 'list') {
      terminal.resize(40, 12);
      await terminal.waitFor(
        (frame) => isDrawnIn(frame, 40, 12) && / Esc back .*\? help/.test(frame),
      );
      terminal.type('\u001B');
      await terminal.waitFor((frame) => frame.includes(shown) && !/^ .*\blist\b/.test(frame));
    }
    expect(terminal.output()).not.toMatch(/\u001B\[[\d;]*[34]8;[25]/);
    // Where long rows do not wrap, what is erased after a row that fills the window is its last column.
    expect(terminal.output()).not.toMatch(/[^G]\u001B\[K/);
    await expectToLeave(opened, screen, 'SIGTERM');
  });

  it('draws with ASCII alone on the console of Linux, and without styles where NO_COLOR is set; ends with its window', async () => {
    const { terminal } = await openBookshop(screen, { TERM: 'linux', NO_COLOR: '1' });
    terminal.type('\u0010');
    await terminal.waitFor(/Esc close/);
    terminal.type('\u001B');
    await terminal.waitFor((seen) => seen.includes(shown) && !seen.includes('Esc close'));
    expect(terminal.screen()).toMatch(/[>|]/);
    expect(terminal.output()).not.toMatch(/[^\u0000-\u007F]/);
    expect(terminal.output()).not.toMatch(/\u001B\[[\d;]*m/);
    expect(findProcessesOf(terminal)).not.toEqual([]);
    terminal.hangUp();
    await expectNoProcessOf(terminal);
  });

  it('keeps what it shows under a file that broke, says where and when, leads there, and heals; left by Ctrl-C', async () => {
    const { EDITOR, readWords } = await writeEditor();
    const opened = await openBookshop(screen, { EDITOR });
    const { terminal, root } = opened;
    const file = join(root, 'src/capabilities/books/get-book.ts');
    const whole = await readFile(file, 'utf8');
    await writeFile(file, `export const = 5;\n${whole}`);
    await terminal.waitFor('src/capabilities/books/get-book.ts:1:14');
    await terminal.waitFor('> 1 | export const = 5;');
    const broken = await terminal.waitFor(/✗ broken \d\d:\d\d:\d\d/);
    expect(broken).toContain(screen.name === 'dev' ? 'The previous version still answers' : shown);
    if (!isForm(screen)) {
      terminal.type('e');
      await expect.poll(readWords).toBe(`+1 ${file}\n`);
      await terminal.waitFor('> 1 | export const = 5;');
    }
    await writeFile(file, whole);
    const healed = await terminal.waitFor(
      (seen) => !seen.includes('export const') && seen.includes('●'),
    );
    expect(healed).toContain(screen.name === 'dev' ? 'Reloaded in' : shown);
    await expectToLeave(opened, screen, 'Ctrl-C');
  });
});

/** Whether the whole window is drawn: the rule below the header is as wide as it, and the key line is its last row. */
function isDrawnIn(frame: string, columns: number, rows: number): boolean {
  const lines = frame.split('\n');
  return lines.length === rows && lines[1] === '─'.repeat(columns);
}

/** An editor that is told the line as vi is, keeps what it is told, and ends. */
async function writeEditor(): Promise<{
  readonly EDITOR: string;
  readonly readWords: () => Promise<string>;
}> {
  const folder = await temporaryFolder();
  const [editor, words] = [join(folder, 'vi'), join(folder, 'words.txt')];
  await writeFile(words, '');
  await writeFile(editor, `#!/bin/sh\necho "$@" > '${words}'\n`);
  await chmod(editor, 0o755);
  return { EDITOR: editor, readWords: () => readFile(words, 'utf8') };
}
