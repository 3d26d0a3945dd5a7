import {
  type InferRouteOptions,
  type InferredRoute,
  inferRoute,
  toRuleText,
  toUrlCase,
  type UrlCase,
} from './infer-route.ts';
import { isUnVerb, matchNameRule, prefixRules } from './name-rules.ts';
import { type RoutedOperation, type RouteOverride, toOverrideLine } from './route.ts';

export interface ExplainRouteOptions {
  /** @default 'kebab' */
  readonly urlCase?: UrlCase | undefined;
  /** The valid override of this operation, if it has one. */
  readonly override?: RouteOverride | undefined;
  /** Before every path, as it is shown. @default none */
  readonly prefix?: string | undefined;
}

/** Three sentences on why a capability has its route, and the route that the change would give. */
export interface RouteExplanation {
  /** The rule that made the route. */
  readonly fired: string;
  /** The rule that nearly did, and why it does not apply. */
  readonly nearest: string;
  /** The one change that would make the nearest rule apply. */
  readonly change: string;
  readonly alternative: { readonly method: string; readonly path: string };
}

/** Explains the route of an operation by the rule that fired and the nearest one that did not. */
export function explainRoute(operation: RoutedOperation, options: ExplainRouteOptions = {}): RouteExplanation {
  const { urlCase = 'kebab', override, prefix = '' } = options;
  const toRoute = ({ method, path }: Way): string => `${method.toUpperCase()} ${prefix}${path}`;
  const { key, groups, groupPaths, name, hasId, declaredIntent: intent } = operation;
  const input: InferRouteOptions = { groups, groupPaths, name, hasId, intent, urlCase };
  const inferred = inferRoute(input);
  const alternative = { method: inferred.method, path: `${prefix}${inferred.path}` };
  const declared = operation.declaredRoutes?.[0];
  const stated = override ?? declared;
  if (stated !== undefined) {
    const isOverride = override !== undefined;
    const winner = isOverride ? 'the override' : '`.route(…)`';
    return {
      fired: `${toRoute(stated)}: \`${key}\` ${toRuleText({ id: isOverride ? 'override' : 'declared' })}.`,
      nearest: `${toRoute(inferred)} (${toRuleText(inferred.rule)}) does not apply, because ${winner} replaces it.`,
      change: isOverride
        ? `Remove the entry of \`${key}\` from \`overrides\`.`
        : `Remove \`.route(…)\` from \`${key}\`.`,
      alternative,
    };
  }
  const fired = `${toRoute(inferred)}: \`${name}\` ${toRuleText(inferred.rule)}.`;
  const near = findNearestRule(input, inferred);
  if (near === undefined) return { fired, ...explainOverride(operation, inferred, { urlCase, toRoute, prefix }) };
  const other = inferRoute(near.input);
  return {
    fired,
    nearest: `${toRoute(other)} (${toRuleText(other.rule)}) does not apply, because ${near.why}.`,
    change: near.change,
    alternative: { method: other.method, path: `${prefix}${other.path}` },
  };
}

interface NearRule {
  /** The operation as it would be after the change. */
  readonly input: InferRouteOptions;
  readonly why: string;
  readonly change: string;
}

/** The nearest rule that a change of name, input or intent would select; undefined where only an override helps. */
function findNearestRule(input: InferRouteOptions, { rule }: InferredRoute): NearRule | undefined {
  switch (rule.id) {
    case 'get-by-id':
      return {
        input: { ...input, hasId: false },
        why: 'the input has an `id` field',
        change: 'Remove `id` from the input.',
      };
    case 'get-remainder':
      return addId(input);
    case 'collection':
      return rule.prefix === 'get' ? addId(input) : renameToGet(input, rule.prefix);
    case 'update':
      return rename({ input, from: rule.prefix, to: 'replace' });
    case 'replace':
      return rename({ input, from: rule.prefix, to: 'update' });
    case 'named-query':
    case 'named-mutation':
      return findNearPrefix(input) ?? switchIntent(input, rule.id === 'named-query' ? 'mutation' : 'query');
    case 'create':
    case 'delete':
    case 'un':
    case 'declared':
    case 'override':
      return undefined;
  }
}

