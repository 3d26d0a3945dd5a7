import type { Listed } from './manifest.ts';

/** A mistake that `capix check` finds. */
interface CheckRule {
  /** An error keeps the server from starting or a request from working; a warning does not. */
  readonly severity: 'error' | 'warning';
  /** The mistake in a clause, for the table of rules. */
  readonly when: string;
  /** Whether it is looked for only with `--agents`. */
  readonly isForAgents: boolean;
}

const errors = {
  'duplicate-route':
    'two capabilities answer the same requests; the hint is an override that solves it',
  'invalid-override': 'an entry in `overrides` has no usable method or path',
  'unknown-override':
    'an entry in `overrides` names no capability (a server starts with a warning)',
  'missing-param':
    'a guard reads a parameter that a route of its capability, or an override, does not have',
  'change-by-get':
    'a route that is stated is GET, and the capability changes something: links of other sites send it',
  'naming-conflict':
    'two keys are one name without letter case and dots: generated clients and files would clash',
  'invalid-enhancer':
    'an enhancer refuses its capability, such as `withCache` on a change, or a guard reads a field that the ' +
    'input lacks',
  'invalid-schedule':
    'the cron expression or the time zone of a job cannot be read, or its input does not fit',
  'invalid-offer':
    'a resource or prompt is not a query, names a field that the input lacks, or shares its name',
  'object-in-query': 'a path parameter or a cookie is a list or an object, or a header an object',
  'file-in-query': 'a GET or DELETE expects a file, which only a form can carry',
  'input-not-object':
    'the input is a text, a number or a list, or a list beside an object: callers cannot send it, and no server starts',
  'unsafe-field':
    'a field is called `__proto__`, `constructor` or `prototype`, which are dropped from every input',
  'websocket-path':
    'two WebSockets have one path, or a GET route has it, which the WebSocket hides',
  'mounted-route':
    'a handler of `mounts` in `restOptions` is at a path above a route, which it would hide',
  'missing-ws':
    '`webSocketTransport` is exported, and the package `ws` is not installed, or older than 8.21',
  'graphql-field':
    'two capabilities are one field of GraphQL, a name is none of GraphQL, a link leads nowhere, or a package ' +
    'is missing',
  'unknown-replacement': '`.deprecated({ use })` names no capability',
} as const;

const warnings = {
  'intent-contradiction': 'the declared intent contradicts the name; the name wins',
  'name-says-more':
    'a second verb is behind And, Or or Then (`findAndDelete`): the first word alone makes the route',
  'other-noun':
    'a noun is not that of the group (`orgs.addMember` is `POST /orgs`); the hint is the route to write',
  'missing-schema':
    'there is no input schema, although the path has a parameter or the handler reads its input',
  'missing-path-field':
    'a path parameter is not a field of the input, so that the handler never sees it',
  'unsendable-field': 'an input field expects a value that JSON cannot carry, such as `z.date()`',
  'coerced-text':
    'a field that is read from text is `z.coerce.number()` or `z.coerce.bigint()`, which takes the empty text for 0',
  'no-capabilities': 'the capabilities file exports no capability',
  'lossy-output': 'an answer holds a value that JSON cannot carry: a map or a set is sent as `{}`',
  'duplicate-schema-id':
    'two different schemas share one `id`, so that the document renames one of them',
  'unnamed-schema':
    'a large schema without an `id` occurs at four places or more, so that the document repeats it',
  'unguarded-mutation':
    'a capability that changes something has no guard, although others of its group have one',
  'unguarded-query': 'a query has no guard, although all other queries of its group have one',
  'missing-output':
    'a capability does not say what it answers with, although most of the project do',
  'graphql-gap':
    'the schema of GraphQL says `JSON`, leaves a capability out, or gives a type another name',
  'missing-secret':
    'a secret of a cookie is missing, empty or too short where `check` runs: no server starts like this',
  'stale-lock': '`capix.lock.json` is not what `capix lock` would write',
  'stale-file':
    'a file that `capix openapi`, `client`, `docs`, `graphql` or `ai-context` wrote is old; `capix sync` writes it',
  'unknown-rule': 'the settings name a rule that does not exist',
} as const;

const agentWarnings = {
  'tool-without-description': 'a tool has no description, so that an agent sees only its name',
  'tool-without-output':
    'a tool has no output schema, so that an agent does not know what it answers',
} as const;

export type CheckRuleId = keyof typeof errors | keyof typeof warnings | keyof typeof agentWarnings;

/** Every rule of `capix check` by its permanent id. */
export const checkRules = Object.fromEntries(
  [
    { rules: errors, severity: 'error', isForAgents: false },
    { rules: warnings, severity: 'warning', isForAgents: false },
    { rules: agentWarnings, severity: 'warning', isForAgents: true },
  ].flatMap(({ rules, ...about }) =>
    Object.entries(rules).map(([id, when]) => [id, { when, ...about }]),
  ),
) as Readonly<Record<CheckRuleId, CheckRule>>;

/** Something about a project that its author should know. */
export interface Problem {
  /** An error keeps the server from starting or a request from working; a warning does not. */
  readonly severity: 'error' | 'warning';
  /** The permanent id of its rule, for scripts. */
  readonly code: CheckRuleId;
  readonly message: string;
  /** The capabilities concerned, in the order of declaration. */
  readonly keys: readonly string[];
  /** The next step. */
  readonly hint?: string | undefined;
  /** Relative to the project's root. */
  readonly file?: string | undefined;
  /** The line, counted from 1. */
  readonly line?: number | undefined;
}

/** A problem of one capability, with what its rule says of how bad it is. */
export function toMistake(
  code: CheckRuleId,
  { key, facts: { source } }: Pick<Listed, 'key' | 'facts'>,
  words: Pick<Problem, 'message' | 'hint'>,
): Problem {
  return {
    severity: checkRules[code].severity,
    code,
    keys: [key],
    file: source?.file,
    line: source?.line,
    ...words,
  };
}

/** A problem of the project, or of one of its files. */
export function toProjectProblem(
  code: CheckRuleId,
  words: Pick<Problem, 'message' | 'hint' | 'file'>,
): Problem {
  return { severity: checkRules[code].severity, code, keys: [], ...words };
}
