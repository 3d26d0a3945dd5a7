import type { Intent } from '../../capability/intent.ts';

/** Why a capability has its route. */
export type RouteRule =
  | { readonly id: PrefixRouteRuleId; readonly prefix: string }
  | { readonly id: 'named-query' | 'named-mutation'; readonly intent: Intent }
  | { readonly id: 'declared' | 'override' };

export type PrefixRouteRuleId =
  | 'get-by-id'
  | 'collection'
  | 'get-remainder'
  | 'create'
  | 'un'
  | 'update'
  | 'replace'
  | 'delete';

/** The condition of a rule as the end of a sentence: "starts with `get` and the input has `id`". */
export function toRuleText(rule: RouteRule): string {
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
