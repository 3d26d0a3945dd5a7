import { useEffect, useMemo } from 'react';
import { useMemory } from '../../kit/use-memory.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { toProject } from '../../manifest/project.ts';
import { usePolled } from '../../screens/use-polled.ts';
import { type Services, useNavigation, useProject, useServices } from '../../screens/use-screen.ts';
import { findCommit } from '../../sides/git/find-commit.ts';
import { createHeadStamp } from '../../sides/git/head-stamp.ts';
import { loadSide } from '../../sides/load-sides.ts';

/** The contract of the last commit, and the code that was held against it. */
export interface HeadContract {
  /** Undefined where there is no commit. */
  readonly commit: string | undefined;
  /** Undefined without a commit, or where its code cannot be loaded. */
  readonly manifest: Manifest | undefined;
  /** The code of the last save. */
  readonly now: Manifest;
}

/**
 * The contract of the last commit, which is looked for after each save, and where a commit, a checkout or a reset has
 * moved HEAD; undefined until its code is loaded. The code of a save counts once the commit is known that it is
 * compared with: a checkout changes both.
 */
export function useHeadContract(): HeadContract | undefined {
  const services = useServices();
  const { manifest: now } = useProject().project;
  const { memory } = useNavigation().entry;
  const [head, setHead] = useMemory<HeadContract | undefined>('head', undefined);
  const stamp = useHeadStamp(now?.project.root);
  useEffect(() => {
    if (now === undefined) return;
    let isOld = false;
    const show = (next: HeadContract | undefined): void => {
      if (!isOld) setHead(next);
    };
    const look = async (): Promise<void> => {
      const commit = await findCommit('HEAD', now.project.root);
      const last = memory.get('head') as HeadContract | undefined;
      if (last !== undefined && last.commit === commit) return show({ ...last, now });
      show(undefined);
      const manifest = await loadHead(now, services);
      show({ commit, manifest, now });
    };
    void look();
    return () => {
      isOld = true;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- Once for each load of the code and each move of HEAD.
  }, [now, stamp]);
  return head;
}

/** Another text after each move of HEAD. */
function useHeadStamp(root: string | undefined): string {
  const look = useMemo(() => (root === undefined ? findNoStamp : createLook(root)), [root]);
  return usePolled(look, '');
}

const findNoStamp = async (): Promise<string> => '';

/** Looks for the files of git with the first look, since the screen is drawn before. */
function createLook(root: string): () => Promise<string> {
  let reader: ReturnType<typeof createHeadStamp> | undefined;
  return async () => {
    reader ??= createHeadStamp(root);
    const read = await reader;
    return read === undefined ? '' : read();
  };
}

/** The alarm is an extra: without a commit, or where its code cannot be loaded, there is none. */
async function loadHead(
  now: Manifest,
  { terminal, envFile }: Services,
): Promise<Manifest | undefined> {
  const { root, config } = now.project;
  const envFiles = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
  const project = toProject({ root, name: 'HEAD', config });
  const options = { project, workingDirectory: root, toEnvFiles: () => envFiles };
  const side = await loadSide('HEAD', options).catch(() => undefined);
  return side?.manifest;
}
