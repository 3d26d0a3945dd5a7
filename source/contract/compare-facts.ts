import type { ToolOptions } from '../../server-runtime/capability/definition.ts';
import { isSameJson } from '../document/accepts.ts';
import type { ApiOperation } from '../document/api-operation.ts';
import type { CorsFacts, DocumentFacts, EnhancerFacts, OperationFacts, RouteFacts } from '../document/facts.ts';
import type { ChangeClass, ContractChange } from './contract-change.ts';
import { type FoundChange, type RuleId, toChange } from './rules.ts';
import { toSortedText } from './sorted-json.ts';

/** Something that callers notice beside the values that they send and read. */
export interface Fact {
  readonly at: string;
  /** The name by which it is found on the other side, too: `timeout`. */
  readonly name: string;
  readonly rule: RuleId;
  /** Each of several numbers counts. Undefined where nothing is set. */
  readonly value: string | number | boolean | readonly number[] | ReadonlySet<string> | undefined;
  /** The classes of a change that has another one than its rule. */
  readonly classes?: Readonly<Partial<Record<Trend, ChangeClass>>>;
  /** As people read it. @default the value, or `none` */
  readonly text?: string | undefined;
}

type Trend = 'less' | 'more' | 'other';

const ifMore = { classes: { more: 'safe' } } as const;

/** The changes of the facts that both sides tell: what only one of them says has not changed. */
export function compareFacts(olds: readonly Fact[], news: readonly Fact[]): readonly ContractChange[] {
  const known = new Map(olds.map((fact) => [fact.name, fact]));
  return news.flatMap((now): readonly ContractChange[] => {
    const old = known.get(now.name);
    if (old === undefined || isSameJson(old.value, now.value)) return [];
    const [before, after] = [toText(old), toText(now)];
    const message = `${now.name} is ${after}, it was ${before}`;
    const trend = toTrend(old.value, now.value);
    return [toChange(now.rule, { at: now.at, message, before, after, class: now.classes?.[trend] })];
  });
}

/** The same of one fact. */
export function compareFact(
  about: Omit<Fact, 'value'>,
  old: Fact['value'],
  now: Fact['value'],
): readonly ContractChange[] {
  return compareFacts([{ ...about, value: old }], [{ ...about, value: now }]);
}

function toTrend(old: Fact['value'], now: Fact['value']): Trend {
  if (old instanceof Set && now instanceof Set) {
    const isWithin = (some: ReadonlySet<unknown>, all: ReadonlySet<unknown>): boolean =>
      all.has('*') || [...some].every((word) => all.has(word));
    return isWithin(old, now) ? 'more' : isWithin(now, old) ? 'less' : 'other';
  }
  const [olds, news] = [[old].flat(), [now].flat()];
  if ([...olds, ...news].some((each) => typeof each !== 'number' && typeof each !== 'boolean')) return 'other';
  return olds.some((each, index) => Number(news[index]) < Number(each)) ? 'less' : 'more';
}

function toText({ value, text }: Fact): string {
  if (typeof value === 'boolean') return text ?? (value ? 'on' : 'off');
  return (text ?? (value instanceof Set ? [...value] : [value]).join(', ')) || 'none';
}

export interface MemberOptions extends Omit<FoundChange, 'message'> {
  readonly rules: readonly [added: RuleId, removed: RuleId];
}

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

/** The facts that hold for every call. */
export function toServerFacts(facts: DocumentFacts): readonly Fact[] {
  const { prefix, timeoutMs, etag = false, calls, cors, cacheControl, queuePrefixes } = facts;
  const { dataPath, errorType, validationStatus } = facts.envelope;
  const { maxBodySize, forms } = facts.bodyLimits;
  const status = `${validationStatus}`;
  const limit = { rule: 'body-limit-changed', ...ifMore } as const;
  return [
    { at: 'server.prefix', name: 'prefix of every path', rule: 'prefix-changed', value: prefix },
    { at: 'server.data', name: 'field of the data', rule: 'envelope-changed', value: dataPath.join('.') },
    { at: 'server.failureType', name: 'media type of errors', rule: 'error-format-changed', value: errorType },
    { at: 'server.validationStatus', name: 'status of bad input', rule: 'error-format-changed', value: status },
    toTimeoutFact('server.timeout', timeoutMs),
    { at: 'server', name: '`ETag` of responses to GET', rule: 'etag-changed', value: etag !== false, ...ifMore },
    { at: 'server', name: 'the inferred client', rule: 'calls-changed', value: calls, ...ifMore },
    { at: 'server.cacheControl', name: '`Cache-Control`', rule: 'cache-control-changed', value: cacheControl },
    { at: 'server.cors', name: 'CORS', rule: 'cors-changed', value: cors !== false, ...ifMore },
    ...(cors === false ? [] : toCorsFacts(cors)),
    { at: 'server.multipart', name: 'the reading of forms', value: forms !== undefined, ...limit },
    ...Object.entries({ maxBodySize, ...forms }).map(([name, value]) => ({
      at: `server.${name}`,
      name: `\`${name}\``,
      value,
      ...limit,
    })),
    { at: 'server.queue', name: 'prefix of queues', rule: 'queue-renamed', value: new Set(queuePrefixes) },
  ];
}

