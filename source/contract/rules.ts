/** The effect on callers: `breaking` refuses or misleads a call that worked, `risky` may, `safe` does not. */
export type ChangeClass = 'breaking' | 'risky' | 'safe';

/** Who notices: callers over HTTP, users of a generated client, AI agents, the code that adds jobs. */
export type Audience = 'http' | 'client' | 'agents' | 'jobs';

export interface ContractChange {
  /** The permanent id of its rule: `input-field-required`. */
  readonly rule: string;
  readonly class: ChangeClass;
  /** The place of the change: `route`, `timeout`, `input.address.city`, `output.items[].id`. */
  readonly at: string;
  /** ``"`email` became required"`` */
  readonly message: string;
  /** Why it has its class: `callers that leave it out are refused`. */
  readonly reason: string;
  readonly audience: readonly Audience[];
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** The component whose change this is; undefined where it is one of the capability itself. */
  readonly component?: ChangedComponent | undefined;
}

/** A schema that others refer to by its name: all of them have its changes. */
export interface ChangedComponent {
  /** `User` */
  readonly name: string;
  /** The place of the change in it: `address.city`; empty for the component itself. */
  readonly at: string;
  /** The change, said of the component: ``"`User.address.city` became required"``. */
  readonly message: string;
}

export interface CapabilityChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly key: string;
  /** The worst of its changes. */
  readonly class: ChangeClass;
  /** `GET /users/:id`, as it is after the change; of a removed one as it was. `JOB emails.send` of a job. */
  readonly route: string;
  readonly changes: readonly ContractChange[];
}

/** The difference between two contracts, each list in the order of declaration. */
export interface ContractDiff {
  readonly added: readonly CapabilityChange[];
  readonly removed: readonly CapabilityChange[];
  readonly changed: readonly CapabilityChange[];
  /** The differences for all capabilities at once. */
  readonly server: readonly ContractChange[];
  /** The worst class of all; undefined where nothing differs. */
  readonly class: ChangeClass | undefined;
}

export const everybody: readonly Audience[] = ['http', 'client', 'agents'];

export const changeClasses = [
  'breaking',
  'risky',
  'safe',
] as const satisfies readonly ChangeClass[];

/** Negative where `a` is worse than `b`. */
export function compareClasses(a: ChangeClass, b: ChangeClass): number {
  return changeClasses.indexOf(a) - changeClasses.indexOf(b);
}

export function worstClass(
  changes: readonly { readonly class: ChangeClass }[],
): ChangeClass | undefined {
  return changeClasses.find((candidate) => changes.some((change) => change.class === candidate));
}

export const overHttp = ['http', 'client'] as const;
export const byName = ['client', 'agents'] as const;

/** A kind of change: its class, the change in a clause, the reason of the class, and whom it concerns. */
type Row = readonly [
  class_: ChangeClass,
  when: string,
  reason: string,
  audience?: readonly Audience[],
];

/**
 * Every kind of change that is told apart, by the part of the page of rules. Where one change of a fact is better than
 * another, as a longer timeout, that is found with the fact, and the clause says so.
 */
