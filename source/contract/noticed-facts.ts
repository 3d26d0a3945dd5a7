import type { EnhancerFacts, OperationFacts, RouteFacts } from '../document/facts.ts';
import type { ApiOperation } from '../document/operations/api-operation.ts';
import { toSortedText } from '../document/schema-json.ts';
import { type ContractChange, type Fact, safeIfMore, toChange } from './changes/contract-change.ts';
import { toTimeoutFact } from './server-facts.ts';

/** The facts that callers notice of an operation or a job. `serverTimeoutMs` counts where it has no timeout itself. */
export function toNoticedFacts(
  { facts, job, isDeprecated }: ApiOperation,
  serverTimeoutMs?: number,
): readonly Fact[] {
  // A document of others says no more than this.
  if (facts === undefined) return [toEndFact(isDeprecated)];
  const common = [
    toTimeoutFact('timeout', facts.timeoutMs ?? serverTimeoutMs),
    toEndFact(facts.deprecation !== undefined),
  ];
  return job === undefined
    ? [...common, ...toRouteFactList(facts)]
    : [...common, ...toJobFacts(job)];
}

function toEndFact(isEnding: boolean): Fact {
  return {
    id: 'deprecation',
    rule: 'deprecation-changed',
    at: 'deprecation',
    label: 'the capability',
    value: isEnding,
    text: isEnding ? 'deprecated' : 'not deprecated',
  };
}

function toBodyFact(maxBodySize: number): Fact {
  return {
    id: 'body limit',
    rule: 'body-limit-changed',
    at: 'maxBodySize',
    label: '`maxBodySize`',
    value: maxBodySize,
    classes: safeIfMore,
  };
}

function toJobFacts({ repeat, ...settings }: NonNullable<ApiOperation['job']>): readonly Fact[] {
  const rule = 'job-settings-changed';
  return [
    {
      id: 'job repeat',
      rule,
      at: 'job.repeat',
      label: 'schedule',
      value: repeat && toSortedText(repeat),
    },
    {
      id: 'job settings',
      rule,
      at: 'job',
      label: 'the way it runs',
      value: toSortedText(settings),
      classes: { other: 'safe' },
    },
  ];
}

function toRouteFactList(facts: OperationFacts & Partial<RouteFacts>): readonly Fact[] {
  const { intent, enhancers, cacheControl, maxBodySize } = facts;
  return [
    {
      id: 'intent',
      rule: 'intent-changed',
      at: 'intent',
      label: 'intent',
      value: intent,
      text: `\`${intent}\``,
    },
    toKeyFact(facts.idempotencyKey),
    toCacheFact(enhancers),
    ...toRateFacts(enhancers),
    {
      id: 'cache control',
      rule: 'cache-control-changed',
      at: 'cacheControl',
      label: '`Cache-Control`',
      value: cacheControl,
    },
    ...(maxBodySize === undefined ? [] : [toBodyFact(maxBodySize)]),
    ...toToolFacts(facts),
  ];
}

function toKeyFact(keyRule: RouteFacts['idempotencyKey']): Fact {
  return {
    id: 'idempotency key',
    rule: keyRule === 'required' ? 'idempotency-key-required' : 'idempotency-key-changed',
    at: 'idempotency key',
    label: '`Idempotency-Key`',
    value: keyRule ?? 'ignored',
    classes: keyRule === 'optional' ? { other: 'safe' } : {},
  };
}

const hints = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const;

function toToolFacts({ key, tool = {} }: Partial<RouteFacts> & OperationFacts): readonly Fact[] {
  const shown = { id: 'tool', rule: 'tool-changed', at: 'tool', label: 'the tool' } as const;
  if (tool === false) return [{ ...shown, value: false, text: 'hidden' }];
  return [
    { ...shown, value: true, classes: safeIfMore, text: 'shown' },
    {
      id: 'tool name',
      rule: 'tool-changed',
      at: 'tool',
      label: 'name of the tool',
      value: tool.name ?? key.replaceAll('.', '_'),
    },
    ...hints.map(
      (hint): Fact => ({
        id: `tool hint ${hint}`,
        rule: 'tool-hint-changed',
        at: 'tool',
        label: `\`${hint}\` of the tool`,
        value: `${tool[hint] ?? 'unsaid'}`,
      }),
    ),
  ];
}

function findSettings(
  enhancers: readonly EnhancerFacts[],
  kind: string,
): readonly Readonly<Record<string, number>>[] {
  return enhancers
    .filter((each) => each.kind === kind)
    .map((each) => each.settings as Readonly<Record<string, number>>);
}

function toCacheFact(enhancers: readonly EnhancerFacts[]): Fact {
  const { ttlMs = 0 } = findSettings(enhancers, 'cache').at(-1) ?? {};
  return {
    id: 'cache',
    rule: 'cache-changed',
    at: 'cache',
    label: 'time in the cache',
    value: ttlMs,
    classes: { less: 'safe' },
    text: `${ttlMs} ms`,
  };
}

/**
 * The rate limits. Without one there is no fact, since the error of a first limit is a change already. A limit of more
 * calls in a longer time may still allow fewer at once.
 */
function toRateFacts(enhancers: readonly EnhancerFacts[]): readonly Fact[] {
  const limits = findSettings(enhancers, 'limit')
    .map(({ limit = 0, windowMs = 0 }) => ({ limit, windowMs }))
    .toSorted((one, other) => one.windowMs - other.windowMs);
  if (limits.length === 0) return [];
  return [
    {
      id: 'rate limit',
      rule: 'rate-limit-changed',
      at: 'rate limit',
      label: 'rate limit',
      value: limits.flatMap(({ limit, windowMs }) => [limit / windowMs, limit]),
      classes: safeIfMore,
      text: limits.map(({ limit, windowMs }) => `${limit} in ${windowMs} ms`).join(' and '),
    },
  ];
}

/** Compares the days on which a capability goes away: a text that is not a date may be any day. */
export function compareSunsets(
  { facts: old }: ApiOperation,
  { facts: now }: ApiOperation,
): readonly ContractChange[] {
  if (old === undefined || now?.deprecation === undefined) return [];
  const before = old.deprecation?.sunset;
  const after = now.deprecation.sunset;
  if (before === after) return [];
  const message = `sunset is ${after ?? 'none'}, it was ${before ?? 'none'}`;
  const found = toSunsetClass(Date.parse(after ?? '') - Date.parse(before ?? ''));
  return [toChange('sunset-changed', { at: 'sunset', message, before, after, class: found })];
}

function toSunsetClass(laterMs: number): ContractChange['class'] {
  if (laterMs > 0) return 'safe';
  return laterMs < 0 ? 'breaking' : 'risky';
}