/** The order and the case of words say nothing. */
function toCorsFacts({ credentials, exposeHeaders = '', ...lists }: CorsFacts): readonly Fact[] {
  return Object.entries({ ...lists, exposeHeaders, credentials }).map(([name, given]) => {
    const value = typeof given === 'string' ? new Set(given.toLowerCase().match(/[^\s,]+/g)) : given;
    const text = typeof given === 'string' ? given : undefined;
    return { at: `server.cors.${name}`, name: `\`${name}\` of CORS`, rule: 'cors-changed', value, text, ...ifMore };
  });
}

/** The timeout of a server that sets none, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;

function toTimeoutFact(at: string, value = DEFAULT_TIMEOUT_MS): Fact {
  return { at, name: 'timeout', rule: 'timeout-changed', value, ...ifMore, text: `${value} ms` };
}

/** The facts that callers notice of an operation or a job. `serverTimeoutMs` counts where it has no timeout itself. */
export function toOperationFactList(
  { facts, job, isDeprecated }: ApiOperation,
  serverTimeoutMs?: number,
): readonly Fact[] {
  const isEnding = facts === undefined ? isDeprecated : facts.deprecation !== undefined;
  const text = isEnding ? 'deprecated' : 'not deprecated';
  const end = {
    at: 'deprecation',
    name: 'the capability',
    rule: 'deprecation-changed',
    value: isEnding,
    text,
  } as const;
  // A document of others says no more than this.
  if (facts === undefined) return [end];
  const timeout = toTimeoutFact('timeout', facts.timeoutMs ?? (job === undefined ? serverTimeoutMs : undefined));
  return [timeout, end, ...(job === undefined ? toRouteFacts(facts) : toJobFacts(job))];
}

function toJobFacts({ repeat, ...settings }: NonNullable<ApiOperation['job']>): readonly Fact[] {
  const schedule = repeat && toSortedText(repeat);
  const rule = 'job-settings-changed';
  const value = toSortedText(settings);
  return [
    { at: 'job.repeat', name: 'schedule', rule, value: schedule },
    { at: 'job', name: 'the way it runs', rule, value, classes: { other: 'safe' } },
  ];
}

function toRouteFacts(facts: OperationFacts & Partial<RouteFacts>): readonly Fact[] {
  const { key, intent, idempotencyKey = 'ignored', enhancers, cacheControl, tool } = facts;
  const rule = idempotencyKey === 'required' ? 'idempotency-key-required' : 'idempotency-key-changed';
  const classes = idempotencyKey === 'optional' ? ({ other: 'safe' } as const) : {};
  const isSeen = tool !== false;
  return [
    { at: 'intent', name: 'intent', rule: 'intent-changed', value: intent, text: `\`${intent}\`` },
    { at: 'idempotency key', name: '`Idempotency-Key`', rule, value: idempotencyKey, classes },
    ...toEnhancerFacts(enhancers),
    { at: 'cacheControl', name: '`Cache-Control`', rule: 'cache-control-changed', value: cacheControl },
    { at: 'tool', name: 'the tool', rule: 'tool-changed', value: isSeen, text: isSeen ? 'shown' : 'hidden', ...ifMore },
    ...(isSeen ? toToolFacts(tool, key) : []),
  ];
}

function toToolFacts(tool: ToolOptions = {}, key: string): readonly Fact[] {
  const name = tool.name ?? key.replaceAll('.', '_');
  return [
    { at: 'tool', name: 'name of the tool', rule: 'tool-changed', value: name },
    ...(['readOnly', 'destructive', 'idempotent', 'openWorld'] as const).map((hint): Fact => {
      const value = `${tool[hint] ?? 'unsaid'}`;
      return { at: 'tool', name: `\`${hint}\` of the tool`, rule: 'tool-hint-changed', value };
    }),
  ];
}

/** A new rate limit is told by its error. More calls in a longer time may still be fewer at once. */
function toEnhancerFacts(enhancers: readonly EnhancerFacts[]): readonly Fact[] {
  const settingsOf = (kind: string) => enhancers.find((each) => each.kind === kind)?.settings ?? {};
  const { limit = 0, windowMs = 0 } = settingsOf('limit') as Readonly<Record<string, number>>;
  const { ttlMs = 0 } = settingsOf('cache') as Readonly<Record<string, number>>;
  const cache = {
    at: 'cache',
    name: 'time in the cache',
    rule: 'cache-changed',
    value: ttlMs,
    text: `${ttlMs} ms`,
  } as const;
  const rate = {
    at: 'rate limit',
    name: 'rate limit',
    rule: 'rate-limit-changed',
    text: `${limit} in ${windowMs} ms`,
  } as const;
  return [
    { ...cache, classes: { less: 'safe' } },
    ...(windowMs === 0 ? [] : [{ ...rate, value: [limit / windowMs, limit], ...ifMore }]),
  ];
}

/** The changes of the day on which a capability goes away: text that is not a date may be any day. */
export function compareSunsets({ facts: old }: ApiOperation, { facts: now }: ApiOperation): readonly ContractChange[] {
  const [before, after] = [old?.deprecation?.sunset, now?.deprecation?.sunset];
  if (before === after || old === undefined || now?.deprecation === undefined) return [];
  const laterMs = Date.parse(after ?? '') - Date.parse(before ?? '');
  const changeClass = laterMs > 0 ? 'safe' : laterMs < 0 ? 'breaking' : 'risky';
  const message = `sunset is ${after ?? 'none'}, it was ${before ?? 'none'}`;
  return laterMs === 0
    ? []
    : [toChange('sunset-changed', { at: 'sunset', message, before, after, class: changeClass })];
}
