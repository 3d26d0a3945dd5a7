import { writeFileSync } from 'node:fs';
import { rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type FileWatcher,
  type WatchTrouble,
  watchFiles,
} from '../../../source/system/watch-files.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

let watcher: FileWatcher;
let root: string;
let seen: string[][];
let troubles: WatchTrouble[];
afterEach(() => watcher.close());

async function watch(files: Readonly<Record<string, string>>): Promise<void> {
  root = await temporaryFolder();
  await writeTree(root, files);
  await watchFolder('src');
}

async function watchFolder(folder: string): Promise<void> {
  seen = [];
  troubles = [];
  watcher = await watchFiles({
    root,
    folder: join(root, folder),
    onChange: (files) => seen.push(files.map((file) => file.slice(root.length + 1))),
    onTrouble: (trouble) => troubles.push(trouble),
  });
}

/** Resolves when a change of this file was seen; gives all that was seen until then, each once. */
async function waitFor(file: string): Promise<readonly string[]> {
  await expect.poll(() => seen.flat()).toContain(file);
  return [...new Set(seen.splice(0).flat())];
}

describe('watchFiles', () => {
  it('sees a save, a new file, and a file in a new folder', async () => {
    await watch({ 'src/a.ts': '1' });
    await writeFile(join(root, 'src/a.ts'), '2');
    expect(await waitFor('src/a.ts')).not.toContain('src/b.ts');
    await writeFile(join(root, 'src/b.ts'), '1');
    // A file is told of once more, since chokidar may forget the second of two saves.
    expect(await waitFor('src/b.ts')).toContain('src/b.ts');
    await writeTree(root, { 'src/deep/er/c.ts': '1' });
    expect(await waitFor('src/deep/er/c.ts')).toContain('src/deep/er/c.ts');
  });

  it('walks no link out of the project or back into itself, and one to a folder beside once', async () => {
    root = await temporaryFolder();
    await writeTree(root, { 'src/a.ts': '1', 'src/own/b.ts': '1', 'more/c.ts': '1' });
    const links = { system: '/', again: '../src', up: '..', beside: '../more', twice: '../more' };
    for (const [name, to] of Object.entries(links)) await symlink(to, join(root, 'src', name));
    for (const name of ['x', 'y', 'z']) await symlink('..', join(root, 'src/own', name));
    await symlink('../more', join(root, 'more/itself'));
    await watchFolder('src');
    await writeFile(join(root, 'src/own/b.ts'), '2');
    expect(await waitFor('src/own/b.ts')).toEqual(['src/own/b.ts']);
    await writeFile(join(root, 'more/c.ts'), '2');
    const ofBeside = () => new Set(seen.flat().filter((file) => file.endsWith('c.ts')));
    await expect.poll(() => ofBeside().size).toBe(1);
    expect(troubles).toEqual([]);
  });

  it('sees a file that an editor replaces by renaming', async () => {
    await watch({ 'src/a.ts': '1' });
    await writeFile(join(root, 'src/a.ts.tmp'), '2');
    await rename(join(root, 'src/a.ts.tmp'), join(root, 'src/a.ts'));
    expect(await waitFor('src/a.ts')).toContain('src/a.ts');
  });

  it('sees a save where files are polled', async () => {
    vi.stubEnv('CHOKIDAR_USEPOLLING', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    await watch({ 'src/a.ts': '1' });
    await expect
      .poll(() => {
        writeFileSync(join(root, 'src/a.ts'), String(performance.now()));
        return seen.flat();
      })
      .toContain('src/a.ts');
  });

  it('sees the last of many quick saves', async () => {
    await watch({ 'src/a.ts': '0' });
    for (let save = 1; save <= 20; save++) {
      await writeFile(join(root, 'src/a.ts'), String(save));
      await waitFor('src/a.ts');
    }
    expect(seen.flat().filter((file) => file !== 'src/a.ts')).toEqual([]);
  });

  it('sees what says how the project is built, and neither data beside it nor packages, builds and hidden folders', async () => {
    await watch({
      'src/a.ts': '1',
      'node_modules/x/i.js': '1',
      'dist/a.js': '1',
      '.git/HEAD': '1',
      'other/b.ts': '1',
    });
    await writeTree(root, {
      'node_modules/x/i.js': '2',
      'dist/a.js': '2',
      '.git/HEAD': '2',
      'other/b.ts': '2',
      'src/node_modules/y.js': '2',
      'data.db': '2',
      'dev.log': '2',
    });
    await writeTree(root, { 'package.json': '{}' });
    expect(await waitFor('package.json')).toEqual(['package.json']);
  });

  it('sees a file of the project that is not there yet, once it is added', async () => {
    await watch({ 'src/a.ts': '1' });
    watcher.add([join(root, '.env'), join(root, 'lib/b.ts')]);
    await writeTree(root, { '.env': 'A=1' });
    expect(await waitFor('.env')).toEqual(['.env']);
  });

  it('sees saves in a folder that lies deep in the project', async () => {
    root = await temporaryFolder();
    await writeTree(root, { 'apps/shop/api/src/a.ts': '1' });
    await watchFolder('apps/shop/api/src');
    await writeTree(root, { 'apps/shop/api/src/a.ts': '2', 'apps/shop/notes.txt': '1' });
    expect(await waitFor('apps/shop/api/src/a.ts')).toEqual(['apps/shop/api/src/a.ts']);
  });

  it('sees a save while another file is written without a pause', async () => {
    await watch({ 'src/a.ts': '1', 'src/data.db': '' });
    const writing = setInterval(() => writeFileSync(join(root, 'src/data.db'), ''), 1);
    await writeFile(join(root, 'src/a.ts'), '2');
    expect(await waitFor('src/a.ts')).toContain('src/a.ts');
    clearInterval(writing);
  });

  it('goes on when whoever is told of a change fails, and says why', async () => {
    await watch({ 'src/a.ts': '1' });
    seen.push = () => {
      throw new Error('not now');
    };
    await writeFile(join(root, 'src/a.ts'), '2');
    await expect
      .poll(() => troubles)
      .toMatchObject([{ message: expect.stringContaining('not now') }]);
    Reflect.deleteProperty(seen, 'push');
    await writeFile(join(root, 'src/a.ts'), '3');
    expect(await waitFor('src/a.ts')).toEqual(['src/a.ts']);
  });

  it('sees files elsewhere once they are added', async () => {
    await watch({ 'src/a.ts': '1' });
    const elsewhere = await temporaryFolder();
    await writeTree(elsewhere, { 'shared.ts': '1' });
    watcher.add([join(elsewhere, 'shared.ts')]);
    await expect
      .poll(
        async () => {
          await writeFile(join(elsewhere, 'shared.ts'), String(performance.now()));
          return seen.flat().length;
        },
        { interval: 200 },
      )
      .toBeGreaterThan(0);
  });
});
