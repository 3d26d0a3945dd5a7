import type { Intent } from '../capability/definition.ts';
import type { HttpMethod } from '../capability/http.ts';
import type { Route, RoutedOperation, RouteRule } from './route.ts';

type InferredRoute = Pick<Route, 'method' | 'path' | 'rule'>;
type NamedOperation = Omit<RoutedOperation, 'key'>;

/** The HTTP route that a capability has by its groups, name and input. Never throws; looks at nothing else. */
export function inferRoute(operation: NamedOperation, urlCase: UrlCase = 'kebab'): InferredRoute {
  const { name, declaredIntent } = operation;
  const nameRule = matchNameRule(name, declaredIntent);
  const base = toBase(operation, urlCase);
  const intent = inferIntent(name, declaredIntent, nameRule);
  const { rule, isItem, word } = nameRule
    ? inferTail(operation, nameRule)
    : toNamedTail(name, intent);
  // A group whose path has `:id` identifies the item already.
  const id = isItem === true && !`${base}/`.includes('/:id/') ? '/:id' : '';
  const last = word === undefined ? '' : `/${toUrlCase(word, urlCase)}`;
  return { method: methodOfIntent[intent], path: `${base}${id}${last}` || '/', rule };
}

/** The segments of the groups: those that a group states, else its name. A stated path at 0 stands around them all. */
function toBase({ groups, groupsAround = [] }: NamedOperation, urlCase: UrlCase): string {
  const parts = groups.map((group) => `/${toUrlCase(group, urlCase)}`);
  if (groupsAround.length === 0) return parts.join('');
  parts.unshift('');
  for (const { at, path } of groupsAround)
    if (path !== undefined) parts[at] = path.replaceAll(/\/+(?=\/|$)/g, '');
  return parts.join('');
}

/** What stands behind the groups, `:id` and a word, and the rule that says so. */
interface Tail {
  readonly rule: RouteRule;
  readonly isItem?: boolean;
  readonly word?: string;
}

function toNamedTail(word: string, intent: Intent): Tail {
  return { rule: { id: intent === 'query' ? 'named-query' : 'named-mutation', intent }, word };
}

function inferTail({ groups, hasId }: NamedOperation, { id, prefix, remainder }: NameRule): Tail {
  switch (id) {
    case 'collection':
    case 'create':
      return { rule: { id, prefix } };
    case 'update':
    case 'replace':
    case 'delete':
      return { rule: { id, prefix }, isItem: true };
    case 'un':
      return { rule: { id, prefix }, isItem: true, word: remainder };
    // `getUser` with an id is one item of the group, `getUsers` is the group itself, and `getStats` is a part of it.
    case 'get':
      if (hasId) return { rule: { id: 'get-by-id', prefix }, isItem: true };
      if (remainder === '' || isSameNoun(remainder, groups.at(-1) ?? ''))
        return { rule: { id: 'collection', prefix } };
      return { rule: { id: 'get-remainder', prefix }, word: remainder };
  }
}

const methodOfIntent: Readonly<Record<Intent, HttpMethod>> = {
  query: 'GET',
  mutation: 'POST',
  update: 'PATCH',
  replace: 'PUT',
  delete: 'DELETE',
};

interface NameRule {
  readonly id: PrefixRule | 'un';
  readonly prefix: string;
  /** The name after the prefix, as written: `ActiveUsers`; empty where the prefix is the whole name. */
  readonly remainder: string;
  readonly intent: Intent;
}

/** The prefixes of each rule. */
const prefixes = {
  get: 'get',
  collection: 'list find fetch read search filter all',
  create: 'create add new',
  update: 'update edit patch modify',
  replace: 'replace set put',
  delete: 'delete remove destroy cancel',
} as const;

type PrefixRule = keyof typeof prefixes;

export const ruleOfPrefix: ReadonlyMap<string, PrefixRule> = new Map(
  Object.entries(prefixes).flatMap(([id, words]) =>
    words.split(' ').map((prefix) => [prefix, id as PrefixRule]),
  ),
);

