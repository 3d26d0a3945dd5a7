import { useCallback, useEffect, useMemo, useState } from 'react';
import type { JudgedDiff } from '../contract/apply-settings.ts';
import type { ProjectState } from '../load/project-state.ts';
import { useSettings } from '../load/settings/use-settings.ts';
import { findContract } from '../manifest/manifest.ts';
import { useScreen } from '../screens/use-screen.ts';
import type { ContractSide } from '../sides/load-sides.ts';
import { expectRules, judge, loadOtherSides, type Sides } from './load-compared.ts';

/** The sides of the screen, as of the last good load of each. */
export interface OpenSides {
  readonly sides: Sides | undefined;
  /** When they were loaded, milliseconds since 1970; undefined until then. */
  readonly loadedAt: number | undefined;
  readonly judged: JudgedDiff | undefined;
  /** Why the sides that are named cannot be loaded, or why the decisions of the project do not count. */
  readonly problem: Error | undefined;
  /** Loads what was named again: a branch moves, a document is written anew. */
  readonly reload: () => void;
}

interface Loaded {
  /** Without the newer one where that is the open project. */
  readonly sides?: readonly ContractSide[];
  readonly at?: number;
  readonly problem?: Error | undefined;
}

/**
 * Loads the sides that are named: when the screen opens, and when the user asks. Without a second one, the open project
 * is it, as of its last load.
 */
export function useSides(before: string, after: string | undefined): OpenSides {
  const { terminal, envFile, config, project } = useScreen();
  const [loaded, setLoaded] = useState<Loaded>({});
  const [loads, setLoads] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const workingDirectory = terminal.workingDirectory();
    loadOtherSides({ before, after, config, envFile: envFile ?? [], workingDirectory, signal: stop.signal }).then(
      (sides) => stop.signal.aborted || setLoaded({ sides, at: Date.now() }),
      (error: unknown) => stop.signal.aborted || setLoaded((last) => ({ ...last, problem: toError(error) })),
    );
    return () => stop.abort();
  }, [before, after, config, envFile, terminal, loads]);
  const open = useMemo(() => toOpenSide(project), [project]);
  const [older, newer = open] = loaded.sides ?? [];
  const sides = useMemo((): Sides | undefined => older && newer && [older, newer], [older, newer]);
  const settings = useSettings(project.manifest?.project.root ?? terminal.workingDirectory());
  const decided = useMemo(() => sides && judgeSafely(sides, settings.diff), [sides, settings]);
  const reload = useCallback(() => setLoads((count) => count + 1), []);
  const problem = loaded.problem ?? decided?.problem;
  return { sides, loadedAt: loaded.at, judged: decided?.judged, problem, reload };
}

function toOpenSide({ manifest }: ProjectState): ContractSide | undefined {
  if (manifest === undefined || findContract(manifest) === undefined) return undefined;
  return { label: manifest.project.config, manifest };
}

/** Decisions that cannot be read count for nothing. */
function judgeSafely(sides: Sides, settings: Parameters<typeof judge>[1]) {
  try {
    return { judged: judge(sides, expectRules(settings)), problem: undefined };
  } catch (error) {
    return { judged: judge(sides, { rules: {}, ignore: [] }), problem: toError(error) };
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
