import { searchFuzzily } from '../kit/list/filter-fuzzily.ts';
import type { ManifestCapability } from '../manifest/manifest.ts';

/** A group that a capability can go into. */
export interface GroupChoice {
  /** `'products/variants'`; empty for the root. One that is not there is as it was typed, which need not be a name. */
  readonly path: string;
  /** `'2 capabilities'`, `'a new group'`. */
  readonly note: string;
  readonly isThere: boolean;
  /** Indexes of the letters that were typed. */
  readonly matches: readonly number[];
}

/** The typed name comes first, whether there is such a group or not; then the groups that are there and look like it, the best first. */
export function toGroupChoices(typed: string, groups: ReadonlyMap<string, number>): readonly GroupChoice[] {
  const named = typed.split(/[\\/.]/).join('/');
  const path = groups.has(named) ? named : typed;
  const others = searchFuzzily(
    [...groups.keys()].filter((group) => group !== path),
    typed,
    { getText: (group) => group },
  );
  return [
    { path, note: toNote(path, groups.get(path)), isThere: path === '' || groups.has(path), matches: [] },
    ...others.map(({ item, matches }) => ({
      path: item,
      note: toNote(item, groups.get(item)),
      isThere: true,
      matches,
    })),
  ];
}

function toNote(path: string, count: number | undefined): string {
  if (path === '') return 'no group';
  if (count === undefined) return 'a new group';
  return count === 1 ? '1 capability' : `${count === 0 ? 'no' : count} capabilities`;
}

/** Counts the capabilities of each group itself. `listed` are groups that may hold none. */
export function countGroups(
  capabilities: readonly Pick<ManifestCapability, 'groups'>[],
  listed: readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>(listed.map((path) => [path, 0]));
  for (const { groups } of capabilities) {
    groups.forEach((_, index) => {
      const path = groups.slice(0, index + 1).join('/');
      counts.set(path, (counts.get(path) ?? 0) + (index === groups.length - 1 ? 1 : 0));
    });
  }
  return counts;
}
