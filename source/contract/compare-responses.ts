import type { ApiContent, ApiHeader, ApiOperation, ApiResponse, DocumentedError } from '../document/api-operation.ts';
import { type ApiSchema, toObjectSchema } from '../document/branch.ts';
import type { ErrorName, OperationFacts } from '../document/facts.ts';
import { toBranches } from '../document/read-branches.ts';
import { toErrorsText } from './compare-guards.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ContractChange } from './contract-change.ts';
import { toChange } from './rules.ts';
import type { SchemaPlace } from './schema-changes.ts';

/** Compares the successes: statuses, media types, headers and data. The first one is what most callers get. */
export function compareResponses(old: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  // Whoever asks whether a response changed knows 304.
  const [olds = [], news = []] = [old, now].map(({ responses }) => responses.filter(({ status }) => status !== '304'));
  const gone = olds.filter(({ status }) => !news.some((response) => response.status === status));
  const come = news.filter(({ status }) => !olds.some((response) => response.status === status));
  const [first, heir] = [gone[0], come[0]];
  const isMoved =
    first !== undefined && heir !== undefined && (olds.length === 1 || first === olds[0]) && heir === news[0];
  const moved = isMoved ? [[first, heir] as const] : [];
  const pairs = olds.flatMap((response) => {
    const same = news.find(({ status }) => status === response.status);
    return same === undefined ? [] : [[response, same] as const];
  });
  return [
    ...moved.map(([from, to]) =>
      toStatus('response-status-changed', to.status, `is answered with ${to.status}, it was ${from.status}`),
    ),
    ...gone
      .slice(moved.length)
      .map(({ status }) => toStatus('response-status-removed', status, `is not answered with ${status} any more`)),
    ...come
      .slice(moved.length)
      .map(({ status }) => toStatus('response-status-added', status, `may be answered with ${status}`)),
    ...[...pairs, ...moved].flatMap(([a, b]) => {
      const isFirst = old.facts !== undefined && a === olds[0] && b === news[0];
      const at = isFirst ? 'output' : `output.${b.status}`;
      // The tool writes one schema under all media types of a response.
      const others =
        old.facts === undefined ? compareOtherContents(a.contents, b.contents, { at, direction: 'output' }) : [];
      return [...compareResponse(a, b, at), ...others];
    }),
  ];
}

type StatusRule = 'response-status-added' | 'response-status-changed' | 'response-status-removed';

function toStatus(rule: StatusRule, status: string, message: string): ContractChange {
  return toChange(rule, { at: `responses.${status}`, message });
}

function compareResponse(old: ApiResponse, now: ApiResponse, at: string): readonly ContractChange[] {
  const headers = compareSchemas(toHeadersSchema(old.headers), toHeadersSchema(now.headers), {
    at: `responses.${now.status}.headers`,
    direction: 'output',
  }).map((change): ContractChange => ({ ...change, audience: ['http', 'client'] }));
  if (old.kind !== now.kind) {
    const message = `${now.status} is sent as ${now.kind}, it was ${old.kind}`;
    return [toChange('response-type-changed', { at, message, before: old.kind, after: now.kind }), ...headers];
  }
  return [
    ...compareTypes(old, now, at),
    ...headers,
    ...compareSchemas(toDeclared(old.data()), toDeclared(now.data()), { at, direction: 'output' }),
  ];
}

/** Compares what both sides have under media types beside their first one. */
export function compareOtherContents(
  olds: readonly ApiContent[],
  news: readonly ApiContent[],
  { at, direction }: SchemaPlace,
): readonly ContractChange[] {
  return news.flatMap(({ mediaType, schema }) => {
    const old = olds.find((content) => content.mediaType === mediaType);
    if (old === undefined || (old === olds[0] && mediaType === news[0]?.mediaType)) return [];
    return compareSchemas(old.schema, schema, { at: `${at} as ${mediaType}`, direction });
  });
}

/** A schema that admits anything declares nothing, unless it is of values that JSON Schema has no word for. */
function toDeclared(schema: ApiSchema | undefined): ApiSchema | undefined {
  if (schema === undefined) return undefined;
  const [only, ...others] = toBranches(schema);
  const isAny = others.length === 0 && only?.type === 'any' && Object.keys(only.others).length === 0;
  return isAny && !only.checks.some((check) => check.startsWith('value ')) ? undefined : schema;
}

type WithContents = Pick<ApiResponse, 'status' | 'contents'>;

function compareTypes(old: WithContents, now: WithContents, at: string): readonly ContractChange[] {
  const [olds, news] = [old, now].map(({ contents }) => contents.map(({ mediaType }) => mediaType));
  if (olds === undefined || news === undefined) return [];
  const [lost, come] = [olds.filter((type) => !news.includes(type)), news.filter((type) => !olds.includes(type))];
  if (lost.length + come.length === 0) return [];
  const rule = lost.length === 0 ? 'added' : come.length === 0 ? 'removed' : 'changed';
  const [before, after] = [olds.join(', ') || 'none', news.join(', ') || 'none'];
  const message = `${now.status} is sent as ${after}, it was ${before}`;
  return [toChange(`response-type-${rule}`, { at, message, before, after })];
}

