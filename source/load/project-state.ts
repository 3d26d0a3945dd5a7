import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import type { WatchTrouble } from '../system/watch/watch-trouble.ts';
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
    case 'unchanged':
      return { ...state, isLoading: false };
    case 'watch-trouble':
      return { ...state, watchTrouble: event.trouble };
  }
}

/** As much of the project as its routes need. */
export function toOutline({ outline, manifest }: ProjectState): Manifest | undefined {
  return manifest ?? outline;
}

function findChangedKeys(before: Manifest | undefined, after: Manifest): readonly string[] {
  if (before === undefined || before.capabilities === after.capabilities) return [];
  const known = new Map(before.capabilities.map((capability) => [capability.key, capability]));
  return after.capabilities
    .filter((capability) => isChanged(known.get(capability.key), capability))
    .map(({ key }) => key);
}

/** Most are the same object; one that only moved in its file has not changed. */
function isChanged(before: ManifestCapability | undefined, after: ManifestCapability): boolean {
  return before !== after && (before === undefined || toComparable(before) !== toComparable(after));
}

function toComparable({ source: _source, ...capability }: ManifestCapability): string {
  return JSON.stringify(capability);
}
