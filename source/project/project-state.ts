import type { LoadFailure } from './load-failure.ts';
import type { Manifest, ManifestCapability } from './manifest.ts';
import type { ProjectEvent } from './watch-project.ts';

/** What a screen knows of the project: the last good manifest stays while a newer one is broken. */
export interface ProjectState {
  readonly manifest?: Manifest | undefined;
  /** Whether the manifest is only the routes of a large project, whose schemas are on their way. */
  readonly isOutline?: boolean | undefined;
  /** Of each capability of the manifest, by key. */
  readonly fingerprints?: ReadonlyMap<string, string> | undefined;
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
}

export const initialProjectState: ProjectState = { isLoading: true, files: [], changedKeys: [] };

export function reduceProject(state: ProjectState, event: ProjectEvent): ProjectState {
  switch (event.kind) {
    case 'loading':
      return { ...state, isLoading: true, files: event.files };
    case 'outlined':
      // What is on the screen has more, and only what it lacks is new.
      if (state.manifest !== undefined) return state;
      return { ...state, manifest: event.manifest, isOutline: true, loadedAt: event.at, durationMs: event.durationMs };
    case 'loaded': {
      const fingerprints = toFingerprints(event);
      return {
        ...state,
        isLoading: false,
        manifest: event.manifest,
        failure: undefined,
        failedAt: undefined,
        loadedAt: event.at,
        durationMs: event.durationMs,
        isOutline: undefined,
        fingerprints,
        changedKeys: state.fingerprints === undefined ? [] : findChangedKeys(state.fingerprints, fingerprints),
      };
    }
    case 'failed':
      return { ...state, isLoading: false, failure: event.failure, failedAt: event.at };
  }
}

function findChangedKeys(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...after].filter(([key, fingerprint]) => before.get(key) !== fingerprint).map(([key]) => key);
}

function toFingerprints({
  manifest,
  fingerprints,
}: {
  readonly manifest: Manifest;
  readonly fingerprints?: readonly string[] | undefined;
}): ReadonlyMap<string, string> {
  return new Map(
    manifest.capabilities.map((capability, index) => [
      capability.key,
      fingerprints?.[index] ?? toComparable(capability),
    ]),
  );
}

/** A capability that only moved in its file has not changed. */
function toComparable({ source: _source, ...capability }: ManifestCapability): string {
  return JSON.stringify(capability);
}
