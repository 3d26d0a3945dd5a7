import type { Intent } from '../capability/definition.ts';
import type { HttpMethod } from '../capability/http.ts';
import type { Route, RoutedOperation, RouteRule } from './route.ts';

type InferredRoute = Pick<Route, 'method' | 'path' | 'rule'>;
type NamedOperation = Omit<RoutedOperation, 'key'>;

/** The HTTP route that a capability has by its groups, name and input. Never throws; looks at nothing else. */
export function inferRoute(operation: NamedOperation, urlCase: UrlCase = 'kebab'): InferredRoute {
  const base = toBase(operation, urlCase);
  const { rule, segments } = inferTail(operation, urlCase);
  // A group whose path has `:id` identifies the item already.
  const rest = segments.filter((segment) => segment !== ':id' || !base.includes(segment));
  const method = methodOfIntent[inferIntent(operation.name, operation.declaredIntent)];
  return { method, path: `/${[...base, ...rest].join('/')}`, rule };
}

/** The segments of the groups: those that a group states, else its name. A stated path at 0 stands around them all. */
function toBase(
  { groups, groupsAround = [] }: NamedOperation,
  urlCase: UrlCase,
): readonly string[] {
  const findStated = (depth: number): readonly string[] | undefined =>
    groupsAround
      .find(({ at }) => at === depth)
      ?.path?.split('/')
      .filter(Boolean);
  const ofGroups = groups.flatMap(
    (group, index) => findStated(index + 1) ?? toUrlCase(group, urlCase),
  );
  return [...(findStated(0) ?? []), ...ofGroups];
}

interface Tail {
  readonly rule: RouteRule;
  readonly segments: readonly string[];
}

/** The segments behind those of the groups, and the rule that gives them. */
function inferTail(operation: NamedOperation, urlCase: UrlCase): Tail {
  const { name, declaredIntent } = operation;
  const nameRule = matchNameRule(name, declaredIntent);
  if (nameRule === undefined) {
    const intent = inferIntent(name, declaredIntent);
    const id = intent === 'query' ? 'named-query' : 'named-mutation';
    return { rule: { id, intent }, segments: [toUrlCase(name, urlCase)] };
  }
  const { id, prefix, remainder } = nameRule;
  switch (id) {
    case 'collection':
    case 'create':
      return { rule: { id, prefix }, segments: [] };
    case 'update':
    case 'replace':
    case 'delete':
      return { rule: { id, prefix }, segments: [':id'] };
    case 'un':
      return { rule: { id, prefix }, segments: [':id', toUrlCase(remainder, urlCase)] };
    case 'get':
      return inferGetTail(operation, nameRule, urlCase);
  }
}

/** `getUser` with an id is one item of the group, `getUsers` is the group itself, and `getStats` is a part of it. */
function inferGetTail(
  { groups, hasId }: NamedOperation,
  { prefix, remainder }: NameRule,
  urlCase: UrlCase,
): Tail {
  if (hasId) return { rule: { id: 'get-by-id', prefix }, segments: [':id'] };
  const isGroup = remainder === '' || isSameNoun(remainder, groups.at(-1) ?? '');
  if (isGroup) return { rule: { id: 'collection', prefix }, segments: [] };
  return { rule: { id: 'get-remainder', prefix }, segments: [toUrlCase(remainder, urlCase)] };
}

const methodOfIntent: Readonly<Record<Intent, HttpMethod>> = {
  query: 'GET',
  mutation: 'POST',
  update: 'PATCH',
  replace: 'PUT',
  delete: 'DELETE',
};

interface NameRule {
  readonly id: 'get' | 'collection' | 'create' | 'un' | 'update' | 'replace' | 'delete';
  readonly prefix: string;
  /** The name after the prefix, as written: `ActiveUsers`; empty where the prefix is the whole name. */
  readonly remainder: string;
  readonly intent: Intent;
}

/** The prefixes of each rule and the intent that they imply. */
export const prefixRules = [
  { id: 'get', intent: 'query', prefixes: ['get'] },
  {
    id: 'collection',
    intent: 'query',
    prefixes: ['list', 'find', 'fetch', 'read', 'search', 'filter', 'all'],
  },
  { id: 'create', intent: 'mutation', prefixes: ['create', 'add', 'new'] },
  { id: 'update', intent: 'update', prefixes: ['update', 'edit', 'patch', 'modify'] },
  { id: 'replace', intent: 'replace', prefixes: ['replace', 'set', 'put'] },
  { id: 'delete', intent: 'delete', prefixes: ['delete', 'remove', 'destroy', 'cancel'] },
] as const satisfies readonly (Pick<NameRule, 'id' | 'intent'> & {
  readonly prefixes: readonly string[];
})[];

/** The prefix rule that a name selects, by its first word; undefined for a named action such as `register`. */
export function matchNameRule(name: string, explicitIntent?: Intent): NameRule | undefined {
  const [prefix = ''] = /^[a-z]*/.exec(name) ?? [];
  const rule = prefixRules.find(({ prefixes }) => (prefixes as readonly string[]).includes(prefix));
  if (rule !== undefined)
    return { id: rule.id, intent: rule.intent, prefix, remainder: name.slice(prefix.length) };
  if (!UN_VERB.test(name) || !['mutation', 'delete'].includes(explicitIntent ?? 'delete'))
    return undefined;
  return { id: 'un', prefix: 'un', remainder: name.slice(2), intent: 'delete' };
}

/** `unfollow`, but not `unit` or `understand`: no capital is needed, but an intent that leaves room for it. */
const UN_VERB = /^un(?!der)(?!(?:do|ion|its?|ique|iverse|til|less|icode)(?![a-z]))[a-zA-Z]{2}/;

/** The effective intent: that of the prefix rule, else the declared one, else `query` for a few names. */
export function inferIntent(name: string, explicit?: Intent): Intent {
  return (
    matchNameRule(name, explicit)?.intent ??
    explicit ??
    (queryNames.has(name) ? 'query' : 'mutation')
  );
}

const queryNames: ReadonlySet<string> = new Set(['me', 'status', 'health', 'count', 'check']);

/** The rule that a declared intent contradicts. `mutation` fits every rule but the reading ones. */
export function findContradicted(name: string, explicit: Intent | undefined): NameRule | undefined {
  const rule = matchNameRule(name, explicit);
  const fits = explicit === undefined || explicit === rule?.intent;
  return fits || (explicit === 'mutation' && rule?.intent !== 'query') ? undefined : rule;
}

/** The verb of a change behind `And`, `Or` or `Then`: `delete` of `findAndDelete`. */
export function findFurtherVerb(name: string): string | undefined {
  const words = name.match(/(?<=[a-z0-9](?:And|Or|Then))[A-Z][a-z]*(?=[A-Z0-9]|$)/g) ?? [];
  return words.map((word) => word.toLowerCase()).find((word) => changingVerbs.has(word));
}

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
