import xterm from '@xterm/headless';
import { describe, expect, it, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { holdScreen } from '../helpers/hold-screen.ts';
import { openTerminal, type TerminalOptions } from '../helpers/open-terminal.ts';

const files = {
  'src/capabilities.ts': `import { capability } from 'capix';\nexport const capabilities = { users: { getUser: capability(() => ({})) } };\n`,
};

/** Each of Ink's frames begins with this. */
const INK = '\u001B[?2026h';
const INK_END = '\u001B[?2026l';

const COLUMNS = 80;
const ROWS = 24;

/** What a window shows after these bytes: each row's cells with their text, colour and weight. */
async function toCells(bytes: string): Promise<readonly string[]> {
  const window = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  await new Promise<void>((resolve) => window.write(bytes, resolve));
  const rows = Array.from({ length: ROWS }, (_, row) => window.buffer.active.getLine(row));
  const cells = rows.map((line) =>
    Array.from({ length: COLUMNS }, (_, column) => {
      const cell = line?.getCell(column);
      const text = cell?.getChars().trim();
      return text ? [text, cell?.getFgColorMode(), cell?.getFgColor(), cell?.isBold(), cell?.isDim()].join() : ' ';
    }).join(''),
  );
  window.dispose();
  return cells;
}

describe('before Ink is there', () => {
  it.each([[['list']], [['show', 'users.getUser']], [['check']], [['call', 'users.getUser']]])(
    'the window of %s shows what Ink draws first',
    async (words) => {
      const { early, ink } = await openHeld(words, { env: { NO_COLOR: '1' } });
      expect(early.join('\n').replaceAll(/,\d+,-?\d+,\d+,\d+/g, '')).toContain('Loading');
      expect(early).toEqual(ink);
    },
  );

  it.each([
    ['dark', '0000/0000/0000', {}],
    ['light', 'ffff/ffff/ffff', {}],
    ['light, in all colours', 'ffff/ffff/ffff', { COLORTERM: 'truecolor' }],
  ])('has the colours of the background: %s', async (_, background, env) => {
    const { early, ink } = await openHeld(['list'], { background, env });
    expect(early).toEqual(ink);
  });

  test('there is no such frame in a window that is too small, and none where settings are refused', async () => {
    const { root: cwd } = await openProject(files);
    const small = openTerminal(['list'], { cwd, env: { NO_COLOR: '1' }, columns: 30, rows: 8 });
    await small.waitFor('larger');
    expect(small.output().slice(0, small.output().indexOf(INK))).not.toContain('Loading');
    await small.close();
    const { root: refused } = await openProject({ ...files, 'capix.json': '{ "theme": { "title": "nope" } }' });
    const terminal = openTerminal(['list'], { cwd: refused, env: { NO_COLOR: '1' } });
    expect((await terminal.ended).exitCode).toBe(1);
    expect(terminal.output()).not.toContain('Loading');
  });
});

/** The cells of the early frame, which is there before Ink is imported, and those of the first one of Ink. */
async function openHeld(words: readonly string[], options: TerminalOptions) {
  const terminal = await holdScreen(words, { ...options, waitsToLoad: true });
  await terminal.waitFor('Loading');
  const early = await toCells(terminal.output());
  await terminal.release();
  await terminal.waitFor(/\? help/);
  const output = terminal.output();
  await terminal.load();
  await terminal.close();
  return { early, ink: await toCells(output.slice(0, output.indexOf(INK_END))) };
}
