import type { ApiOperation } from '../document/api-operation.ts';
import type { BodyLimits, CorsFacts, DocumentFacts, EnhancerFacts, RouteFacts } from '../document/facts.ts';
import type { Fact } from './compare-facts.ts';
import { toSortedText } from './sorted-json.ts';

/** The timeout of a server that sets none, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** The facts that hold for every call. */
export function toServerFacts(facts: DocumentFacts): readonly Fact[] {
  const { prefix, envelope, timeoutMs, etag = false, calls, cacheControl, queuePrefixes = [] } = facts;
  const { dataPath, errorType, validationStatus } = envelope;
  const status = `${validationStatus}`;
  return [
    { at: 'server.prefix', name: 'prefix of every path', value: prefix, rule: 'prefix-changed' },
    { at: 'server.data', name: 'field of the data', value: dataPath.join('.'), rule: 'envelope-changed' },
    { at: 'server.failureType', name: 'media type of errors', value: errorType, rule: 'error-type-changed' },
    { at: 'server.validationStatus', name: 'status of bad input', value: status, rule: 'validation-status-changed' },
    toTimeoutFact('server.timeout', timeoutMs),
    toSwitch({ at: 'server', name: '`ETag` of responses to GET', rule: etagRule }, etag),
    toSwitch({ at: 'server', name: 'the inferred client', rule: callsRule }, calls),
    toCacheFact('server.cacheControl', cacheControl),
    ...toCorsFacts(facts.cors),
    ...toLimitFacts(facts.bodyLimits),
    { at: 'server.queue', name: 'prefix of queues', value: new Set(queuePrefixes), rule: 'queue-renamed' },
  ];
}

const etagRule = { less: 'etag-removed', more: 'etag-added' } as const;
const callsRule = { less: 'calls-removed', more: 'calls-added' } as const;

type About = Pick<Fact, 'at' | 'name' | 'rule'>;

function toSwitch(about: About, value: boolean, [on, off] = ['on', 'off']): Fact {
  return { ...about, value, text: value ? on : off };
}

function toTimeoutFact(at: string, value = DEFAULT_TIMEOUT_MS): Fact {
  return { at, name: 'timeout', value, text: `${value} ms`, rule: { less: 'timeout-shorter', more: 'timeout-longer' } };
}

/** The time that caches may keep responses: all of a server's, or those of one capability. */
function toCacheFact(at: string, value: string | undefined): Fact {
  return { at, name: '`Cache-Control`', value, rule: 'cache-control-changed' };
}

/** The order and the case of words say nothing. */
function toCorsFacts(cors: CorsFacts | false): readonly Fact[] {
  const rule = { less: 'cors-narrower', more: 'cors-wider', other: 'cors-narrower' } as const;
  const all = toSwitch({ at: 'server.cors', name: 'CORS', rule }, cors !== false);
  if (cors === false) return [all];
  const { credentials, origin, methods, headers, exposeHeaders = '' } = cors;
  const lists = Object.entries({ origin, methods, headers, exposeHeaders }).map(([name, text]): Fact => {
    const words = text.toLowerCase().match(/[^\s,]+/g);
    return { at: `server.cors.${name}`, name: `\`${name}\` of CORS`, value: new Set(words), text, rule };
  });
  return [all, ...lists, toSwitch({ at: 'server.cors.credentials', name: '`credentials` of CORS', rule }, credentials)];
}

function toLimitFacts({ maxBodySize, forms }: BodyLimits): readonly Fact[] {
  const rule = { less: 'body-limit-lower', more: 'body-limit-higher' } as const;
  const sizes = Object.entries({ maxBodySize, ...forms });
  return [
    toSwitch({ at: 'server.multipart', name: 'the reading of forms', rule }, forms !== undefined),
    ...sizes.map(([name, value]) => ({ at: `server.${name}`, name: `\`${name}\``, value, rule })),
  ];
}