/**
 * Headers are read like the fields of an object. Those that stand on responses of every server are told where they are
 * declared.
 */
function toHeadersSchema(headers: readonly ApiHeader[]): ApiSchema {
  return toObjectSchema(headers.filter(({ name }) => !standing.test(name)));
}

const standing = /^(x-request-id|ratelimit.*|retry-after|etag|cache-control|vary|deprecation|sunset|link|idempoten.*)$/;

export interface CompareErrorsOptions {
  /** Whether guards came or went, with whom their errors are told. */
  readonly isGuarded: boolean;
  /** Whether both sides write errors in the same envelope: another one is a change of all. */
  readonly isSameEnvelope: boolean;
}

/** Compares the errors that are declared, and what they carry. */
export function compareErrors(
  old: ApiOperation,
  now: ApiOperation,
  { isGuarded, isSameEnvelope }: CompareErrorsOptions,
): readonly ContractChange[] {
  const [olds, news] = [findErrors(old, isGuarded ? now : undefined), findErrors(now, isGuarded ? old : undefined)];
  const [all, others] = [findErrors(old), findErrors(now)];
  const texts = { at: 'errors', before: all.join(', ') || 'none', after: others.join(', ') || 'none' };
  return [
    ...news
      .filter((error) => !all.includes(error))
      .map((error) => toChange('error-added', { ...texts, message: `error \`${error}\` was added` })),
    ...olds
      .filter((error) => !others.includes(error))
      .map((error) => toChange('error-removed', { ...texts, message: `error \`${error}\` was removed` })),
    ...(isSameEnvelope ? compareBodies([old.errors, now.errors], old.facts !== undefined) : []),
  ];
}

/** Any call may end in these, whether they are declared or not. */
const ofEveryCall = new Set(['500 Internal', '504 Timeout']);
const ofEveryServer: ReadonlySet<string> = new Set(['400', '405', '413', '415', '500', '503', '504', 'default']);

/** `404 NotFound`, those of guards that only one side has left out where `other` is given. */
function findErrors({ facts, errors }: ApiOperation, other?: ApiOperation): readonly string[] {
  if (facts === undefined)
    return errors.flatMap(({ status, name = '' }) => (ofEveryServer.has(status) ? [] : [`${status} ${name}`.trim()]));
  const steps = [...facts.guards, ...facts.inputGuards].filter(
    ({ name }) => other?.facts === undefined || hasStep(other.facts, name),
  );
  const declared: readonly ErrorName[] = [facts, ...steps, ...facts.enhancers].flatMap((each) => each.errors);
  return [...new Set(declared.map(toErrorsText))].filter((error) => !ofEveryCall.has(error));
}

function hasStep({ guards, inputGuards }: OperationFacts, name: string): boolean {
  return [...guards, ...inputGuards].some((step) => step.name === name);
}

/** The bodies of errors that both sides have: what each carries, and the media types and headers of its status. */
function compareBodies(
  [olds, news]: readonly [readonly DocumentedError[], readonly DocumentedError[]],
  isOwn: boolean,
): readonly ContractChange[] {
  const told = new Set<string>();
  return news.flatMap((now): readonly ContractChange[] => {
    const old = olds.find(({ status, name }) => status === now.status && name === now.name);
    if (old === undefined) return [];
    const at = `errors.${now.name ?? now.status}`;
    const toNames = (errors: readonly DocumentedError[]): string =>
      errors
        .flatMap(({ status, name }) => (status === now.status ? [name] : []))
        .toSorted()
        .join();
    const isAlike = toNames(olds) === toNames(news);
    const bodies = compareSchemas(toBody(old, now, isAlike), toBody(now, old, isAlike), { at, direction: 'output' });
    if (told.has(now.status)) return bodies;
    told.add(now.status);
    const headers = [toHeadersSchema(old.headers), toHeadersSchema(now.headers)] as const;
    return [
      ...bodies,
      // The tool writes all errors of a server in one media type.
      ...(isOwn ? [] : compareTypes(old, now, at)),
      ...compareSchemas(...headers, { at: `${at}.headers`, direction: 'output' }),
    ];
  });
}

/**
 * The fields of an error beside its name; where neither side says that, the whole body, which several errors of a
 * status share.
 */
function toBody({ meta, hasMeta, contents }: DocumentedError, other: DocumentedError, isAlike: boolean) {
  if (meta === undefined && other.meta === undefined) return isAlike ? contents[0]?.schema : undefined;
  return toObjectSchema(meta === undefined ? [] : [{ name: 'meta', isRequired: hasMeta, schema: meta }]);
}
