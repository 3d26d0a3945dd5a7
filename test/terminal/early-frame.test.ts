import { join } from 'node:path';
import xterm from '@xterm/headless';
import { describe, expect, it, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { openTerminal, toModes } from '../helpers/open-terminal.ts';

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

async function toFrames(output: string) {
  const first = output.indexOf(INK);
  return {
    early: await toCells(output.slice(0, first)),
    ink: await toCells(output.slice(0, output.indexOf(INK_END, first))),
  };
}

describe('before Ink is there', () => {
  it.each([[['list']], [['show', 'users.getUser']], [['check']], [['call', 'users.getUser']]])(
    'the window of %s shows what Ink draws first',
    async (words) => {
      const { root: cwd } = await openProject(files);
      const terminal = openTerminal(words, { cwd, env: { NO_COLOR: '1' } });
      await terminal.waitFor(/\? help/);
      const { early, ink } = await toFrames(terminal.output());
      expect(early.join('\n').replaceAll(/,\d+,-?\d+,\d+,\d+/g, '')).toContain('Loading');
      expect(early).toEqual(ink);
      await terminal.close();
    },
  );

  it.each([
    ['dark', '0000/0000/0000', {}],
    ['light', 'ffff/ffff/ffff', {}],
    ['light, in all colours', 'ffff/ffff/ffff', { COLORTERM: 'truecolor' }],
  ])('has the colours of the background: %s', async (_, background, env) => {
    const { root: cwd } = await openProject(files);
    const terminal = openTerminal(['list'], { cwd, background, env });
    await terminal.waitFor(/\? help/);
    const { early, ink } = await toFrames(terminal.output());
    // A terminal that is slow to answer has no early frame.
    expect([ink, ink.map(() => ' '.repeat(COLUMNS))]).toContainEqual(early);
    await terminal.close();
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

  test('a signal ends the process and leaves the window as it was', async () => {
    const { root: cwd } = await openProject({
      ...files,
      'watch.cjs': toWatch([
        `onWrite((text) => { if (text.includes('Loading')) setImmediate(() => process.kill(process.pid, 'SIGTERM')); });`,
      ]),
    });
    const terminal = openTerminal(['list'], { cwd, env: { ...toPreload(cwd), NO_COLOR: '1' } });
    expect((await terminal.ended).signal).toBe(15);
    expect(terminal.output()).not.toContain(INK);
    expect(toModes(terminal.output())).toMatchObject({ 1049: 'l', 25: 'h', 7: 'h' });
  });
});

function toPreload(folder: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--require=${join(folder, 'watch.cjs')}` };
}

/** Code that runs in the process of the tool alone, before it does. */
function toWatch(lines: readonly string[]): string {
  return [
    `if (require('node:path').basename(process.argv[1] ?? '') === 'cli.cjs') {`,
    `const { write } = process.stdout;`,
    `const onWrite = (look) => { process.stdout.write = function (part, ...rest) { look(String(part)); return write.call(this, part, ...rest); }; };`,
    ...lines,
    '}',
  ].join('\n');
}
