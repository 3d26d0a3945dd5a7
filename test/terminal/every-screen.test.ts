import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type EveryScreen, everyScreen } from '../helpers/every-screen.ts';
import { openFixture } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

async function open({ words, shown }: EveryScreen, env: Readonly<Record<string, string>> = {}) {
  const { root } = await openFixture('bookshop');
  await cp(join(root, 'src'), join(root, 'old/src'), { recursive: true });
  terminal = openTerminal(words, { cwd: root, env: { PORT: '0', ...env } });
  await terminal.waitFor(shown);
  return { terminal, file: join(root, 'src/capabilities/books/get-book.ts') };
}

describe.each(everyScreen.map((screen) => [screen.name, screen] as const))('%s', (_, screen) => {
  const { title, shown } = screen;

  it('has a header, help, a palette that leads away and back, and takes no keys in a window too small to see', async () => {
    const { terminal } = await open(screen);
    await terminal.waitFor(new RegExp(`^ capix {2}bookshop ▸ ${title} .*● \\d\\d:\\d\\d:\\d\\d in \\d+ ms`));
    terminal.type('\u0007');
    await terminal.waitFor(/Esc close$/);
    terminal.type('\u001B');
    await terminal.waitFor((seen) => seen.includes(shown) && !seen.endsWith('close'));
    terminal.resize(39, 9);
    await terminal.waitFor('The window is 39x9; make it 40x10 or');
    terminal.type('x');
    terminal.resize(38, 9);
    await terminal.waitFor('The window is 38x9');
    terminal.resize(100, 30);
    const seen = await terminal.waitFor((frame) => frame.includes(shown) && frame.split('\n').length === 30);
    expect(seen).not.toMatch(/❯ \S+ +x\b/);
    terminal.type('\u0010list');
    await terminal.waitFor(/❯ list +all capabilities/);
    terminal.type('\r');
    await terminal.waitFor(/^ capix {2}bookshop ▸ list /);
    if (title === 'list') return;
    terminal.type('\u001B');
    await terminal.waitFor((frame) => frame.includes(`▸ ${title} `) && frame.includes(shown));
    expect(terminal.output()).not.toMatch(/\u001B\[[\d;]*[34]8;[25]/);
  });

  it('draws with ASCII alone on the console of Linux, and without styles where NO_COLOR is set', async () => {
    const { terminal } = await open(screen, { TERM: 'linux', NO_COLOR: '1' });
    terminal.type('\u0007');
    await terminal.waitFor(/Esc close$/);
    terminal.type('\u001B');
    await terminal.waitFor((seen) => seen.includes(shown) && !seen.endsWith('close'));
    expect(terminal.screen()).toMatch(/[>|]/);
    expect(terminal.output()).not.toMatch(/[^\u0000-\u007F]/);
    expect(terminal.output()).not.toMatch(/\u001B\[[\d;]*m/);
  });

  it('keeps what it shows under a file that broke, says where and when, and heals', async () => {
    const { terminal, file } = await open(screen);
    const whole = await readFile(file, 'utf8');
    await writeFile(file, `export const = 5;\n${whole}`);
    await terminal.waitFor('src/capabilities/books/get-book.ts:1:14');
    await terminal.waitFor('> 1 | export const = 5;');
    const broken = await terminal.waitFor(/✗ broken \d\d:\d\d:\d\d/);
    expect(broken).toContain(screen.name === 'dev' ? 'The version before still answers' : shown);
    await writeFile(file, whole);
    const healed = await terminal.waitFor((seen) => !seen.includes('export const') && seen.includes('●'));
    expect(healed).toContain(screen.name === 'dev' ? 'Reloaded in' : shown);
  });
});
