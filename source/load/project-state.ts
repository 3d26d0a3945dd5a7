import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import { toOperationId } from '../../server-runtime/openapi/operation-id.ts';
import { FACTS } from '../document/facts.ts';
import { recordOf } from '../document/schema-json.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { WatchTrouble } from '../system/watch-files.ts';
import type { LoadFailure } from './load-failure.ts';

/** The events of a project that is watched. `at`: milliseconds since 1970. */
export type ProjectEvent =
  | { readonly kind: 'loading'; readonly files: readonly string[] }
  | ({ readonly kind: 'loaded'; readonly manifest: Manifest } & LoadTime)
  | ({ readonly kind: 'failed'; readonly failure: LoadFailure } & LoadTime)
  | { readonly kind: 'watch-trouble'; readonly trouble: WatchTrouble }
  | { readonly kind: 'missing'; readonly reason: Error };

interface LoadTime {
  readonly durationMs: number;
  readonly at: number;
}

/** The project as a screen knows it: the last good manifest stays while a newer one is broken. Times: since 1970. */
export interface ProjectState {
  readonly manifest?: Manifest | undefined;
  readonly failure?: LoadFailure | undefined;
  readonly failedAt?: number | undefined;
  readonly isLoading: boolean;
  readonly loadedAt?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly files: readonly string[];
  /** Keys that the last load added or changed; empty after the first. */
  readonly changedKeys: readonly string[];
  readonly watchTrouble?: WatchTrouble | undefined;
  /** Why there is no project here; undefined where there is one. */
  readonly noProject?: Error | undefined;
}

export const initialProjectState: ProjectState = { isLoading: true, files: [], changedKeys: [] };

export function reduceProject(state: ProjectState, event: ProjectEvent): ProjectState {
  switch (event.kind) {
    case 'loading':
      return { ...state, isLoading: true, files: event.files };
    case 'loaded': {
      const { manifest, durationMs, at: loadedAt } = event;
      const changedKeys = findChangedKeys(state.manifest, manifest);
      const cleared = { isLoading: false, failure: undefined, failedAt: undefined };
      return { ...state, ...cleared, manifest, durationMs, loadedAt, changedKeys };
    }
    case 'failed':
      return { ...state, isLoading: false, failure: event.failure, failedAt: event.at };
    case 'watch-trouble':
      return { ...state, watchTrouble: event.trouble };
    case 'missing':
      return { ...state, noProject: event.reason };
  }
}

/** Compares the documents for callers where both loads have one; none where only one has. */
function findChangedKeys(before: Manifest | undefined, after: Manifest): readonly string[] {
  if (before === undefined || (before.published === undefined) !== (after.published === undefined))
    return [];
  const known = toTexts(before.published ?? before.document);
  const texts = toTexts(after.published ?? after.document);
  return after.keys.filter((key) =>
    [key, toOperationId(key)].some((name) => known.get(name) !== texts.get(name)),
  );
}

/**
 * The operations of a document as text, with the schemas that they refer to, and without their places. Each is by its
 * key, or by its id where the document does not tell it.
 */
function toTexts({ paths, components }: OpenApiDocument): ReadonlyMap<unknown, string> {
  const texts = new Map<unknown, string>();
  for (const [path, item] of Object.entries(recordOf(paths))) {
    for (const each of Object.values(recordOf(item))) {
      const { [FACTS]: facts, ...operation } = recordOf(each);
      const { key = operation['operationId'], ...others } = recordOf(facts);
      const seen = new Set<string>();
      const toText = (value: unknown): string => {
        const text = JSON.stringify(value) ?? '';
        const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
          (match) => match[1] ?? '',
        );
        const fresh = names.filter((name) => !seen.has(name) && seen.add(name));
        return text + fresh.map((name) => toText(recordOf(components?.schemas)[name])).join('');
      };
      const text = toText([path, { ...others, source: undefined }, operation]);
      texts.set(key, `${texts.get(key) ?? ''}${text}`);
    }
  }
  return texts;
}
