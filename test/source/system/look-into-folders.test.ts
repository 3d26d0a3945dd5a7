import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { lookIntoFolders } from '../../../source/system/open-watcher.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('finds the files of new folders that the watcher does not know, twice, and looks into no folder that is not watched', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const root = await temporaryFolder();
  await writeTree(root, {
    'a/known.ts': '',
    'a/missed.ts': '',
    'b/deep/er/c.ts': '',
    'b/node_modules/d.ts': '',
    'gone/e.ts': '',
  });
  const missed: string[] = [];
  let known = 0;
  const looks = lookIntoFolders({
    known: () => {
      known += 1;
      return { [join(root, 'a')]: ['known.ts'] };
    },
    onMissed: (path) => {
      if (path.endsWith('node_modules')) return false;
      missed.push(path.slice(root.length + 1));
      return true;
    },
  });
  for (const folder of ['a', 'b', 'gone']) looks.add(join(root, folder));
  await rm(join(root, 'gone'), { recursive: true });
  vi.advanceTimersByTime(100);
  expect(missed.splice(0)).toEqual(['a/missed.ts', 'b/deep', 'b/deep/er', 'b/deep/er/c.ts']);
  vi.advanceTimersByTime(900);
  expect(missed.splice(0)).toHaveLength(4);
  expect(known).toBe(2);
  looks.add(join(root, 'a'));
  looks.end();
  vi.advanceTimersByTime(2_000);
  expect(missed).toEqual([]);
});
