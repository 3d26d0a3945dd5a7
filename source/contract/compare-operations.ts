import { isSameJson } from '../document/accepts.ts';
import type { ApiOperation } from '../document/api-operation.ts';
import type { EnhancerFacts, RouteFacts } from '../document/facts.ts';
import type { Side } from './compare.ts';
import { compareCredentials, compareGuards } from './compare-guards.ts';
import { compareInputs } from './compare-inputs.ts';
import { compareErrors, compareResponses } from './compare-responses.ts';
import { compareRoutes } from './compare-routes.ts';
import type { ContractChange } from './contract-change.ts';
import { type RuleId, toChange } from './rules.ts';

/** Compares everything that callers notice of a capability. What only one of the two says has not changed. */
export function compareOperations(old: Side, now: Side): readonly ContractChange[] {
  const [before, after] = [old.operation, now.operation];
  const guards = [...compareCredentials(before, after), ...compareGuards(before, after)];
  return [
    ...compareRoutes(old, now),
    ...compareInputs(before, after),
    ...guards,
    ...compareErrors(before, after, {
      isGuarded: guards.length > 0,
      isSameEnvelope: isSameJson(old.facts?.envelope, now.facts?.envelope),
    }),
    ...compareResponses(before, after),
    ...(before.facts && after.facts
      ? compareFacts([old, before.facts], [now, after.facts])
      : compareFlags(before, after)),
  ];
}

/** A document of others says no more of an end than this. */
function compareFlags({ isDeprecated: old }: ApiOperation, { isDeprecated: now }: ApiOperation) {
  return old === now ? [] : [toDeprecation(now)];
}

type Told = readonly [side: Side, facts: NonNullable<ApiOperation['facts']>];

function compareFacts([old, before]: Told, [now, after]: Told): readonly ContractChange[] {
  return [
    ...compareIntent(before.intent, after.intent),
    ...compareKeys(before.idempotencyKey, after.idempotencyKey),
    ...compareTimeouts([before.timeoutMs, old.facts?.timeoutMs], [after.timeoutMs, now.facts?.timeoutMs]),
    ...compareRates(before.enhancers, after.enhancers),
    ...compareCaches(before.enhancers, after.enhancers),
    ...compareCacheControl(before.cacheControl, after.cacheControl, 'cacheControl'),
    ...compareDeprecation(before.deprecation, after.deprecation),
    ...compareTools(before, after),
    ...compareOffers(before.offers, after.offers),
  ];
}

function compareIntent(before: string, after: string): readonly ContractChange[] {
  if (before === after) return [];
  const message = `intent changed from \`${before}\` to \`${after}\``;
  return [toChange('intent-changed', { at: 'intent', message, before, after })];
}

function compareKeys(before = 'ignored', after = 'ignored'): readonly ContractChange[] {
  if (before === after) return [];
  const message = `\`Idempotency-Key\` is ${after}, it was ${before}`;
  const rule = after === 'ignored' || after === 'required' ? after : 'added';
  return [toChange(`idempotency-key-${rule}`, { at: 'idempotency key', message, before, after })];
}

/** The timeout of a server that sets none. */
export const DEFAULT_TIMEOUT_MS = 30_000;

type Timeouts = readonly [own: number | undefined, ofServer: number | undefined];

/** A setting of the server for all capabilities is compared once for all. */
export function compareTimeouts([old, oldServer]: Timeouts, [now, nowServer]: Timeouts): readonly ContractChange[] {
  if (old === now) return [];
  const [a, b] = [old ?? oldServer ?? DEFAULT_TIMEOUT_MS, now ?? nowServer ?? DEFAULT_TIMEOUT_MS];
  if (a === b) return [];
  const [before, after] = [`${a} ms`, `${b} ms`];
  const message = `timeout changed from ${before} to ${after}`;
  return [toChange(b < a ? 'timeout-shorter' : 'timeout-longer', { at: 'timeout', message, before, after })];
}

type Enhancers = readonly EnhancerFacts[];

/** The changes of a rate limit that was there before: its error says that a limit is new. */
function compareRates(olds: Enhancers, news: Enhancers): readonly ContractChange[] {
  const [old, now] = [findRate(olds), findRate(news)];
  if (old === undefined || now === undefined || old.text === now.text) return [];
  // More calls in a longer time may still be fewer at once.
  const isLower = now.perMs < old.perMs || now.limit < old.limit;
  const message = `rate limit changed from ${old.text} to ${now.text}`;
  const rule = isLower ? 'rate-limit-lower' : 'rate-limit-higher';
  return [toChange(rule, { at: 'rate limit', message, before: old.text, after: now.text })];
}

