import { useEffect, useState } from 'react';
import type { Manifest } from '../manifest/manifest.ts';
import { findChangedFiles } from '../sides/git/find-changed-files.ts';

/** The files of a project that differ from the last commit, looked at again after each save that loads; undefined where there is no commit. */
export function useChangedFiles(manifest: Manifest | undefined): readonly string[] | undefined {
  const [files, setFiles] = useState<readonly string[]>();
  useEffect(() => {
    if (manifest === undefined) return undefined;
    let isOver = false;
    void findChangedFiles(manifest.project.root).then((found) => !isOver && setFiles(found));
    return () => {
      isOver = true;
    };
  }, [manifest]);
  return files;
}
