import type { Intent } from '../capability/definition.ts';
import type { HttpMethod } from '../capability/http.ts';
import { inferIntent, matchNameRule, type NameRule } from './name-rules.ts';
import type { RoutedOperation, RouteRule } from './route.ts';

export interface InferRouteOptions extends Pick<RoutedOperation, 'groups' | 'groupPaths' | 'name' | 'hasId'> {
  readonly intent?: Intent | undefined;
  /** @default 'kebab' */
  readonly urlCase?: UrlCase | undefined;
}

export interface InferredRoute {
  readonly method: HttpMethod;
  /** `/users/:id/follow`. `:id` is the only parameter beside those of groups. */
  readonly path: string;
  readonly rule: RouteRule;
}

/** The HTTP route that a capability has by its groups, name and input. Never throws; looks at nothing else. */
export function inferRoute(options: InferRouteOptions): InferredRoute {
  const { groups, groupPaths = [], name, hasId, intent, urlCase = 'kebab' } = options;
  const base = groups.flatMap((group, at) => {
    const own = groupPaths.find(({ depth }) => depth === groups.length - 1 - at);
    return own === undefined ? toUrlCase(group, urlCase) : own.path.split('/').filter(Boolean);
  });
  const at = (...rest: readonly string[]): string =>
    `/${[...base, ...rest.filter((segment) => segment !== ':id' || !base.includes(segment))].join('/')}`;
  const nameRule = matchNameRule(name, intent);
  if (nameRule === undefined) return inferNamedRoute(inferIntent(name, intent), at(toUrlCase(name, urlCase)));

  const { id, prefix, remainder } = nameRule;
  switch (id) {
    case 'get':
      if (hasId) return { method: 'GET', path: at(':id'), rule: { id: 'get-by-id', prefix } };
      if (matchesGroup(nameRule, groups)) return { method: 'GET', path: at(), rule: { id: 'collection', prefix } };
      return { method: 'GET', path: at(toUrlCase(remainder, urlCase)), rule: { id: 'get-remainder', prefix } };
    case 'collection':
      return { method: 'GET', path: at(), rule: { id, prefix } };
    case 'create':
      return { method: 'POST', path: at(), rule: { id, prefix } };
    case 'un':
      return { method: 'DELETE', path: at(':id', toUrlCase(remainder, urlCase)), rule: { id, prefix } };
    case 'update':
    case 'replace':
    case 'delete':
      return { method: methodOfIntent[id], path: at(':id'), rule: { id, prefix } };
  }
}

function inferNamedRoute(intent: Intent, path: string): InferredRoute {
  const id = intent === 'query' ? 'named-query' : 'named-mutation';
  return { method: methodOfIntent[intent], path, rule: { id, intent } };
}

/** Whether the name after `get` says no more than the innermost group does. */
function matchesGroup({ remainder }: NameRule, groups: readonly string[]): boolean {
  const group = groups.at(-1);
  return remainder === '' || (group !== undefined && isSameNoun(remainder, group));
}

const methodOfIntent = {
  query: 'GET',
  mutation: 'POST',
  update: 'PATCH',
  replace: 'PUT',
  delete: 'DELETE',
} as const satisfies Record<Intent, HttpMethod>;

/** Why a capability has its route: "`getUser` starts with `get` and the input has `id`." */
export function toRouteReason(key: string, rule: RouteRule): string {
  return `\`${key.split('.').at(-1)}\` ${toRuleText(rule)}.`;
}

function toRuleText(rule: RouteRule): string {
  switch (rule.id) {
    case 'get-by-id':
      return 'starts with `get` and the input has `id`';
    case 'get-remainder':
      return 'starts with `get`, the input has no `id`, and the rest of the name is not the group';
    case 'collection':
      return rule.prefix === 'get'
        ? 'starts with `get`, the input has no `id`, and the rest of the name is the group or empty'
        : `starts with \`${rule.prefix}\``;
    case 'un':
      return 'starts with `un` and a verb';
    case 'create':
    case 'update':
    case 'replace':
    case 'delete':
      return `starts with \`${rule.prefix}\``;
    case 'named-query':
      return 'matches no prefix and has the intent `query`';
    case 'named-mutation':
      return `matches no prefix and has the intent \`${rule.intent}\``;
    case 'declared':
      return 'states it by `.route(…)`';
    case 'override':
      return 'has an entry in `overrides`';
  }
}

/** The styles in which the words of a name are joined in a path: `bulk-status`, `bulk_status` or `bulkStatus`. */
export type UrlCase = 'kebab' | 'snake' | 'camel';

export const urlCases = ['kebab', 'snake', 'camel'] as const satisfies readonly UrlCase[];

/** Writes a name in the case of a path segment, first letter small: `getURL` is `get-url`, `get_url` or `getURL`. */
export function toUrlCase(name: string, urlCase: UrlCase): string {
  const words = splitWords(name);
  switch (urlCase) {
    case 'kebab':
      return words.join('-').toLowerCase();
    case 'snake':
      return words.join('_').toLowerCase();
    case 'camel':
      return words.map((word, index) => (index === 0 ? word.toLowerCase() : word)).join('');
  }
}

/** Splits a camel-case name into its words: `HTMLPage` is `['HTML', 'Page']`, `v2Users` is `['v2', 'Users']`. */
export function splitWords(name: string): readonly string[] {
  return name.split(wordBoundary);
}

const wordBoundary = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** Whether two names are equal, or singular and plural of each other by `s`, `es` or `y`/`ies`, in any letter case. */
export function isSameNoun(one: string, other: string): boolean {
  const a = one.toLowerCase();
  const b = other.toLowerCase();
  return a === b || isPluralOf(a, b) || isPluralOf(b, a);
}

function isPluralOf(plural: string, singular: string): boolean {
  return (
    plural === `${singular}s` ||
    plural === `${singular}es` ||
    (singular.endsWith('y') && plural === `${singular.slice(0, -1)}ies`)
  );
}