const groups = {
  requests: {
    'capability-added': ['safe', 'a capability is new', 'nobody called it before'],
    'capability-removed': [
      'breaking',
      'one was removed; risky after its sunset',
      'its route answers 404 or 405',
    ],
    'capability-renamed': [
      'breaking',
      'a new key on the same route',
      'clients and agents know it by its key',
      byName,
    ],
    'route-changed': [
      'breaking',
      'another method or path',
      'requests to the old route are not answered',
      overHttp,
    ],
    'route-removed': [
      'breaking',
      'one of several routes was removed',
      'its path answers 404 or 405',
      ['http'],
    ],
    'route-added': ['safe', 'a capability got a route more', 'nobody called it before', ['http']],
    'route-shadowed': [
      'risky',
      'a new route takes requests of another',
      'another capability answers them',
      overHttp,
    ],
    'sent-field-moved': [
      'breaking',
      'a field moved; risky if it is optional',
      'it is not read where it was',
      overHttp,
    ],
    'sent-field-renamed': [
      'breaking',
      'another field in the same place',
      'its senders use its name',
      byName,
    ],
    'idempotency-key-required': [
      'breaking',
      'an `Idempotency-Key` is required',
      'others get 400',
      ['http'],
    ],
    'idempotency-key-changed': [
      'risky',
      'it is ignored; safe if it may be sent',
      'a repeated call may run again',
    ],
    'credential-changed': [
      'breaking',
      'another credential or scope; safe if fewer do',
      'calls without it are refused',
    ],
    'guard-added': [
      'risky',
      'a guard was added; breaking if it is the first',
      'some calls may be refused',
    ],
    'guard-changed': [
      'risky',
      'another guard in the place of one, or another order',
      'others may pass, or be refused',
    ],
    'guard-removed': ['risky', 'a guard or a credential was removed', 'it is open to more callers'],
  },
  responses: {
    'error-added': [
      'risky',
      'an error is newly declared',
      'callers may get an error that they are not ready for',
    ],
    'error-removed': [
      'risky',
      'an error is no longer declared',
      'code of typed clients that handles it does not compile',
      ['client'],
    ],
    'response-status-changed': [
      'breaking',
      'success has another status',
      'callers look for the old status',
    ],
    'response-status-added': [
      'risky',
      'success may have another status too',
      'callers may not know it',
    ],
    'response-status-removed': [
      'safe',
      'success has one status fewer',
      'callers were ready for more',
    ],
    'response-type-changed': [
      'breaking',
      'another type or one fewer; risky if one more',
      'callers read the old one',
    ],
    'webhook-added': ['safe', 'a webhook is new', 'nobody waits for it'],
    'webhook-removed': ['breaking', 'a webhook was removed', 'receivers wait for it'],
    'callback-added': ['safe', 'an operation has a callback more', 'nobody waits for it'],
    'callback-removed': ['breaking', 'a callback was removed', 'receivers wait for it'],
    'link-added': ['safe', 'an answer has a link more', 'nobody followed it before'],
    'link-removed': ['breaking', 'a link of an answer was removed', 'clients follow it'],
    'timeout-changed': [
      'risky',
      'a shorter timeout; safe if longer',
      'slow calls that were answered may end in 504',
    ],
    'rate-limit-changed': [
      'risky',
      'fewer calls in the same time; safe if more',
      'callers may get 429',
    ],
    'cache-changed': [
      'risky',
      'responses are kept for longer; safe if shorter',
      'callers may get an older response',
    ],
    'cache-control-changed': [
      'risky',
      'another `Cache-Control`',
      'callers may get an older response',
      overHttp,
    ],
    'deprecation-changed': [
      'safe',
      'a capability or field is deprecated, or no longer',
      'it works as before',
    ],
    'sunset-changed': [
      'risky',
      'a new sunset; breaking if earlier, safe if later',
      'callers must have moved by then',
    ],
  },
  agents: {
    'intent-changed': [
      'risky',
      'the intent changed',
      'agents decide by it whether a call needs consent',
      ['agents'],
    ],
    'tool-changed': [
      'breaking',
      'a tool is hidden or renamed; safe if shown',
      'agents know it by name',
      ['agents'],
    ],
    'tool-hint-changed': [
      'risky',
      'another hint of a tool',
      'agents decide by it whether to ask first',
      ['agents'],
    ],
    'offer-added': ['safe', 'a resource or a prompt is new', 'nobody read it before', ['agents']],
    'offer-removed': [
      'breaking',
      'a resource or a prompt was removed',
      'agents ask for it by its name',
      ['agents'],
    ],
    'client-type-changed': [
      'breaking',
      'another type in the client, such as a date',
      'code with it fails',
      ['client'],
    ],
  },
  server: {
    'server-added': ['safe', 'a document names a server more', 'nobody called it', overHttp],
    'server-removed': [
      'risky',
      'a document names a server no more',
      'clients call it by its address',
      overHttp,
    ],
    'prefix-changed': [
      'breaking',
      'another prefix of all paths',
      'the old paths are not answered any more',
      overHttp,
    ],
    'envelope-changed': [
      'breaking',
      'the data is in another field',
      'callers look for it where it was',
      overHttp,
    ],
    'error-format-changed': [
      'risky',
      'another status of bad input, or type of errors',
      'callers look for it',
      overHttp,
    ],
    'body-limit-changed': [
      'risky',
      'less may be sent; safe if more',
      'what is larger is refused with 413',
      overHttp,
    ],
    'cors-changed': [
      'risky',
      'fewer pages may call; safe if more',
      'browsers refuse these calls',
      overHttp,
    ],
    'calls-changed': [
      'breaking',
      'no inferred client is served; safe if it is',
      'its calls answer 404',
      ['client'],
    ],
    'etag-changed': [
      'risky',
      'no entity tags; safe if they came',
      'callers get the whole of what they know',
      overHttp,
    ],
  },
  jobs: {
    'job-added': ['safe', 'a capability became a job', 'nobody added it before', ['jobs']],
    'job-removed': [
      'breaking',
      'a capability is not a job any more',
      'jobs that wait are not run',
      ['jobs'],
    ],
    'job-settings-changed': [
      'risky',
      'another schedule; safe for other settings',
      'jobs run at other times',
      ['jobs'],
    ],
    'queue-renamed': [
      'risky',
      'the prefix of a queue changed',
      'jobs that wait under it are not run',
      ['jobs'],
    ],
  },
  inputs: {
    'input-schema-added': [
      'risky',
      'the first input schema',
      'input that was accepted unchecked may be refused',
    ],
    'input-schema-removed': [
      'risky',
      'the input schema was removed',
      'input is no longer checked or converted',
    ],
    'input-field-added': ['safe', 'an optional field was added', 'callers may leave it out'],
    'input-field-required': [
      'breaking',
      'a field is required, and was not',
      'callers that leave it out are refused',
    ],
    'input-field-optional': [
      'safe',
      'a required field is optional now',
      'callers that send it are answered as before',
    ],
    'input-field-removed': [
      'risky',
      'a field is ignored; breaking if refused',
      'it is no longer taken',
    ],
    'input-default-changed': [
      'risky',
      'another default',
      'callers that leave it out get another response',
    ],
    'input-type-narrower': [
      'breaking',
      'a type changed or became narrower',
      'values of the old type are refused',
    ],
    'input-type-wider': [
      'safe',
      'a type became wider',
      'values of the old type are still accepted',
    ],
    'input-values-narrower': ['breaking', 'fewer values are listed', 'other values are refused'],
    'input-values-wider': ['safe', 'more values are listed', 'all old values are accepted'],
    'input-limit-narrower': [
      'breaking',
      'a limit, format or check is narrower',
      'values that fitted may be refused',
    ],
    'input-limit-wider': ['safe', 'a limit, format or check is wider', 'more values are accepted'],
    'input-unclear': [
      'risky',
      'a pattern, check or restriction is another',
      'nobody can tell what it refuses now',
    ],
  },
  outputs: {
    'output-schema-added': ['safe', 'the first output schema', 'the response is promised now'],
    'output-schema-removed': [
      'risky',
      'the output schema was removed',
      'nothing is promised any longer',
      byName,
    ],
    'output-field-added': ['safe', 'a field was added', 'readers pass over what they do not know'],
    'output-field-required': [
      'safe',
      'a field is always present now',
      'readers were ready for less',
    ],
    'output-field-optional': [
      'breaking',
      'a field, a header or an item may be missing now',
      'readers count on it',
    ],
    'output-field-removed': ['breaking', 'a field or a header was removed', 'readers miss it'],
    'output-type-wider': [
      'breaking',
      'a type changed or became wider',
      'readers do not expect the new type',
    ],
    'output-type-narrower': [
      'safe',
      'a type became narrower',
      'readers expect the new type already',
    ],
    'output-values-narrower': ['safe', 'fewer values are listed', 'readers know these values'],
    'output-values-wider': [
      'risky',
      'more values are listed',
      'readers may not know what to do with new values',
    ],
    'output-limit-narrower': [
      'safe',
      'a limit or format is narrower',
      'readers were ready for more',
    ],
    'output-limit-wider': [
      'risky',
      'a limit or format is wider',
      'readers may get values that they did not expect',
    ],
    'output-unclear': [
      'risky',
      'a pattern or restriction is another',
      'nobody can tell what comes now',
    ],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Row>>>>;

export type RuleId = {
  readonly [Name in keyof typeof groups]: keyof (typeof groups)[Name];
}[keyof typeof groups];

/** A kind of change: what it does to those who call, and why. `group` is the part of the page of rules. */
interface Rule extends Pick<ContractChange, 'class' | 'reason' | 'audience'> {
  readonly group: string;
  readonly when: string;
}

export const rules = Object.fromEntries(
  Object.entries(groups).flatMap(([group, rows]) =>
    Object.entries<Row>(rows).map(([id, [changeClass, when, reason, audience = everybody]]) => [
      id,
      { group, class: changeClass, when, reason, audience },
    ]),
  ),
) as Readonly<Record<RuleId, Rule>>;

export function isRule(id: string): id is RuleId {
  return Object.hasOwn(rules, id);
}

/** A change as it was found; its rule says the rest. */
export interface FoundChange
  extends Pick<ContractChange, 'at' | 'message' | 'before' | 'after' | 'component'> {
  readonly audience?: readonly Audience[];
  /** @default the class of its rule */
  readonly class?: ChangeClass | undefined;
}

export function toChange(id: RuleId, { class: found, ...change }: FoundChange): ContractChange {
  const { class: usual, reason, audience } = rules[id];
  const isBetter = found === 'safe' && usual !== 'safe';
  return {
    rule: id,
    class: found ?? usual,
    reason: isBetter ? 'calls work as before' : reason,
    audience,
    ...change,
  };
}