function addId(input: InferRouteOptions): NearRule {
  return { input: { ...input, hasId: true }, why: 'the input has no `id` field', change: 'Add `id` to the input.' };
}

function renameToGet(input: InferRouteOptions, prefix: string): NearRule {
  const renamed = rename({ input, from: prefix, to: 'get' });
  if (input.hasId || inferRoute(renamed.input).path !== inferRoute(input).path) return renamed;
  const why = `${renamed.why}, and the input has no \`id\` field`;
  return {
    input: { ...renamed.input, hasId: true },
    why,
    change: `Rename it to \`${renamed.input.name}\` and add \`id\` to the input.`,
  };
}

function rename({
  input,
  from,
  to,
}: {
  readonly input: InferRouteOptions;
  readonly from: string;
  readonly to: string;
}): NearRule {
  const name = `${to}${input.name.slice(from.length)}`;
  return {
    input: { ...input, name },
    why: `the name starts with \`${from}\`, not \`${to}\``,
    change: `Rename it to \`${name}\`.`,
  };
}

/** A prefix that the name has but for the letter case: `GetUser` is near `get`, `undo` near `un`. */
function findNearPrefix(input: InferRouteOptions): NearRule | undefined {
  const { name } = input;
  const prefixes = [...prefixRules.values()].flatMap((rule) => rule.prefixes);
  const prefix = prefixes.find((candidate) => name.toLowerCase().startsWith(candidate));
  if (prefix !== undefined) {
    const why = name.startsWith(prefix)
      ? `after \`${prefix}\` comes neither a capital nor a digit`
      : `prefixes are written in small letters`;
    return respell(input, prefix, why);
  }
  if (!/^un[a-z]{2}/.test(name) || isUnVerb(name)) return undefined;
  return respell(input, 'un', `\`${/^[a-z]+/.exec(name)?.[0]}\` is a word of its own, not the undoing of a verb`);
}

/** The name spelled so that the prefix stands apart; undefined where even that selects no rule. */
function respell(input: InferRouteOptions, prefix: string, why: string): NearRule | undefined {
  const rest = input.name.slice(prefix.length);
  const name = `${prefix}${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
  if (matchNameRule(name, input.intent) === undefined) return undefined;
  return { input: { ...input, name }, why, change: `Rename it to \`${name}\`.` };
}

function switchIntent(input: InferRouteOptions, intent: 'query' | 'mutation'): NearRule {
  return {
    input: { ...input, intent },
    why: `the intent is not \`${intent}\``,
    change: `Declare the intent \`${intent}\`.`,
  };
}

/** The explanation where no nearby name has another route: the override that keeps the whole name in the path. */
function explainOverride(
  { key, groups, name }: RoutedOperation,
  { method, path }: InferredRoute,
  { urlCase, toRoute, prefix }: Writing,
): Omit<RouteExplanation, 'fired'> {
  const group = groups.map((word) => toUrlCase(word, urlCase)).join('/');
  const param = path.includes('/:id') ? '/:id' : '';
  const alternative = { method, path: `/${group}${param}/${toUrlCase(name, urlCase)}` as const };
  return {
    nearest:
      `${toRoute(alternative)} (${toRuleText({ id: 'override' })}) does not apply, because there is no entry for ` +
      `\`${key}\`.`,
    change: `Add to \`overrides\`: ${toOverrideLine(key, alternative)}.`,
    alternative: { ...alternative, path: `${prefix}${alternative.path}` },
  };
}

interface Way {
  readonly method: string;
  readonly path: string;
}

/** Routes as they are written in sentences. */
interface Writing {
  readonly urlCase: UrlCase;
  readonly prefix: string;
  readonly toRoute: (way: Way) => string;
}
