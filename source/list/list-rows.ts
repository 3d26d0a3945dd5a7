import { type FuzzyMatch, filterFuzzily, prepareFuzzily } from '../kit/list/filter-fuzzily.ts';
import { hasRoute, JOB, type Listed } from '../manifest/operations/listed.ts';
import { toShortJobText } from '../manifest/operations/to-job-texts.ts';
import { type CapabilityRow, toGuardCount } from './capability-row.ts';
import { hasFacets, parseListQuery } from './list-query.ts';

export const sortOrders = ['declared', 'key', 'method', 'route', 'guards'] as const;

/** The order of the list; `declared` is the order of declaration. */
export interface ListSort {
  readonly by: (typeof sortOrders)[number];
  readonly isReversed: boolean;
}

export const declaredOrder: ListSort = { by: 'declared', isReversed: false };

export function toNextSort({ by, isReversed }: ListSort): ListSort {
  return { by: sortOrders[(sortOrders.indexOf(by) + 1) % sortOrders.length] ?? 'declared', isReversed };
}

/** A row of the list. */
export interface ListRow extends CapabilityRow {
  /** Unique in the list: a capability may be a job, too. */
  readonly id: string;
  readonly capability: Listed;
  /** Names of the input's fields. */
  readonly input: string;
  /** The letters that the filter found in the key, a blank and the route. */
  readonly found: FuzzyMatch<Listed> | undefined;
}

/** The rows of the capabilities, in the order in which it is shown. */
export function toListRows(
  capabilities: readonly Listed[],
  { query, sort }: { readonly query: string; readonly sort: ListSort },
): readonly ListRow[] {
  const { text, facets } = parseListQuery(query);
  const wanted =
    facets.length === 0 ? capabilities : capabilities.filter((capability) => hasFacets(capability, facets));
  const listed =
    text === ''
      ? wanted.map(toRow)
      : filterFuzzily(wanted, text, { getText: toSearched }).map((found) => ({ ...toRow(found.item), found }));
  return sortRows(listed, sort);
}

/** Gets the capabilities ready for the first letter of a filter, while nothing else is to do. Gives a function that stops it. */
export function prepareListRows(capabilities: readonly Listed[]): () => void {
  return prepareFuzzily(capabilities, { getText: toSearched });
}

/** The same row for the same capability, so that only rows that have changed are drawn anew. */
function toRow(capability: Listed): ListRow {
  const known = rows.get(capability);
  if (known !== undefined) return known;
  const { key, inputFields = [] } = capability;
  const guards = toGuardCount(capability);
  const { method, route } = hasRoute(capability)
    ? { method: capability.method, route: capability.path }
    : { method: JOB, route: toShortJobText(capability.job) };
  const row = {
    id: `${method} ${key}`,
    key,
    method,
    route,
    guards,
    input: inputFields.join(' '),
    capability,
    found: undefined,
  };
  rows.set(capability, row);
  return row;
}

const rows = new WeakMap<Listed, ListRow>();

function toSearched(listed: Listed): string {
  return `${listed.key} ${hasRoute(listed) ? listed.path : toShortJobText(listed.job)}`;
}

function sortRows(rows: readonly ListRow[], { by, isReversed }: ListSort): readonly ListRow[] {
  const sorted = by === 'declared' ? rows : rows.toSorted((a, b) => compare(a[by], b[by]));
  return isReversed ? sorted.toReversed() : sorted;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
