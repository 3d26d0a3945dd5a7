import type { ManifestCapability } from '../project/manifest.ts';
import { filterFuzzily } from '../ui/fuzzy-filter.ts';
import { type CapabilityRow, toGuardCount } from './list-capabilities.ts';
import { hasFacets, parseListQuery } from './list-query.ts';

export const sortOrders = ['declared', 'key', 'method', 'route', 'guards'] as const;

/** By what the list is sorted; `declared` is the order of declaration. */
export interface ListSort {
  readonly by: (typeof sortOrders)[number];
  readonly isReversed: boolean;
}

export const declaredOrder: ListSort = { by: 'declared', isReversed: false };

export function toNextSort({ by, isReversed }: ListSort): ListSort {
  return { by: sortOrders[(sortOrders.indexOf(by) + 1) % sortOrders.length] ?? 'declared', isReversed };
}

/** A row of the list, with the letters that the filter found. */
export interface ListRow extends CapabilityRow {
  readonly capability: ManifestCapability;
  readonly keyMatches: readonly number[];
  readonly routeMatches: readonly number[];
}

/** What is shown of the capabilities, in the order in which it is shown. */
export function toListRows(
  capabilities: readonly ManifestCapability[],
  { query, sort }: { readonly query: string; readonly sort: ListSort },
): readonly ListRow[] {
  const { text, facets } = parseListQuery(query);
  const wanted =
    facets.length === 0 ? capabilities : capabilities.filter((capability) => hasFacets(capability, facets));
  const found = filterFuzzily(wanted, text, { getText: toSearched });
  const listed = found.map(({ item: capability }, index): ListRow => {
    const keyLength = capability.key.length;
    return {
      ...toRow(capability),
      get keyMatches() {
        return found[index]?.matches.filter((at) => at < keyLength) ?? [];
      },
      get routeMatches() {
        return (found[index]?.matches ?? []).filter((at) => at > keyLength).map((at) => at - keyLength - 1);
      },
    };
  });
  return sortRows(listed, sort);
}

type PlainRow = Omit<ListRow, 'keyMatches' | 'routeMatches'>;

/** The same row for the same capability: every letter of the filter lists them anew. */
function toRow(capability: ManifestCapability): PlainRow {
  const known = rows.get(capability);
  if (known !== undefined) return known;
  const { key, method, path: route } = capability;
  const row = { key, method, route, guards: toGuardCount(capability), capability };
  rows.set(capability, row);
  return row;
}

const rows = new WeakMap<ManifestCapability, PlainRow>();

function toSearched({ key, path }: ManifestCapability): string {
  return `${key} ${path}`;
}

function sortRows(rows: readonly ListRow[], { by, isReversed }: ListSort): readonly ListRow[] {
  const sorted = by === 'declared' ? rows : rows.toSorted((a, b) => compare(a[by], b[by]));
  return isReversed ? sorted.toReversed() : sorted;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
