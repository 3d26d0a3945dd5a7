import { useCallback, useEffect, useReducer, useState } from 'react';
import { toEnvFiles } from '../../load/env-files.ts';
import { initialProjectState, type ProjectState, reduceProject } from '../../load/project-state.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { loadSidesApart } from '../../sides/load-sides-apart.ts';
import { loadSideSource } from '../../sides/side-source.ts';
import type { Sides } from '../../sides/to-comparable.ts';
import { expectComparedProject } from './expect-compared-project.ts';

export interface TwoSides {
  readonly before: ProjectState;
  readonly after: ProjectState;
  /** The reason why there is nothing to compare. */
  readonly problem: Error | undefined;
  /** Loads both again: a branch moves, a document is written anew. */
  readonly reload: () => void;
}

/** Two sides by their names, of which neither is the project that is open. What was loaded stays where it cannot be loaded again. */
export function useTwoSides(from: string, to: string): TwoSides {
  const { terminal, envFile, config } = useScreen();
  const [before, tellBefore] = useReducer(reduceProject, initialProjectState);
  const [after, tellAfter] = useReducer(reduceProject, initialProjectState);
  const [problem, setProblem] = useState<Error>();
  const [loads, setLoads] = useState(0);
  useEffect(() => {
    let isClosed = false;
    const startedAt = Date.now();
    const workingDirectory = terminal.workingDirectory();
    loadBoth(from, to, { workingDirectory, config, envFile: envFile ?? [] }).then(
      (sides) => {
        if (isClosed) return;
        const at = Date.now();
        const times = { output: '', durationMs: at - startedAt, at };
        tellBefore({ kind: 'loaded', manifest: sides[0].manifest, ...times });
        tellAfter({ kind: 'loaded', manifest: sides[1].manifest, ...times });
      },
      (thrown: unknown) => {
        if (isClosed) return;
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        // Nothing was shown yet.
        if (loads === 0) return setProblem(error);
        const failure = { code: 'ImportFailed', message: error.message } as const;
        tellBefore({ kind: 'failed', failure, output: '', durationMs: 0, at: Date.now() });
      },
    );
    return () => {
      isClosed = true;
    };
  }, [from, to, loads, terminal, config, envFile]);
  return { before, after, problem, reload: useCallback(() => setLoads((count) => count + 1), []) };
}

interface LoadBothOptions {
  readonly workingDirectory: string;
  readonly config: string | undefined;
  readonly envFile: readonly string[];
}

async function loadBoth(
  before: string,
  after: string,
  { workingDirectory, config, envFile }: LoadBothOptions,
): Promise<Sides> {
  const project = expectComparedProject({ before, after, config, workingDirectory });
  const place = { root: project.root, workingDirectory };
  const sources = [await loadSideSource(before, place), await loadSideSource(after, place)] as const;
  const ofRoot = (root: string): readonly string[] => toEnvFiles(root, { envFile, workingDirectory });
  return loadSidesApart(sources, { project, toEnvFiles: ofRoot });
}
