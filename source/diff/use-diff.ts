import { join } from 'node:path';
import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import type { OpenApiOptions } from '../../server-runtime/openapi/generate-openapi.ts';
import { diffManifests } from '../contract/diff-manifests.ts';
import { applySettings, type JudgedDiff } from '../contract/rules/apply-settings.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { initialProjectState, type ProjectState, reduceProject } from '../load/project-state.ts';
import { type CurrentSettings, useSettings } from '../load/settings/use-settings.ts';
import { useProject } from '../load/use-project.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { useScreen } from '../screens/use-screen.ts';
import { type DocumentSource, loadDocumentSide } from '../sides/load-document-side.ts';
import { loadRefApart } from '../sides/load-ref-apart.ts';
import { loadSideSource, type SideSource } from '../sides/side-source.ts';
import { toComparable } from '../sides/to-comparable.ts';
import { expectRules } from './compare/expect-rules.ts';

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

/** Finds what a side names: a capabilities file, a git ref, a document, a server or a lock file. */
export function useSideSource(label: string): FoundSide {
  const { terminal, project } = useScreen();
  const [found, setFound] = useState<FoundSide>({ source: undefined, problem: undefined });
  const workingDirectory = useMemo(() => terminal.workingDirectory(), [terminal]);
  const root = project.manifest?.project.root ?? workingDirectory;
  useEffect(() => {
    loadSideSource(label, { root, workingDirectory }).then(
      (source) => setFound({ source, problem: undefined }),
      (error: unknown) => setFound({ source: undefined, problem: toError(error) }),
    );
  }, [label, root, workingDirectory]);
  return found;
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
    const own = { root, name, entryFile: join(root, config) };
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

/** A side that is read and not run. Nobody says when it changes, so it is loaded again when the user asks. */
export interface DocumentSide extends OtherSide {
  /** Whether it says no more than an OpenAPI document can; false until it is loaded. */
  readonly isDocument: boolean;
  readonly reload: () => void;
}

/** Loads a document, the document of a server, or a lock file. What was loaded stays where it cannot be loaded again. */
export function useDocumentSide(source: DocumentSource): DocumentSide {
  const [state, dispatch] = useReducer(reduceProject, initialProjectState);
  const [isDocument, setIsDocument] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const [loads, setLoads] = useState(0);
  useEffect(() => {
    let isClosed = false;
    const startedAt = Date.now();
    const settle = (act: (times: { readonly at: number; readonly durationMs: number }) => void): void => {
      const at = Date.now();
      if (!isClosed) act({ at, durationMs: at - startedAt });
    };
    loadDocumentSide(source).then(
      (side) =>
        settle((times) => {
          setIsDocument(side.isDocument);
          dispatch({ kind: 'loaded', manifest: side.manifest, output: '', ...times });
        }),
      (error: unknown) =>
        settle((times) => {
          const thrown = toError(error);
          // Nothing of it was shown yet.
          if (loads === 0) return setProblem(thrown);
          const { message } = thrown;
          dispatch({ kind: 'failed', failure: { code: 'ImportFailed', message }, output: '', ...times });
        }),
    );
    return () => {
      isClosed = true;
    };
  }, [source, loads]);
  const reload = useCallback(() => setLoads((count) => count + 1), []);
  return { state, isDocument, reload, problem };
}

const documentOptions: OpenApiOptions = {};

/** A document, and the project as its own document has it, made anew after every save, under the keys of the project. */
export function useDescribedProject(before: ProjectState) {
  const { terminal, config, envFile } = useScreen();
  const [problem, setProblem] = useState<Error>();
  const after = useProject({
    config,
    envFile,
    workingDirectory: useMemo(() => terminal.workingDirectory(), [terminal]),
    detail: 'contract',
    document: documentOptions,
    onError: (error) => setProblem(toError(error)),
  });
  const { manifest: old } = before;
  const { manifest: now } = after;
  const sides = useMemo(() => {
    if (old === undefined || now === undefined) return undefined;
    return toComparable([
      { label: '', manifest: old, isDocument: true },
      { label: '', manifest: now, isDocument: false },
    ]).map(({ manifest }) => manifest);
  }, [old, now]);
  return {
    before: { ...before, manifest: sides?.[0] ?? old },
    after: { ...after, manifest: sides?.[1] ?? now },
    problem,
  };
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

export interface JudgedScreenDiff extends JudgedDiff {
  /** The reason why the decisions of the project do not count: they cannot be read. */
  readonly problem: string | undefined;
}

/** The difference as of the last good load of each side, as the project judges it now; undefined until both are loaded. */
export function useDiff(before: ProjectState, after: ProjectState): JudgedScreenDiff | undefined {
  const { manifest: old } = before;
  const { manifest: now } = after;
  const { terminal, project } = useScreen();
  const settings = useSettings(project.manifest?.project.root ?? terminal.workingDirectory());
  return useMemo(() => (old && now ? judge(old, now, settings) : undefined), [old, now, settings]);
}

function judge(old: Manifest, now: Manifest, settings: CurrentSettings): JudgedScreenDiff {
  const today = new Date().toISOString().slice(0, 10);
  const diff = diffManifests(old, now, { today });
  try {
    return { ...applySettings(diff, expectRules(settings.diff)), problem: settings.problem };
  } catch (error) {
    return { diff, ignored: [], problem: toError(error).message };
  }
}
