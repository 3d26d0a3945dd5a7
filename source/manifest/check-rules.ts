/** A mistake that `capix check` finds. */
export interface CheckRule {
  /** An error keeps the server from starting or a request from working; a warning does not. */
  readonly severity: 'error' | 'warning';
  /** The mistake in a clause, for the table of rules. */
  readonly when: string;
  /** Whether it is looked for only with `--agents`. */
  readonly isForAgents?: true;
}

/** Every rule of `capix check` by its permanent id. */
export const checkRules = {
  'duplicate-route': {
    severity: 'error',
    when: 'two capabilities answer the same requests; the hint is an override that solves it',
  },
  'invalid-override': { severity: 'error', when: 'an entry in `overrides` has no usable method or path' },
  'unknown-override': {
    severity: 'error',
    when: 'an entry in `overrides` names no capability (a server starts with a warning)',
  },
  'naming-conflict': {
    severity: 'error',
    when:
      'two keys differ in letter case only, or are one name without their dots: generated clients and files would ' +
      'clash',
  },
  'invalid-enhancer': {
    severity: 'error',
    when:
      'an enhancer refuses its capability: `withCache` on one that changes something, or on a guarded one without ' +
      '`scope` or `key`',
  },
  'invalid-schedule': {
    severity: 'error',
    when: 'the cron expression or the time zone of a repeated job cannot be read, or its input does not fit its schema',
  },
  'invalid-offer': {
    severity: 'error',
    when:
      'a resource or a prompt for agents is not a query, its address names a field that the input does not have, ' +
      'or two prompts have one name',
  },
  'intent-contradiction': {
    severity: 'warning',
    when: 'the declared intent contradicts the name; the name wins',
  },
  'name-says-more': {
    severity: 'warning',
    when:
      'the name joins a second verb by And, Or or Then (`findAndDelete`, `getOrCreate`): its route follows from ' +
      'the first word alone, and agents are not told that it only reads',
  },
  'other-noun': {
    severity: 'warning',
    when:
      'the noun of a name is not that of its group, although the first word alone makes the route: ' +
      '`orgs.addMember` is `POST /orgs`; the hint is the route that was probably meant',
  },
  'missing-schema': {
    severity: 'warning',
    when: 'there is no input schema, although the path has a parameter or the handler reads its input',
  },
  'missing-path-field': {
    severity: 'warning',
    when:
      'a path parameter is not a field of the input, so that the handler never sees it; the hint is the field that ' +
      'was probably meant',
  },
  'unsendable-field': {
    severity: 'warning',
    when: 'an input field expects a value that JSON cannot carry, such as `z.date()`; the hint says what to write',
  },
  'no-capabilities': { severity: 'warning', when: 'the capabilities file exports no capability' },
  'object-in-query': {
    severity: 'error',
    when:
      'a GET or DELETE expects a record of numbers as its whole input, or a field whose name no query can hold; a ' +
      'path parameter is a list or an object, or a declared header or cookie an object',
  },
  'file-in-query': { severity: 'error', when: 'a GET or DELETE expects a file, which only a form can carry' },
  'second-streamed-file': {
    severity: 'error',
    when:
      'an input must have two files that are read as they arrive: the form is read up to the first one when the ' +
      'input is validated',
  },
  'input-not-object': { severity: 'error', when: 'the input is a text, a number or a list, which callers cannot send' },
  'unsafe-field': {
    severity: 'error',
    when: 'a field is called `__proto__`, `constructor` or `prototype`, which are dropped from every input',
  },
  'lossy-output': {
    severity: 'warning',
    when: 'an answer holds a value that JSON cannot carry: a map or a set is sent as `{}`',
  },
  'duplicate-schema-id': {
    severity: 'warning',
    when: 'two different schemas share one `id`, be they inputs or outputs, so that the document renames one of them',
  },
  'unnamed-schema': {
    severity: 'warning',
    when: 'a large schema without an `id` occurs at four places or more, so that the document repeats it',
  },
  'unknown-replacement': { severity: 'error', when: '`.deprecated({ use })` names no capability' },
  'bad-sunset': { severity: 'warning', when: 'a `sunset` is not a date, or has passed' },
  'unguarded-mutation': {
    severity: 'warning',
    when: 'a capability that changes something has no guard, although others of its group have one',
  },
  'missing-output': {
    severity: 'warning',
    when: 'a capability does not say what it answers with, although most of the project do',
  },
  'bare-guard': {
    severity: 'warning',
    when:
      'a guard that may refuse declares neither its errors nor the credential that it asks for, so that no ' +
      'document, client or agent knows them',
  },
  'near-prefix': {
    severity: 'warning',
    when: 'a name almost follows the convention that makes a route: `getuser` in `users`',
  },
  'name-case': {
    severity: 'warning',
    when: 'the name of a capability or a group is not in camel case, such as `GetUser`',
  },
  'stale-lock': { severity: 'warning', when: '`capix.lock.json` is not what `capix lock` would write' },
  'stale-file': {
    severity: 'warning',
    when:
      'a file of the project that `capix openapi`, `capix client`, `capix docs` or `capix ai-context` wrote is not ' +
      'what it would write now',
  },
  'unknown-rule': { severity: 'warning', when: 'the settings or a comment name a rule that does not exist' },
  'tool-without-description': {
    severity: 'warning',
    isForAgents: true,
    when: 'a tool has no description, so that an agent sees only its name',
  },
  'tool-without-output': {
    severity: 'warning',
    isForAgents: true,
    when: 'a tool has no output schema, so that an agent does not know what it answers',
  },
} as const satisfies Readonly<Record<string, CheckRule>>;

export type CheckRuleId = keyof typeof checkRules;