const intentOf: Readonly<Record<PrefixRule, Intent>> = {
  get: 'query',
  collection: 'query',
  create: 'mutation',
  update: 'update',
  replace: 'replace',
  delete: 'delete',
};

/** The prefix rule that a name selects, by its first word; undefined for a named action such as `register`. */
export function matchNameRule(name: string, explicitIntent?: Intent): NameRule | undefined {
  const prefix = name.slice(0, name.search(/[^a-z]|$/));
  const id = ruleOfPrefix.get(prefix);
  if (id !== undefined)
    return { id, prefix, remainder: name.slice(prefix.length), intent: intentOf[id] };
  const isUn = UN_VERB.test(name) && /mutation|delete/.test(explicitIntent ?? 'delete');
  return isUn ? { id: 'un', prefix: 'un', remainder: name.slice(2), intent: 'delete' } : undefined;
}

/** `unfollow`, but not `unit` or `understand`: no capital is needed, but an intent that leaves room for it. */
const UN_VERB = /^un(?!der)(?!(?:do|ion|its?|ique|iverse|til|less|icode)(?![a-z]))[a-zA-Z]{2}/;

/** The effective intent: that of the prefix rule, else the declared one, else `query` for a few names. */
export function inferIntent(
  name: string,
  explicit?: Intent,
  rule = matchNameRule(name, explicit),
): Intent {
  return rule?.intent ?? explicit ?? (QUERY_NAMES.test(name) ? 'query' : 'mutation');
}

const QUERY_NAMES = /^(?:me|status|health|count|check)$/;

/** The rule that a declared intent contradicts. `mutation` fits every rule but the reading ones. */
export function findContradicted(name: string, explicit: Intent | undefined): NameRule | undefined {
  const rule = explicit && matchNameRule(name, explicit);
  const fits = explicit === rule?.intent || (explicit === 'mutation' && rule?.intent !== 'query');
  return fits ? undefined : rule;
}

/** The verb of a change behind `And`, `Or` or `Then`: `delete` of `findAndDelete`. */
export function findFurtherVerb(name: string): string | undefined {
  if (!FURTHER.test(name)) return undefined;
  const words = name.match(/(?<=[a-z0-9](?:And|Or|Then))[A-Z][a-z]*(?=[A-Z0-9]|$)/g) ?? [];
  return words.map((word) => word.toLowerCase()).find((word) => changingVerbs.has(word));
}

const FURTHER = /And|Or|Then/;

/** Verbs of changes. Words that are as often nouns or parts of names (`Order`, `Share`, `Comment`) are left out. */
const changingVerbs: ReadonlySet<string> = new Set(
  `create add new insert append push enqueue register make build generate upload import update edit patch modify change
  replace set put swap rename move merge upsert save write delete remove destroy cancel drop purge clear reset flush
  empty erase wipe discard trash increment decrement bump consume pop take claim lock unlock reserve release acquire
  mark archive restore publish unpublish approve reject accept decline confirm revoke rotate send notify charge pay
  refund capture start stop run execute trigger restart enable disable activate deactivate close reopen assign unassign
  attach detach subscribe unsubscribe invite ban expire invalidate sync`.split(/\s+/),
);

export const urlCases = ['kebab', 'snake', 'camel'] as const;

/** The styles in which the words of a name are joined in a path: `bulk-status`, `bulk_status` or `bulkStatus`. */
export type UrlCase = (typeof urlCases)[number];

/** Writes a name in the case of a path segment, first letter small: `getURL` is `get-url`, `get_url` or `getURL`. */
export function toUrlCase(name: string, urlCase: UrlCase): string {
  if (name === name.toLowerCase()) return name;
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
  const toForms = (noun: string): readonly string[] => [
    noun,
    `${noun}s`,
    `${noun}es`,
    noun.replace(/y$/, 'ies'),
  ];
  return toForms(a).includes(b) || toForms(b).includes(a);
}

/** The singular is found by `s` and `ies` alone; a word that ends in `ss` or `us` is left. */
export function toSingular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(sses|shes|ches|xes)$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

export function toPascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
