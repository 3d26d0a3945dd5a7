import type { ApiOperation } from '../document/api-operation.ts';
import type {
  CorsFacts,
  DocumentFacts,
  EnhancerFacts,
  OperationFacts,
  RouteFacts,
} from '../document/facts.ts';
import { isSameJson } from '../document/fits-branch.ts';
import { toSortedText } from '../document/sorted-json.ts';
import type { ChangeClass, ContractChange } from './changes/contract-change.ts';
import { type FoundChange, type RuleId, toChange } from './changes/rules.ts';

type Value = string | number | boolean | readonly number[] | ReadonlySet<string> | undefined;
type Trend = 'less' | 'more' | 'other';

interface FactOptions {
  /** The classes of a change that has another one than its rule. */
  readonly classes?: Readonly<Partial<Record<Trend, ChangeClass>>>;
  /** As people read it. @default the value, or `none` */
  readonly text?: string | undefined;
}

/**
 * Something that callers notice beside the values that they send and read, by a name that it has on the other side,
 * too. Of several numbers each counts, and one more is less; the value is undefined where nothing is set.
 */
export type Fact = readonly [
  rule: RuleId,
  at: string,
  name: string,
  value: Value,
  options?: FactOptions,
];

const ifMore = { classes: { more: 'safe' } } as const;

/** The changes of the facts that both sides tell: what only one of them says has not changed. */
export function compareFacts(
  olds: readonly Fact[],
  news: readonly Fact[],
): readonly ContractChange[] {
  const known = new Map(olds.map((fact) => [fact[2], fact]));
  return news.flatMap((fact): readonly ContractChange[] => {
    const [rule, at, name, value, { classes } = {}] = fact;
    const old = known.get(name);
    if (old === undefined || isSameJson(old[3], value)) return [];
    const [before, after] = [toText(old), toText(fact)];
    const message = `${name} is ${after}, it was ${before}`;
    return [
      toChange(rule, { at, message, before, after, class: classes?.[toTrend(old[3], value)] }),
    ];
  });
}

function toTrend(old: Value, now: Value): Trend {
  if (old instanceof Set && now instanceof Set) {
    const isWithin = (some: ReadonlySet<unknown>, all: ReadonlySet<unknown>): boolean =>
      all.has('*') || [...some].every((word) => all.has(word));
    return isWithin(old, now) ? 'more' : isWithin(now, old) ? 'less' : 'other';
  }
  const [olds, news] = [[old].flat(), [now].flat()];
  if ([...olds, ...news].some((each) => typeof each !== 'number' && typeof each !== 'boolean'))
    return 'other';
  const isLess =
    news.length > olds.length || olds.some((each, index) => Number(news[index]) < Number(each));
  return isLess ? 'less' : 'more';
}

function toText([, , , value, { text } = {}]: Fact): string {
  if (typeof value === 'boolean') return text ?? (value ? 'on' : 'off');
  return (text ?? (value instanceof Set ? [...value] : [value]).join(', ')) || 'none';
}

type MemberOptions = Omit<FoundChange, 'message'> & {
  readonly rules: readonly [added: RuleId, removed: RuleId];
};

/** The changes of the members that only one of two lists has, each by its name: ``route `GET /a` was added``. */
export function compareMembers(
  olds: readonly string[],
  news: readonly string[],
  { rules: [added, removed], ...found }: MemberOptions,
): readonly ContractChange[] {
  const come = news.filter((each) => !olds.includes(each));
  const gone = olds.filter((each) => !news.includes(each));
  return [
    ...come.map((each) => toChange(added, { ...found, message: `${each} was added` })),
    ...gone.map((each) => toChange(removed, { ...found, message: `${each} was removed` })),
  ];
}

export function toServerFacts(facts: DocumentFacts): readonly Fact[] {
  const { timeoutMs, etag = false, cors, queuePrefixes } = facts;
  const { dataField, errorType, validationStatus } = facts.envelope;
  const { maxBodySize, forms } = facts.bodyLimits;
  const limits = Object.entries({ maxBodySize, ...forms });
  return [
    ['prefix-changed', 'server.prefix', 'prefix of every path', facts.prefix],
    ['envelope-changed', 'server.data', 'field of the data', dataField || ''],
    ['error-format-changed', 'server.failureType', 'media type of errors', errorType],
    [
      'error-format-changed',
      'server.validationStatus',
      'status of bad input',
      `${validationStatus}`,
    ],
    toTimeoutFact('server.timeout', timeoutMs),
    ['etag-changed', 'server', '`ETag` of responses to GET', etag !== false, ifMore],
    ['calls-changed', 'server', 'the inferred client', facts.calls, ifMore],
    ['cors-changed', 'server.cors', 'CORS', cors !== false, ifMore],
    ...(cors === false ? [] : toCorsFacts(cors)),
    ['body-limit-changed', 'server.multipart', 'the reading of forms', forms !== undefined, ifMore],
    ...limits.map(
      ([name, value]): Fact => [
        'body-limit-changed',
        `server.${name}`,
        `\`${name}\``,
        value,
        ifMore,
      ],
    ),
    ['queue-renamed', 'server.queue', 'prefix of queues', new Set(queuePrefixes)],
  ];
}

