import { JOB } from '../document/api-operation.ts';
import { toOneLine } from '../kit/line/line.ts';
import { type FuzzyMatch, filterFuzzily, prepareFuzzily } from '../kit/list/filter-fuzzily.ts';
import { hasRoute, type Listed } from '../manifest/operations/listed.ts';
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
export interface ListRow extends Omit<CapabilityRow, 'offers'> {
  /** Unique in the list: a capability may be a job, too. */
  readonly id: string;
  readonly capability: Listed;
  /** Names of the input's fields. */
  readonly input: string;
  /** The description in one line; empty without one. */
  readonly about: string;
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
  return sortRows(text === '' ? wanted.map(toRow) : findRows(wanted, text), sort);
}

/** The capabilities whose key or route has the letters, and after them those whose description has the words. */
function findRows(capabilities: readonly Listed[], text: string): readonly ListRow[] {
  const found = filterFuzzily(capabilities, text, { getText: toSearched });
  const seen = new Set(found.map(({ item }) => item));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const described = capabilities.filter(
    (capability) => !seen.has(capability) && isDescribedBy(toRow(capability).about.toLowerCase(), words),
  );
  return [...found.map((match) => ({ ...toRow(match.item), found: match })), ...described.map(toRow)];
}

/** A letter or two stand in every sentence. */
function isDescribedBy(description: string, words: readonly string[]): boolean {
  return words.some((word) => word.length > 2) && words.every((word) => description.includes(word));
}

/** Gets the capabilities ready for the first letter of a filter, while nothing else is to do. Gives a function that stops it. */
export function prepareListRows(capabilities: readonly Listed[]): () => void {
  return prepareFuzzily(capabilities, { getText: toSearched });
}

/** The same row for the same capability, so that only rows that have changed are drawn anew. */
function toRow(capability: Listed): ListRow {
  const known = rows.get(capability);
  if (known !== undefined) return known;
  const { key, inputFields = [], description = '' } = capability;
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
    about: toOneLine(description),
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
