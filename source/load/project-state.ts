import { FACTS, type OperationFacts } from '../document/facts.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { WatchTrouble } from '../system/watch-files.ts';
import type { LoadFailure } from './load-failure.ts';
import type { ProjectEvent } from './watch-project.ts';

/** The state of the project, as a screen knows it: the last good manifest stays while a newer one is broken. */
export interface ProjectState {
  readonly manifest?: Manifest | undefined;
  /** The routes of a large project whose schemas are on their way for the first time. */
  readonly outline?: Manifest | undefined;
  /** Why the newest files could not be loaded. */
  readonly failure?: LoadFailure | undefined;
  /** When that was found, milliseconds since 1970. */
  readonly failedAt?: number | undefined;
  readonly isLoading: boolean;
  /** When the manifest was loaded, milliseconds since 1970. */
  readonly loadedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  /** The files whose save is being loaded or was loaded last, relative to the project. */
  readonly files: readonly string[];
  /** Keys that the last load added or changed; empty after the first. */
  readonly changedKeys: readonly string[];
  /** Why saves may be seen late, or not at all. */
  readonly watchTrouble?: WatchTrouble | undefined;
}

export const initialProjectState: ProjectState = { isLoading: true, files: [], changedKeys: [] };

export function reduceProject(state: ProjectState, event: ProjectEvent): ProjectState {
  switch (event.kind) {
    case 'loading':
      return { ...state, isLoading: true, files: event.files };
    case 'outlined':
      // What is on the screen has more, and only what it lacks is new.
      if (state.manifest !== undefined) return state;
      return { ...state, outline: event.manifest };
    case 'loaded':
      return {
        ...state,
        isLoading: false,
        manifest: event.manifest,
        failure: undefined,
        failedAt: undefined,
        loadedAt: event.at,
        durationMs: event.durationMs,
        outline: undefined,
        changedKeys: findChangedKeys(state.manifest, event.manifest),
      };
    case 'failed':
      return { ...state, isLoading: false, failure: event.failure, failedAt: event.at };
    case 'watch-trouble':
      return { ...state, watchTrouble: event.trouble };
  }
}

/** As much of the project as its routes need. */
export function toOutline({ outline, manifest }: ProjectState): Manifest | undefined {
  return manifest ?? outline;
}

function findChangedKeys(before: Manifest | undefined, after: Manifest): readonly string[] {
  if (before === undefined || before.document === after.document) return [];
  const known = toTexts(before.document, after.document);
  const texts = toTexts(after.document, before.document);
  return after.keys.filter((key) => known.get(key) !== texts.get(key));
}

/**
 * The operations of a document as text by key, with the components that they refer to. One that only moved in its file
 * has not changed, and what is the same object in the other document is left out.
 */
function toTexts(document: Document, other: Document): ReadonlyMap<string, string> {
  // An outline has no components.
  const schemas: Readonly<Record<string, unknown>> = (document as Partial<Document>).components?.schemas ?? {};
  const sameParts = document.components === other.components;
  const texts = new Map<string, string>();
  for (const [path, item] of Object.entries(document.paths)) {
    if (sameParts && item === other.paths[path]) continue;
    for (const operation of Object.values(item)) {
      const { [FACTS]: facts, ...said } = operation as unknown as { readonly [FACTS]: OperationFacts };
      const refs = new Set<string>();
      const add = (value: unknown): string => {
        const text = JSON.stringify(value) ?? '';
        const found = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
        const unseen = found.filter((name) => !refs.has(name) && refs.add(name));
        return text + unseen.map((name) => add(schemas[name])).join('');
      };
      texts.set(facts.key, `${texts.get(facts.key) ?? ''}${add([path, { ...facts, source: undefined }, said])}`);
    }
  }
  return texts;
}

type Document = Manifest['document'];