function findRate(enhancers: Enhancers) {
  const { limit, windowMs } = enhancers.find(({ kind }) => kind === 'limit')?.settings ?? {};
  if (typeof limit !== 'number' || typeof windowMs !== 'number') return undefined;
  return { limit, perMs: limit / windowMs, text: `${limit} in ${windowMs} ms` };
}

function compareCaches(olds: Enhancers, news: Enhancers): readonly ContractChange[] {
  const [old = 0, now = 0] = [olds, news].map((all) =>
    Number(all.find(({ kind }) => kind === 'cache')?.settings['ttlMs'] ?? 0),
  );
  if (now <= old) return [];
  const message = old === 0 ? `responses are kept for ${now} ms` : `responses are kept for ${now} ms, it was ${old} ms`;
  return [toChange('cache-longer', { at: 'cache', message, before: `${old} ms`, after: `${now} ms` })];
}

/** Compares how long caches may keep responses: all of a server's, or those of one capability. */
export function compareCacheControl(before = 'none', after = 'none', at: string): readonly ContractChange[] {
  if (before === after) return [];
  const message = `\`Cache-Control\` is ${after}, it was ${before}`;
  return [toChange('cache-control-changed', { at, message, before, after })];
}

type Deprecation = RouteFacts['deprecation'];

/** Whether it is to go away, and when. */
export function compareDeprecation(old: Deprecation, now: Deprecation): readonly ContractChange[] {
  const changes = (old === undefined) === (now === undefined) ? [] : [toDeprecation(now !== undefined)];
  const [before, after] = [old?.sunset, now?.sunset];
  if (before === after || now === undefined) return changes;
  const [rule, message] = toSunset(before, after);
  return [...changes, toChange(rule, { at: 'sunset', message, before: before ?? 'none', after: after ?? 'none' })];
}

function toDeprecation(isDeprecated: boolean): ContractChange {
  const message = isDeprecated ? 'became deprecated' : 'is not deprecated any more';
  return toChange('deprecation-changed', { at: 'deprecation', message });
}

function toSunset(old: string | undefined, now: string | undefined): readonly [RuleId, string] {
  if (old === undefined) return ['sunset-changed', `goes away on ${now}`];
  if (now === undefined) return ['sunset-changed', `has no date any more on which it goes away, it was ${old}`];
  // What is not a date may be any day.
  const isLater = Date.parse(now) > Date.parse(old);
  return [isLater ? 'sunset-later' : 'sunset-earlier', `goes away on ${now}, it was ${old}`];
}

type Agents = NonNullable<ApiOperation['facts']>;

/** Compares how agents see a capability. Hints that follow from the intent are told with the intent. */
function compareTools(old: Agents, now: Agents): readonly ContractChange[] {
  const [before, after] = [old, now].map(toToolName);
  const texts = { at: 'tool', before: before ?? 'hidden', after: after ?? 'hidden' } as const;
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [toChange('tool-added', { ...texts, message: 'agents see it now' })];
  if (after === undefined) return [toChange('tool-removed', { ...texts, message: 'agents do not see it any more' })];
  if (before !== after)
    return [toChange('tool-renamed', { ...texts, message: `tool \`${before}\` is called \`${after}\` now` })];
  const hints = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const;
  return hints.flatMap((hint): readonly ContractChange[] => {
    const [a, b] = [old, now].map(({ tool }) => `${(tool || {})[hint] ?? 'unsaid'}`);
    if (a === b) return [];
    const message = `\`${hint}\` of the tool is ${b} now, it was ${a}`;
    return [toChange('tool-hint-changed', { at: 'tool', message, before: a, after: b })];
  });
}

function toToolName({ tool, key }: Agents): string | undefined {
  return tool === false ? undefined : (tool?.name ?? key.replaceAll('.', '_'));
}

function compareOffers(before: RouteFacts['offers'], after: RouteFacts['offers']): readonly ContractChange[] {
  const [olds, news] = [toOfferNames(before), toOfferNames(after)];
  return [
    ...olds
      .filter((offer) => !news.includes(offer))
      .map((offer) => toChange('offer-removed', { at: 'offers', message: `${offer} was removed` })),
    ...news
      .filter((offer) => !olds.includes(offer))
      .map((offer) => toChange('offer-added', { at: 'offers', message: `${offer} was added` })),
  ];
}

function toOfferNames(offers: RouteFacts['offers']): readonly string[] {
  const resources = (offers?.resources ?? []).map(({ uri }) => `resource \`${uri}\``);
  return offers?.prompt === undefined ? resources : [...resources, `prompt \`${offers.prompt}\``];
}
