import { once } from 'node:events';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FSWatcher } from 'chokidar';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { skipUnchangedFolders } from '../../../../source/system/watch/skip-unchanged-folders.ts';
import { writeTree } from '../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

let watcher: FSWatcher;
let root: string;
let reads: () => readonly string[];

beforeEach(async () => {
  root = await temporaryFolder();
  await writeTree(root, { 'src/a.ts': '1', 'src/b.ts': '1' });
  // The folders are as they are for longer than the clock of a file system is coarse.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  watcher = new FSWatcher({ ignoreInitial: true, atomic: false });
  skipUnchangedFolders(watcher);
  const read = vi.spyOn(watcher, '_readdirp');
  reads = () => read.mock.calls.map(([folder]) => folder.slice(root.length));
  watcher.add(root);
  await once(watcher, 'ready');
});
afterEach(async () => {
  vi.useRealTimers();
  await watcher.close();
});

/** Resolves when the system has reported a change in the folder `src`: chokidar has then decided whether to read it. */
function reported(): Promise<void> {
  return new Promise((resolve) => {
    watcher.on('raw', (_event, _name, details) => {
      if (Object(details).watchedPath === join(root, 'src')) resolve();
    });
  });
}

describe('skipUnchangedFolders', () => {
  it('reads no folder again where a file in it is saved in place', async () => {
    expect(reads()).toEqual(['', '/src']);
    const report = reported();
    await writeFile(join(root, 'src/a.ts'), '2');
    await report;
    expect(reads()).toEqual(['', '/src']);
  });

  it('reads a folder in which a file has appeared, and one in which a file is replaced', async () => {
    const added = once(watcher, 'add');
    await writeFile(join(root, 'src/c.ts'), '1');
    expect(await added).toContain(join(root, 'src/c.ts'));
    const before = reads().length;
    await rename(join(root, 'src/c.ts'), join(root, 'src/a.ts'));
    await expect.poll(() => reads().slice(before)).toContain('/src');
  });

  it('reads a folder that comes back', async () => {
    const gone = once(watcher, 'unlinkDir');
    await rename(join(root, 'src'), `${root}-away`);
    await gone;
    const added = once(watcher, 'addDir');
    await rename(`${root}-away`, join(root, 'src'));
    await added;
    await expect.poll(() => watcher.getWatched()[join(root, 'src')]).toEqual(['a.ts', 'b.ts']);
  });
});
