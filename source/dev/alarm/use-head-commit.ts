import { unwatchFile, watchFile } from 'node:fs';
import { useEffect, useState } from 'react';
import { findCommit } from '../../sides/git/find-commit.ts';
import { findHeadLog } from '../../sides/git/find-head-log.ts';

/** Looked at this often, milliseconds: a commit changes no file of the project. */
const INTERVAL_MS = 500;

/** The last commit, also after the next one: empty where there is none, undefined until it is known. `root`: absolute path of the project. */
export function useHeadCommit(root: string | undefined): string | undefined {
  const [commit, setCommit] = useState<string>();
  useEffect(() => {
    if (root === undefined) return undefined;
    let isOver = false;
    let log: string | undefined;
    const look = (): void => {
      void findCommit('HEAD', root).then((found = '') => {
        if (!isOver) setCommit(found);
      });
    };
    void findHeadLog(root).then((file) => {
      look();
      if (file === undefined || isOver) return;
      log = file;
      watchFile(file, { interval: INTERVAL_MS, persistent: false }, look);
    });
    return () => {
      isOver = true;
      if (log !== undefined) unwatchFile(log, look);
    };
  }, [root]);
  return commit;
}
