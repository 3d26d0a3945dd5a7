import type { Intent } from '../capability/definition.ts';
import type { HttpMethod } from '../capability/http.ts';
import { inferIntent, matchNameRule } from './name-rules.ts';
import type { Route, RoutedOperation, RouteRule } from './route.ts';

export type InferredRoute = Pick<Route, 'method' | 'path' | 'rule'>;

/** The HTTP route that a capability has by its groups, name and input. Never throws; looks at nothing else. */
export function inferRoute(
  { groups, groupsAround = [], name, hasId, declaredIntent: declared }: Omit<RoutedOperation, 'key'>,
  urlCase: UrlCase = 'kebab',
): InferredRoute {
  const base = groups.flatMap((group, at) => {
    const path = groupsAround.find((each) => each.at === at + 1)?.path;
    return path === undefined ? toUrlCase(group, urlCase) : path.split('/').filter(Boolean);
  });
  const intent = inferIntent(name, declared);
  const toRoute = (rule: RouteRule, ...segments: readonly string[]): InferredRoute => {
    const rest = segments.filter((segment) => segment !== ':id' || !base.includes(segment));
    return { method: methodOfIntent[intent], path: `/${[...base, ...rest].join('/')}`, rule };
  };
  const nameRule = matchNameRule(name, declared);
  if (nameRule === undefined)
    return toRoute({ id: intent === 'query' ? 'named-query' : 'named-mutation', intent }, toUrlCase(name, urlCase));
  const { id, prefix, remainder } = nameRule;
  const words = toUrlCase(remainder, urlCase);
  if (id === 'collection' || id === 'create') return toRoute({ id, prefix });
  if (id === 'un') return toRoute({ id, prefix }, ':id', words);
  if (id !== 'get') return toRoute({ id, prefix }, ':id');
  if (hasId) return toRoute({ id: 'get-by-id', prefix }, ':id');
  const isGroup = remainder === '' || isSameNoun(remainder, groups.at(-1) ?? '');
  return isGroup ? toRoute({ id: 'collection', prefix }) : toRoute({ id: 'get-remainder', prefix }, words);
}

const methodOfIntent: Readonly<Record<Intent, HttpMethod>> = {
  query: 'GET',
  mutation: 'POST',
  update: 'PATCH',
  replace: 'PUT',
  delete: 'DELETE',
};

export const urlCases = ['kebab', 'snake', 'camel'] as const;

/** The styles in which the words of a name are joined in a path: `bulk-status`, `bulk_status` or `bulkStatus`. */
export type UrlCase = (typeof urlCases)[number];

/** Writes a name in the case of a path segment, first letter small: `getURL` is `get-url`, `get_url` or `getURL`. */
export function toUrlCase(name: string, urlCase: UrlCase): string {
  const [first = '', ...others] = splitWords(name);
  if (urlCase === 'camel') return [first.toLowerCase(), ...others].join('');
  return [first, ...others].join(urlCase === 'kebab' ? '-' : '_').toLowerCase();
}

/** Splits a camel-case name into its words: `HTMLPage` is `['HTML', 'Page']`, `v2Users` is `['v2', 'Users']`. */
export function splitWords(name: string): readonly string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
}

/** Whether two names are equal, or singular and plural of each other by `s`, `es` or `y`/`ies`, in any letter case. */
export function isSameNoun(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const toForms = (noun: string): readonly string[] => [noun, `${noun}s`, `${noun}es`, noun.replace(/y$/, 'ies')];
  return toForms(a).includes(b) || toForms(b).includes(a);
}
