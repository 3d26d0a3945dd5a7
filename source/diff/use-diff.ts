import { join } from 'node:path';
import { useEffect, useMemo, useReducer, useState } from 'react';
import { createCliError } from '../cli/errors/cli-error.ts';
import type { ContractDiff } from '../contract/contract-change.ts';
import { diffManifests } from '../contract/diff-manifests.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { initialProjectState, type ProjectState, reduceProject } from '../load/project-state.ts';
import { useProject } from '../load/use-project.ts';
import { useScreen } from '../screens/use-screen.ts';
import { loadRefApart } from '../sides/load-ref-apart.ts';
import { loadSideSource, type SideSource } from '../sides/side-source.ts';

/** The other side of a comparison while the screen is open; the project that is open is the side as it is now. */
export interface OtherSide {
  readonly state: ProjectState;
  /** Why there is nothing to compare with. */
  readonly problem: Error | undefined;
}

/** The meaning of the name of a side, once it is known. */
export interface FoundSide {
  readonly source: SideSource | undefined;
  readonly problem: Error | undefined;
}

/** Finds what a side names: a capabilities file, which is watched, or a git ref. */
export function useSideSource(label: string): FoundSide {
  const { terminal, project } = useScreen();
  const [found, setFound] = useState<FoundSide>({ source: undefined, problem: undefined });
  const workingDirectory = useMemo(() => terminal.workingDirectory(), [terminal]);
  const root = project.manifest?.project.root ?? workingDirectory;
  useEffect(() => {
    loadSideSource(label, { root, workingDirectory }).then(
      (source) => setFound({ source, problem: findScreenProblem(source) }),
      (error: unknown) => setFound({ source: undefined, problem: toError(error) }),
    );
  }, [label, root, workingDirectory]);
  return found;
}

/** A document is compared with the document of the project, which the command prints. */
function findScreenProblem({ kind, label }: SideSource): Error | undefined {
  if (kind === 'config' || kind === 'ref') return undefined;
  return createCliError('TextOnly', { side: label });
}

/** Watches the config file that is compared with. */
export function useWatchedSide(config: string): OtherSide {
  const { terminal, envFile } = useScreen();
  const [problem, setProblem] = useState<Error>();
  const state = useProject({
    config,
    envFile,
    workingDirectory: useMemo(() => terminal.workingDirectory(), [terminal]),
    onError: (error) => setProblem(toError(error)),
  });
  return { state, problem };
}

/** Loads a git ref once: a commit does not change. */
export function useRefSide(source: Extract<SideSource, { readonly kind: 'ref' }>): OtherSide {
  const { terminal, envFile, project, entry } = useScreen();
  const [state, dispatch] = useReducer(reduceProject, initialProjectState);
  const [problem, setProblem] = useState<Error>();
  const { root, config, name = '' } = project.manifest?.project ?? {};
  useEffect(() => {
    if (root === undefined || config === undefined) return;
    const startedAt = Date.now();
    const own = { root, name, configFile: join(root, config) };
    const options = {
      project: own,
      toEnvFiles: (folder: string) => toEnvFiles(folder, { envFile, workingDirectory: terminal.workingDirectory() }),
    };
    loadRefApart(source, options).then(
      (manifest) => {
        const at = Date.now();
        dispatch({ kind: 'loaded', manifest, output: '', durationMs: at - startedAt, at });
      },
      (error: unknown) => setProblem(toError(error)),
    );
  }, [source, root, config, name, envFile, terminal, entry]);
  return { state, problem };
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The difference as of the last good load of each side; undefined until both are loaded. */
export function useDiff(before: ProjectState, after: ProjectState): ContractDiff | undefined {
  const { manifest: old } = before;
  const { manifest: now } = after;
  return useMemo(() => (old && now ? diffManifests(old, now) : undefined), [old, now]);
}
