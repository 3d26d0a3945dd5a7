import type { Intent } from '../../capability/intent.ts';
import type { HttpMethod } from '../../capability/route/http-method.ts';
import { inferIntent } from './infer-intent.ts';
import { isSameNoun } from './is-same-noun.ts';
import { matchNameRule, type NameRule } from './match-name-rule.ts';
import type { RouteRule } from './route-rule.ts';
import { toUrlCase, type UrlCase } from './url-case.ts';

export interface InferRouteOptions {
  /** The group path from the outside in: `['products', 'variants']`; empty for a capability at the root. */
  readonly groups: readonly string[];
  /** Paths of groups in place of their names: those of `group('/orgs/:orgId', …)`. @default none */
  readonly groupPaths?: readonly GroupPath[] | undefined;
  /** The capability's name, without its groups: `getUser`. */
  readonly name: string;
  /** Whether the input object has a field named exactly `id`. */
  readonly hasId: boolean;
  /** The intent that was declared, if any. */
  readonly intent?: Intent | undefined;
  /** @default 'kebab' */
  readonly urlCase?: UrlCase | undefined;
}

/** A path that a group has in place of its name. */
export interface GroupPath {
  /** Begins with a slash: `/orgs/:orgId`. */
  readonly path: string;
  /** The number of groups between it and the capability. */
  readonly depth: number;
}

export interface InferredRoute {
  readonly method: HttpMethod;
  /**
   * Begins with a slash and ends with none, except for `/` itself: `/users/:id/follow`. `:id` is the only parameter
   * beside those of groups.
   */
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
