import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { textWidth } from '../../../source/kit/text.ts';
import NewScreen from '../../../source/new/new-screen.tsx';
import { type RenderedScreen, renderScreen } from '../../helpers/render-screen.tsx';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { allWindowSizes } from '../../helpers/window-sizes.ts';

let screen: RenderedScreen;
afterEach(() => screen.unmount());

const quiet = { force: false, install: false, git: false } as const;

/** In an empty folder; gives the folder. */
async function open(options: Partial<Parameters<typeof renderScreen>[1]> = {}): Promise<string> {
  const folder = await temporaryFolder();
  screen = renderScreen(NewScreen, {
    route: { screen: 'new', options: quiet },
    workingDirectory: folder,
    ...options,
  });
  await screen.waitFor('name');
  return folder;
}

const enter = '\r';
const down = '\u001B[B';
const right = '\u001B[C';

describe('questions', () => {
  it('begins with what the command line said', async () => {
    await open({
      route: {
        screen: 'new',
        options: { force: false, install: false, git: true, packageManager: 'pnpm' },
      },
    });
    const frame = screen.frame();
    expect(frame).toMatch(/packageManager +< "pnpm" >/);
    expect(frame).toMatch(/install +< false >/);
    expect(frame).toMatch(/git +< true >/);
  });

  it('begins with the package manager that runs it', async () => {
    await open({ environment: { npm_config_user_agent: 'bun/1.2.0' } });
    expect(screen.frame()).toContain('< "bun" >');
  });

  it('says what Enter makes as the name is typed', async () => {
    await open();
    expect(screen.frame()).toContain('What is it called?');
    screen.press('@acme/shop');
    await screen.waitFor('Enter makes @acme/shop in ./shop.');
    expect(screen.frame()).toMatch(/^ +\.gitignore *┃?$/m);
  });

  it.each([
    { name: '../shop', problem: "'../shop' is outside the current folder." },
    { name: 'node_modules', problem: 'node_modules' },
    { name: 'taken', problem: 'is not empty: it holds mine.txt.' },
  ])('refuses $name and says why', async ({ name, problem }) => {
    const folder = await open({ columns: 200 });
    await mkdir(join(folder, 'taken'));
    await writeFile(join(folder, 'taken', 'mine.txt'), '');
    screen.press(name);
    await screen.waitFor(problem);
    screen.press(enter);
    screen.press('x');
    await screen.waitFor(`${name}x`);
    expect(await readdir(folder)).toEqual(['taken']);
  });

  it('says what each template is where one is chosen', async () => {
    await open();
    screen.press(down);
    await screen.waitFor(/product: the\s+tutorial's clinic,\s+with a database/);
  });

  it('begins with the template of the command line, and previews the files of the one that is picked', async () => {
    await open({
      columns: 120,
      rows: 40,
      route: { screen: 'new', options: { ...quiet, template: 'minimal' } },
    });
    expect(screen.frame()).toMatch(/template +< "minimal" >/);
    screen.press('shop');
    expect(await screen.waitFor('capabilities.test.ts')).not.toContain('AGENTS.md');
    screen.press(down);
    screen.press(right);
    expect(await screen.waitFor('items.test.ts')).toMatch(/│ +AGENTS\.md/);
    expect(screen.frame()).toMatch(/template +< "items" >/);
  });

  it('previews the files of the language that is picked', async () => {
    await open({ columns: 120, rows: 40 });
    screen.press('shop');
    expect(await screen.waitFor('items.test.ts')).toMatch(/│ +AGENTS\.md/);
    screen.press(down);
    screen.press(down);
    screen.press(right);
    await screen.waitFor('items.test.js');
  });
});

describe('sizes', () => {
  it.each(allWindowSizes)('fills a window of %i by %i and no more', async (columns, rows) => {
    await open({ columns, rows });
    screen.press('shop');
    await screen.waitFor('Enter makes shop');
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
  });

  it('draws no colour where there is none to draw', async () => {
    await open();
    screen.press('shop');
    expect(await screen.waitFor('Enter makes shop')).not.toContain('\u001B');
  });

  it('needs no sign beyond ASCII where the terminal has none', async () => {
    await open({ environment: { TERM: 'linux' } });
    screen.press('shop');
    expect(await screen.waitFor('Enter makes shop')).toMatch(/^[\u0020-\u007E\n]*$/);
  });
});

it('makes the project as it was answered', async () => {
  const folder = await open();
  screen.press('shop');
  await screen.waitFor('Enter makes shop');
  screen.press(down);
  screen.press(down);
  screen.press(right);
  await screen.waitFor(/language +< "javascript" >/);
  screen.press(enter);
  const items = join(folder, 'shop', 'src', 'capabilities', 'items');
  await expect.poll(() => readdir(items).catch(() => [])).toContain('items.test.js');
});