/** The order and the case of words say nothing. */
function toCorsFacts({ credentials, exposeHeaders = '', ...lists }: CorsFacts): readonly Fact[] {
  return Object.entries({ ...lists, exposeHeaders, credentials }).map(([name, given]): Fact => {
    const [value, text] =
      typeof given === 'string'
        ? [new Set(given.toLowerCase().match(/[^\s,]+/g)), given]
        : [given, undefined];
    return [
      'cors-changed',
      `server.cors.${name}`,
      `\`${name}\` of CORS`,
      value,
      { ...ifMore, text },
    ];
  });
}

/** The timeout of a server that sets none, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;

function toTimeoutFact(at: string, valueMs = DEFAULT_TIMEOUT_MS): Fact {
  return ['timeout-changed', at, 'timeout', valueMs, { ...ifMore, text: `${valueMs} ms` }];
}

/** The facts that callers notice of an operation or a job. `serverTimeoutMs` counts where it has no timeout itself. */
export function toOperationFactList(
  { facts, job, isDeprecated }: ApiOperation,
  serverTimeoutMs?: number,
): readonly Fact[] {
  const isEnding = facts === undefined ? isDeprecated : facts.deprecation !== undefined;
  const text = isEnding ? 'deprecated' : 'not deprecated';
  const end: Fact = ['deprecation-changed', 'deprecation', 'the capability', isEnding, { text }];
  // A document of others says no more than this.
  if (facts === undefined) return [end];
  const common = [toTimeoutFact('timeout', facts.timeoutMs ?? serverTimeoutMs), end];
  if (job === undefined) return [...common, ...toRouteFacts(facts)];
  const { repeat, ...settings } = job;
  return [
    ...common,
    ['job-settings-changed', 'job.repeat', 'schedule', repeat && toSortedText(repeat)],
    [
      'job-settings-changed',
      'job',
      'the way it runs',
      toSortedText(settings),
      { classes: { other: 'safe' } },
    ],
  ];
}

function toRouteFacts(facts: OperationFacts & Partial<RouteFacts>): readonly Fact[] {
  const { key, intent, idempotencyKey = 'ignored', enhancers, cacheControl, tool = {} } = facts;
  const keyRule =
    idempotencyKey === 'required' ? 'idempotency-key-required' : 'idempotency-key-changed';
  const classes = idempotencyKey === 'optional' ? ({ other: 'safe' } as const) : {};
  const hints = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const;
  const ofTool: readonly Fact[] =
    tool === false
      ? [['tool-changed', 'tool', 'the tool', false, { text: 'hidden' }]]
      : [
          ['tool-changed', 'tool', 'the tool', true, { ...ifMore, text: 'shown' }],
          ['tool-changed', 'tool', 'name of the tool', tool.name ?? key.replaceAll('.', '_')],
          ...hints.map((hint): Fact => {
            return [
              'tool-hint-changed',
              'tool',
              `\`${hint}\` of the tool`,
              `${tool[hint] ?? 'unsaid'}`,
            ];
          }),
        ];
  return [
    ['intent-changed', 'intent', 'intent', intent, { text: `\`${intent}\`` }],
    [keyRule, 'idempotency key', '`Idempotency-Key`', idempotencyKey, { classes }],
    ...toEnhancerFacts(enhancers),
    ['cache-control-changed', 'cacheControl', '`Cache-Control`', cacheControl],
    ...ofTool,
  ];
}

/** A new rate limit is told by its error. More calls in a longer time may still be fewer at once. */
function toEnhancerFacts(enhancers: readonly EnhancerFacts[]): readonly Fact[] {
  const settingsOf = (kind: string): readonly Readonly<Record<string, number>>[] =>
    enhancers
      .filter((each) => each.kind === kind)
      .map((each) => each.settings as Readonly<Record<string, number>>);
  const { ttlMs = 0 } = settingsOf('cache').at(-1) ?? {};
  const limits = settingsOf('limit').map(({ limit = 0, windowMs = 0 }) => ({ limit, windowMs }));
  limits.sort((one, other) => one.windowMs - other.windowMs);
  const rates = limits.flatMap(({ limit, windowMs }) => [limit / windowMs, limit]);
  const text = limits.map(({ limit, windowMs }) => `${limit} in ${windowMs} ms`).join(' and ');
  return [
    [
      'cache-changed',
      'cache',
      'time in the cache',
      ttlMs,
      { classes: { less: 'safe' }, text: `${ttlMs} ms` },
    ],
    ...(limits.length === 0
      ? []
      : [
          [
            'rate-limit-changed',
            'rate limit',
            'rate limit',
            rates,
            { ...ifMore, text },
          ] satisfies Fact,
        ]),
  ];
}

/** The changes of the day on which a capability goes away: text that is not a date may be any day. */
export function compareSunsets(
  { facts: old }: ApiOperation,
  { facts: now }: ApiOperation,
): readonly ContractChange[] {
  const [before, after] = [old?.deprecation?.sunset, now?.deprecation?.sunset];
  if (before === after || old === undefined || now?.deprecation === undefined) return [];
  const laterMs = Date.parse(after ?? '') - Date.parse(before ?? '');
  const found = laterMs > 0 ? 'safe' : laterMs < 0 ? 'breaking' : 'risky';
  const message = `sunset is ${after ?? 'none'}, it was ${before ?? 'none'}`;
  return [toChange('sunset-changed', { at: 'sunset', message, before, after, class: found })];
}