/** The facts that callers notice of an operation or a job. `serverTimeoutMs` counts where it has no timeout itself. */
export function toOperationFactList(operation: ApiOperation, serverTimeoutMs?: number): readonly Fact[] {
  const { facts, job, isDeprecated } = operation;
  // A document of others says no more than this.
  if (facts === undefined) return [toDeprecationFact(isDeprecated)];
  const { intent, idempotencyKey = 'ignored', timeoutMs, enhancers, cacheControl, deprecation } = facts;
  if (job !== undefined)
    return [toTimeoutFact('timeout', timeoutMs), ...toEndFacts(deprecation), ...toSettingFacts(job)];
  const rule = `idempotency-key-${idempotencyKey === 'optional' ? 'added' : idempotencyKey}` as const;
  return [
    { at: 'intent', name: 'intent', value: intent, text: `\`${intent}\``, rule: 'intent-changed' },
    { at: 'idempotency key', name: '`Idempotency-Key`', value: idempotencyKey, rule },
    toTimeoutFact('timeout', timeoutMs ?? serverTimeoutMs),
    ...toEnhancerFactList(enhancers),
    toCacheFact('cacheControl', cacheControl),
    ...toEndFacts(deprecation),
    ...toToolFacts(facts),
  ];
}

function toSettingFacts({ repeat, ...settings }: NonNullable<ApiOperation['job']>): readonly Fact[] {
  const schedule = repeat && toSortedText(repeat);
  return [
    { at: 'job.repeat', name: 'schedule', value: schedule, rule: 'job-schedule-changed' },
    { at: 'job', name: 'the way it runs', value: toSortedText(settings), rule: 'job-settings-changed' },
  ];
}

/** A new rate limit is told by its error. More calls in a longer time may still be fewer at once. */
function toEnhancerFactList(enhancers: readonly EnhancerFacts[]): readonly Fact[] {
  const settingsOf = (kind: string) => enhancers.find((each) => each.kind === kind)?.settings ?? {};
  const { limit = 0, windowMs = 0 } = settingsOf('limit') as Readonly<Record<string, number>>;
  const ttlMs = Number(settingsOf('cache')['ttlMs'] ?? 0);
  const rates = windowMs === 0 ? undefined : [limit / windowMs, limit];
  const rule = { less: 'rate-limit-lower', more: 'rate-limit-higher' } as const;
  return [
    { at: 'rate limit', name: 'rate limit', value: rates, text: `${limit} in ${windowMs} ms`, rule },
    { at: 'cache', name: 'time in the cache', value: ttlMs, text: `${ttlMs} ms`, rule: { more: 'cache-longer' } },
  ];
}

/** Whether it is to go away, and when: text that is not a date may be any day. */
function toEndFacts(deprecation: RouteFacts['deprecation']): readonly Fact[] {
  const end = toDeprecationFact(deprecation !== undefined);
  if (deprecation === undefined) return [end, { ...noSunset, rule: {} }];
  const { sunset } = deprecation;
  const atMs = Date.parse(sunset ?? '');
  return [end, { ...noSunset, value: Number.isNaN(atMs) ? sunset : atMs, text: sunset }];
}

const noSunset: Fact = {
  at: 'sunset',
  name: 'sunset',
  value: undefined,
  rule: { less: 'sunset-earlier', more: 'sunset-later', other: 'sunset-changed' },
};

function toDeprecationFact(isDeprecated: boolean): Fact {
  const about = { at: 'deprecation', name: 'the capability', rule: 'deprecation-changed' } as const;
  return toSwitch(about, isDeprecated, ['deprecated', 'not deprecated']);
}

/** The look of a capability to agents. */
function toToolFacts({ tool, key }: NonNullable<ApiOperation['facts']>): readonly Fact[] {
  const rule = { less: 'tool-removed', more: 'tool-added' } as const;
  const isSeen = toSwitch({ at: 'tool', name: 'the tool', rule }, tool !== false, ['shown', 'hidden']);
  if (tool === false) return [isSeen];
  const name = tool?.name ?? key.replaceAll('.', '_');
  return [
    isSeen,
    { at: 'tool', name: 'name of the tool', value: name, rule: 'tool-renamed' },
    ...hints.map((hint): Fact => {
      const value = `${tool?.[hint] ?? 'unsaid'}`;
      return { at: 'tool', name: `\`${hint}\` of the tool`, value, rule: 'tool-hint-changed' };
    }),
  ];
}

const hints = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const;
