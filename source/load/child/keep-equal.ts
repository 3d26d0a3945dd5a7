import type { Manifest } from '../../manifest/manifest.ts';

/** A manifest in which every item that is as in the one before is the same object, and so is every list. */
export function keepEqual(before: Manifest | undefined, after: Manifest): Manifest {
  if (before === undefined) return after;
  return {
    ...after,
    capabilities: keepItems(before.capabilities, after.capabilities),
    problems: keepItems(before.problems, after.problems),
    contract: after.contract && { ...after.contract, paths: keepPaths(before.contract, after.contract) },
    document: after.document && { ...after.document, paths: keepPaths(before.document, after.document) },
  };
}

type Document = NonNullable<Manifest['contract']>;

function keepPaths(before: Document | undefined, { paths }: Document): Document['paths'] {
  const names = Object.keys(paths);
  const kept = keepItems(Object.values(before?.paths ?? {}), Object.values(paths));
  return Object.fromEntries(names.map((name, index) => [name, kept[index]])) as Document['paths'];
}

function keepItems<Item>(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  const known = new Map(before.map((item) => [JSON.stringify(item), item]));
  const kept = after.map((item) => known.get(JSON.stringify(item)) ?? item);
  return kept.length === before.length && kept.every((item, index) => item === before[index]) ? before : kept;
}
