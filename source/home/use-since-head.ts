import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useKept } from '../kit/kept/use-kept.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { useSettings } from '../load/settings/use-settings.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { RuleSettings } from '../manifest/settings/rule-settings.ts';
import { useScreen } from '../screens/use-screen.ts';
import { findChangedFiles } from '../sides/git/find-changed-files.ts';
import { findCommit } from '../sides/git/find-commit.ts';
import { readHeadManifest } from '../sides/read-head-manifest.ts';
import { type SinceHead, toContractCount } from './since-head.ts';

/** The last commit, and its contract where something differs from it. */
interface Head {
  readonly commit: string | undefined;
  readonly fileCount: number;
  /** Undefined while it is loaded. */
  readonly contract: Manifest | 'failed' | undefined;
}

/** The difference from the last commit, looked at after the project is loaded, and again after each save. The code of the commit is loaded only where files differ. */
export function useSinceHead(): SinceHead {
  const { project } = useScreen();
  const now = project.manifest;
  const head = useHead(now);
  const { diff: settings } = useSettings(now?.project.root);
  return useMemo(() => toSinceHead(head, now, settings), [head, now, settings]);
}

function toSinceHead(head: Head | undefined, now: Manifest | undefined, settings: RuleSettings): SinceHead {
  if (head === undefined || now === undefined) return { kind: 'unknown' };
  if (head.commit === undefined) return { kind: 'none' };
  const { contract = 'comparing', fileCount: count } = head;
  if (typeof contract === 'string') return { kind: 'files', count, contract };
  const today = new Date().toISOString().slice(0, 10);
  return { kind: 'files', count, contract: toContractCount(contract, now, { settings, today }) };
}

function useHead(now: Manifest | undefined): Head | undefined {
  const { terminal, envFile } = useScreen();
  const [head, setHead] = useKept<Head | undefined>('head', undefined);
  const loading = useRef<LoadingHead>(undefined);
  const look = useEffectEvent(async ({ project: { root, config } }: Manifest, isOver: () => boolean) => {
    const [commit, files = []] = await Promise.all([findCommit('HEAD', root), findChangedFiles(root)]);
    if (isOver()) return;
    const known = commit !== undefined && commit === head?.commit ? head.contract : undefined;
    setHead({ commit, fileCount: files.length, contract: known });
    if (commit === undefined || known !== undefined || files.length === 0) return;
    const envFiles = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
    // A save meanwhile looks again, and waits for the same load.
    if (loading.current?.commit !== commit)
      loading.current = { commit, contract: readHeadManifest({ root, config, envFiles }) };
    const contract = (await loading.current.contract) ?? 'failed';
    if (!isOver()) setHead({ commit, fileCount: files.length, contract });
  });
  useEffect(() => {
    if (now === undefined) return undefined;
    let isOver = false;
    void look(now, () => isOver);
    return () => {
      isOver = true;
    };
  }, [now]);
  return head;
}

/** The contract of a commit stays the same. */
interface LoadingHead {
  readonly commit: string;
  readonly contract: Promise<Manifest | undefined>;
}
