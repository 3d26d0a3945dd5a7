import { useMemo, useState } from 'react';
import type { ContractDiff } from '../contract/contract-change.ts';
import { diffManifests } from '../contract/diff-manifests.ts';
import type { ProjectState } from '../load/project-state.ts';
import { useProject } from '../load/use-project.ts';
import { useScreen } from '../screens/use-screen.ts';

/** The other side of a comparison while the screen is open; the project that is open is the side as it is now. */
export interface OtherSide {
  readonly state: ProjectState;
  /** Why there is nothing to compare with. */
  readonly problem: Error | undefined;
}

/** Watches the config file that is compared with. */
export function useOtherSide(config: string): OtherSide {
  const { terminal, envFile } = useScreen();
  const [problem, setProblem] = useState<Error>();
  const state = useProject({
    config,
    envFile,
    workingDirectory: useMemo(() => terminal.workingDirectory(), [terminal]),
    onError: (error) => setProblem(error instanceof Error ? error : new Error(String(error))),
  });
  return { state, problem };
}

/** The difference as of the last good load of each side; undefined until both are loaded. */
export function useDiff(before: ProjectState, after: ProjectState): ContractDiff | undefined {
  const { manifest: old } = before;
  const { manifest: now } = after;
  return useMemo(() => (old && now ? diffManifests(old, now) : undefined), [old, now]);
}
