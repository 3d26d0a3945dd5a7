import type { LoadFailure } from './load-failure.ts';
import type { Manifest, ManifestCapability } from './manifest.ts';
import type { ProjectEvent } from './watch-project.ts';

/** What a screen knows of the project: the last good manifest stays while a newer one is broken. */
export interface ProjectState {
  readonly manifest?: Manifest | undefined;
  /** Why the newest files could not be loaded. */
  readonly failure?: LoadFailure | undefined;
  readonly isLoading: boolean;
  /** When the manifest was loaded, milliseconds since 1970. */
  readonly loadedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  /** The files whose save is being loaded or was loaded last, relative to the project. */
  readonly files: readonly string[];
  /** Keys that the last load added or changed; empty after the first. */
  readonly changedKeys: readonly string[];
}

export const initialProjectState: ProjectState = { isLoading: true, files: [], changedKeys: [] };

export function reduceProject(state: ProjectState, event: ProjectEvent): ProjectState {
  switch (event.kind) {
    case 'loading':
      return { ...state, isLoading: true, files: event.files };
    case 'loaded':
      return {
        ...state,
        isLoading: false,
        manifest: event.manifest,
        failure: undefined,
        loadedAt: event.at,
        durationMs: event.durationMs,
        changedKeys: state.manifest === undefined ? [] : findChangedKeys(state.manifest, event.manifest),
      };
    case 'failed':
      return { ...state, isLoading: false, failure: event.failure };
  }
}

/** A capability that only moved in its file has not changed. */
function findChangedKeys(before: Manifest, after: Manifest): readonly string[] {
  const olds = new Map(before.capabilities.map((capability) => [capability.key, toComparable(capability)]));
  return after.capabilities
    .filter((capability) => olds.get(capability.key) !== toComparable(capability))
    .map(({ key }) => key);
}

function toComparable({ source: _source, ...capability }: ManifestCapability): string {
  return JSON.stringify(capability);
}
