import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CompareProgress } from '../contract/compare-sides.ts';
import type { JudgedDiff } from '../contract/summary/apply-settings.ts';
import type { DiffValues } from '../flags/diff-flags.ts';
import { useSettings } from '../load/settings/use-settings.ts';
import { findContract } from '../manifest/manifest.ts';
import { useProject, useServices } from '../screens/use-screen.ts';
import { type ContractSide, createClashError } from '../sides/load-sides.ts';
import {
  type JudgeOptions,
  judge,
  loadOtherSides,
  type NamedSides,
  toSideNotes,
  toUnread,
  type UnreadPart,
} from './load-compared.ts';

export interface OpenSides {
  readonly isLoaded: boolean;
  readonly judged: JudgedDiff | undefined;
  /** How far a comparison of large documents is that takes a while; undefined before. */
  readonly progress: CompareProgress | undefined;
  /** Why the sides that are named cannot be loaded, or why the decisions of the project do not count. */
  readonly problem: Error | undefined;
  /** Sentences about the sides that whoever reads the differences should know. */
  readonly notes: readonly string[];
  /** What was not compared. */
  readonly unread: readonly UnreadPart[];
  /** Loads what was named again: a branch moves, a document is written anew. */
  readonly reload: () => void;
}

/** Without the newer side where that is the open project. */
type Loaded = Partial<Pick<OpenSides, 'problem'>> & { readonly sides?: readonly ContractSide[] };

/**
 * Loads the sides that are named: when the screen opens, and when the user asks. Without a second one, the open project
 * is it, as of its last load.
 */
export function useSides({ before, after }: NamedSides, options?: Partial<DiffValues>): OpenSides {
  const { terminal, envFile, config } = useServices();
  const { project } = useProject();
  const [{ sides, problem }, setLoaded] = useState<Loaded>({});
  const [loads, setLoads] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const workingDirectory = terminal.workingDirectory();
    const { env: givesEnv, maxSize, allow } = options ?? {};
    const place = { config, envFile, workingDirectory, signal: stop.signal };
    loadOtherSides({ before, after, givesEnv, maxSize, allow, ...place }).then(
      (loaded) => stop.signal.aborted || setLoaded({ sides: loaded }),
      (error: unknown) =>
        stop.signal.aborted || setLoaded((last) => ({ ...last, problem: error as Error })),
    );
    return () => stop.abort();
  }, [before, after, options, config, envFile, terminal, loads]);
  const { manifest } = project;
  const settings = useSettings(manifest?.project.root ?? terminal.workingDirectory()).diff;
  const [older, newer] = sides ?? [];
  const clash = useMemo(() => {
    const comparesProject = sides !== undefined && newer === undefined;
    if (!comparesProject || manifest === undefined || findContract(manifest)) return undefined;
    return createClashError(manifest.project.config);
  }, [sides, newer, manifest]);
  const [decided, setDecided] = useState<Decided>();
  const [progress, setProgress] = useState<CompareProgress>();
  useEffect(() => {
    const old = older?.manifest.document;
    const current = newer?.manifest.document ?? (manifest && findContract(manifest));
    if (old === undefined || current === undefined) return;
    const stop = new AbortController();
    const options = { settings, signal: stop.signal, onProgress: setProgress };
    decide({ before: old, after: current, ...options }).then(
      (result) => stop.signal.aborted || setDecided(result),
      (error: unknown) => stop.signal.aborted || setDecided({ problem: error as Error }),
    );
    return () => stop.abort();
  }, [older, newer, manifest, settings]);
  const about = useMemo(
    () => ({
      notes: sides === undefined ? [] : toSideNotes(sides, { before, after }),
      unread: toUnread(sides ?? []),
    }),
    [sides, before, after],
  );
  const reload = useCallback(() => setLoads((count) => count + 1), []);
  return {
    isLoaded: sides !== undefined,
    judged: decided?.judged,
    progress,
    ...about,
    problem: problem ?? clash ?? decided?.problem,
    reload,
  };
}

type Decided = Partial<Pick<OpenSides, 'judged' | 'problem'>>;

/** Decisions that cannot be read count for nothing. */
async function decide(options: JudgeOptions): Promise<Decided> {
  try {
    return { judged: await judge(options) };
  } catch (error) {
    options.signal?.throwIfAborted();
    return { judged: await judge({ ...options, settings: {} }), problem: error as Error };
  }
}
