import { FACTS, type OperationFacts } from '../document/facts.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { WatchTrouble } from '../system/watch-files.ts';
import type { LoadFailure } from './load-failure.ts';
import type { ProjectEvent } from './watch-project.ts';

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
  }
}

function findChangedKeys(before: Manifest | undefined, after: Manifest): readonly string[] {
  if (before === undefined || before.document === after.document) return [];
  const known = toTexts(before.document);
  const texts = toTexts(after.document);
  return after.keys.filter((key) => known.get(key) !== texts.get(key));
}

/** The operations of a document as text by key, with the schemas that they refer to, and without their places. */
function toTexts({ paths, components }: Manifest['document']): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [path, item] of Object.entries(paths)) {
    for (const { [FACTS]: facts, ...operation } of Object.values(item) as unknown as Operation[]) {
      const seen = new Set<string>();
      const toText = (value: unknown): string => {
        const text = JSON.stringify(value) ?? '';
        const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
        const fresh = names.filter((name) => !seen.has(name) && seen.add(name));
        return text + fresh.map((name) => toText(components.schemas[name])).join('');
      };
      const text = toText([path, { ...facts, source: undefined }, operation]);
      texts.set(facts.key, `${texts.get(facts.key) ?? ''}${text}`);
    }
  }
  return texts;
}

type Operation = Readonly<Record<string, unknown>> & { readonly [FACTS]: OperationFacts };
