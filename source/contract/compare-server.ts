import { toApiSchema } from '../document/branch.ts';
import type { BodyLimits, CorsFacts, DocumentFacts } from '../document/facts.ts';
import { recordOf } from '../document/schema-json.ts';
import { compareCacheControl, compareTimeouts } from './compare-operations.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ContractChange } from './contract-change.ts';
import { type RuleId, toChange } from './rules.ts';

/** Compares what holds for every call. */
export function compareServers(
  documents: readonly [object, object],
  [old, now]: readonly [DocumentFacts, DocumentFacts],
): readonly ContractChange[] {
  const toData = ({ envelope: { dataPath } }: DocumentFacts): string => dataPath.join('.') || 'none';
  const facts = [
    ['prefix-changed', 'prefix', 'the prefix of every path', old.prefix || 'none', now.prefix || 'none'],
    ['envelope-changed', 'data', 'the field of the data', toData(old), toData(now)],
    ['error-type-changed', 'failureType', 'the media type of errors', old.envelope.errorType, now.envelope.errorType],
    [
      'validation-status-changed',
      'validationStatus',
      'the status of an input that does not fit',
      `${old.envelope.validationStatus}`,
      `${now.envelope.validationStatus}`,
    ],
  ] as const;
  return [
    ...facts
      .filter(([, , , before, after]) => before !== after)
      .map(([rule, place, name, before, after]) => toServer(rule, [place, name], [before, after])),
    ...compareBodies(documents, [old, now]),
    ...compareTimeouts([old.timeoutMs, undefined], [now.timeoutMs, undefined]).map((change) => ({
      ...change,
      at: 'server.timeout',
    })),
    ...compareSwitch(['etag-added', 'etag-removed'], '`ETag` of responses to GET', [old.etag, now.etag]),
    ...compareSwitch(['calls-added', 'calls-removed'], 'the inferred client', [old.calls, now.calls]),
    ...compareCacheControl(old.cacheControl, now.cacheControl, 'server.cacheControl'),
    ...compareCors(old.cors, now.cors),
    ...compareLimits(old.bodyLimits, now.bodyLimits),
    ...compareQueues(old.queuePrefixes, now.queuePrefixes),
  ];
}

type Pair<Value> = readonly [old: Value, now: Value];

function toServer(rule: RuleId, [place, name]: Pair<string>, [before, after]: Pair<string>): ContractChange {
  const message = `${name} is ${after}, it was ${before}`;
  return toChange(rule, { at: `server.${place}`, message, before, after });
}

function compareSwitch(
  [added, removed]: Pair<RuleId>,
  name: string,
  [old = false, now = false]: Pair<boolean | undefined>,
): readonly ContractChange[] {
  if (old === now) return [];
  return [toChange(now ? added : removed, { at: 'server', message: `${name} is ${now ? 'on' : 'off'} now` })];
}

/**
 * Compares the fields beside the data and those of errors. Data in another place is a change of its own; agents are
 * told of both in another way.
 */
function compareBodies([before, after]: Pair<object>, [old, now]: Pair<DocumentFacts>): readonly ContractChange[] {
  const [success, other] = [old, now].map(({ envelope }) => toApiSchema(envelope.success));
  const isSamePath = `${old.envelope.dataPath}` === `${now.envelope.dataPath}`;
  const successes = isSamePath ? compareSchemas(success, other, { at: 'server.success', direction: 'output' }) : [];
  const [error, now_] = [before, after].map((document) => {
    const schemas = recordOf(recordOf(recordOf(document)['components'])['schemas']);
    return schemas['Error'] === undefined ? undefined : toApiSchema(schemas['Error'], document);
  });
  const errors = error && now_ ? compareSchemas(error, now_, { at: 'server.error', direction: 'output' }) : [];
  return [...successes, ...errors].map((change) => ({
    ...change,
    audience: change.audience.filter((who) => who !== 'agents'),
  }));
}

function compareCors(old: CorsFacts | false, now: CorsFacts | false): readonly ContractChange[] {
  if (old === false && now === false) return [];
  if (old === false) return [toChange('cors-wider', { at: 'server.cors', message: 'CORS is on now' })];
  if (now === false) return [toChange('cors-narrower', { at: 'server.cors', message: 'CORS is off now' })];
  const parts = [
    ['origin', old.origin, now.origin],
    ['methods', old.methods, now.methods],
    ['headers', old.headers, now.headers],
    ['exposeHeaders', old.exposeHeaders ?? '', now.exposeHeaders ?? ''],
    ['credentials', `${old.credentials}`, `${now.credentials}`],
  ] as const;
  return parts.flatMap(([name, before, after]): readonly ContractChange[] => {
    const [olds, news] = [toWords(before), toWords(after)];
    const isWider = news.includes('*') || after === 'true' || olds.every((word) => news.includes(word));
    if (olds.join() === news.join() || (isWider && news.every((word) => olds.includes(word)))) return [];
    const message = `\`${name}\` of CORS is ${after || 'none'}, it was ${before || 'none'}`;
    return [toChange(isWider ? 'cors-wider' : 'cors-narrower', { at: `server.cors.${name}`, message, before, after })];
  });
}

/** Their order and their case say nothing. */
function toWords(text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .split(',')
    .map((word) => word.trim());
  return words.filter((word) => word !== '').toSorted();
}

function compareLimits(old: BodyLimits, now: BodyLimits): readonly ContractChange[] {
  const [before, after] = [old.forms, now.forms];
  const change = { at: 'server.multipart', before: before ? 'taken' : 'refused', after: after ? 'taken' : 'refused' };
  const forms =
    before === undefined || after === undefined
      ? before === after
        ? []
        : [
            toChange(after ? 'body-limit-higher' : 'body-limit-lower', {
              ...change,
              message: `forms are ${change.after}`,
            }),
          ]
      : compareSizes(before, after);
  return [...compareSizes({ maxBodySize: old.maxBodySize }, { maxBodySize: now.maxBodySize }), ...forms];
}

function compareSizes<Name extends string>(
  old: Readonly<Record<Name, number>>,
  now: Readonly<Record<Name, number>>,
): readonly ContractChange[] {
  return (Object.keys(old) as Name[])
    .filter((name) => old[name] !== now[name])
    .map((name) => {
      const rule = now[name] < old[name] ? 'body-limit-lower' : 'body-limit-higher';
      return toServer(rule, [name, `\`${name}\``], [`${old[name]}`, `${now[name]}`]);
    });
}

function compareQueues(old: readonly string[] = [], now: readonly string[] = []): readonly ContractChange[] {
  const [before, after] = [old, now].map((prefixes) => prefixes.toSorted().join(', ') || 'none');
  if (before === undefined || after === undefined || before === after) return [];
  return [toServer('queue-renamed', ['queue', 'the prefix of the queue'], [before, after])];
}
