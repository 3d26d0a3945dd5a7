import { JOB } from '../document/api-operation.ts';
import { hasRoute, type Listed } from '../manifest/operations/listed.ts';

/** The query in the filter line of the list. */
export interface ListQuery {
  /** Searched fuzzily in keys and routes. */
  readonly text: string;
  readonly facets: readonly Facet[];
}

export interface Facet {
  readonly name: FacetName;
  /** The text in small letters. */
  readonly value: string;
}

const facetNames = ['method', 'group', 'guard', 'intent', 'is'] as const;
export type FacetName = (typeof facetNames)[number];

export const queryHint = 'text  method:get  group:users  guard:public  is:deprecated';
export const shortQueryHint = 'text  m:get  g:users';

/** Reads `get item method:post group:users`; the start of a facet's name is enough: `m:post`. */
export function parseListQuery(query: string): ListQuery {
  const words: string[] = [];
  const facets: Facet[] = [];
  for (const word of query.split(/\s+/).filter(Boolean)) {
    const [, start, value] = /^([a-z]+):(.*)$/i.exec(word) ?? [];
    const name = start === undefined ? undefined : facetNames.find((one) => one.startsWith(start.toLowerCase()));
    if (name === undefined) words.push(word);
    else if (value) facets.push({ name, value: value.toLowerCase() });
  }
  return { text: words.join(' '), facets };
}

/** Whether a capability has all that the facets ask for. */
export function hasFacets(capability: Listed, facets: readonly Facet[]): boolean {
  return facets.every((facet) => hasFacet(capability, facet));
}

function hasFacet(capability: Listed, { name, value }: Facet): boolean {
  switch (name) {
    case 'method':
      return (hasRoute(capability) ? capability.method : JOB).toLowerCase().startsWith(value);
    case 'group':
      return capability.groups.join('.').toLowerCase().includes(value);
    case 'guard': {
      const names = [...capability.guards, ...capability.inputGuards].map((guard) => guard.name.toLowerCase());
      return names.length === 0 ? 'public'.startsWith(value) : names.some((guard) => guard.includes(value));
    }
    case 'intent':
      return capability.intent.startsWith(value);
    case 'is':
      return (
        ('deprecated'.startsWith(value) && capability.deprecation !== undefined) ||
        ('public'.startsWith(value) && capability.guards.length + capability.inputGuards.length === 0)
      );
  }
}
