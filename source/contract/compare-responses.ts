import type { ApiContent, ApiHeader, ApiOperation, ApiResponse, DocumentedError } from '../document/api-operation.ts';
import { type ApiSchema, toObjectSchema } from '../document/branch.ts';
import { toBranches } from '../document/read-branches.ts';
import { compareFact, compareMembers } from './compare-facts.ts';
import { toErrorsText } from './compare-guards.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ContractChange } from './contract-change.ts';
import { toChange } from './rules.ts';
import type { SchemaPlace } from './schema-changes.ts';

/** Compares the successes: statuses, media types, headers and data. The first one is what most callers get. */
export function compareResponses(old: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  // Whoever asks whether a response changed knows 304.
  const [olds = [], news = []] = [old, now].map(({ responses }) => responses.filter(({ status }) => status !== '304'));
  const [statuses, others] = [olds, news].map((all) => all.map(({ status }) => status)) as [string[], string[]];
  const [first = '', heir = ''] = [statuses[0], others[0]];
  const isMoved = olds.length > 0 && news.length > 0 && !others.includes(first) && !statuses.includes(heir);
  const message = `is answered with ${heir}, it was ${first}`;
  const toNames = (all: readonly string[]): readonly string[] =>
    (isMoved ? all.slice(1) : all).map((status) => `success with ${status}`);
  return [
    ...(isMoved ? [toChange('response-status-changed', { at: `responses.${heir}`, message })] : []),
    ...compareMembers(toNames(statuses), toNames(others), {
      at: 'responses',
      added: 'response-status-added',
      removed: 'response-status-removed',
    }),
    ...olds.flatMap((response) => {
      const isFirst = response === olds[0];
      const same = news.find(({ status }) => status === (isFirst && isMoved ? heir : response.status));
      const at = old.facts !== undefined && isFirst && same === news[0] ? 'output' : `output.${same?.status ?? ''}`;
      return same === undefined ? [] : compareResponse(response, same, { at, isOwn: old.facts !== undefined });
    }),
  ];
}

function compareResponse(
  old: ApiResponse,
  now: ApiResponse,
  { at, isOwn }: { readonly at: string; readonly isOwn: boolean },
): readonly ContractChange[] {
  const place = { at, direction: 'output' } as const;
  const kinds = compareFact(
    { at, name: `content of ${now.status}`, rule: 'response-type-changed' },
    old.kind,
    now.kind,
  );
  const headers = compareHeaders(old, now, `responses.${now.status}.headers`);
  return [
    ...(kinds.length > 0 ? kinds : compareTypes(old, now, at)),
    ...headers.map((change): ContractChange => ({ ...change, audience: ['http', 'client'] })),
    ...(kinds.length > 0 ? [] : compareSchemas(toDeclared(old.data()), toDeclared(now.data()), place)),
    // The tool writes one schema under all media types of a response.
    ...(isOwn ? [] : compareOtherContents(old.contents, now.contents, place)),
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

type Sent = Pick<ApiResponse, 'status' | 'contents' | 'headers'>;

function compareTypes(old: Sent, now: Sent, at: string): readonly ContractChange[] {
  const rule = { less: 'response-type-removed', more: 'response-type-added', other: 'response-type-changed' } as const;
  const toTypes = ({ contents }: Sent) => new Set(contents.map(({ mediaType }) => mediaType));
  return compareFact({ at, name: `media type of ${now.status}`, rule }, toTypes(old), toTypes(now));
}

/** Headers are read like the fields of an object. */
function compareHeaders(old: Sent, now: Sent, at: string): readonly ContractChange[] {
  const toSchema = (headers: readonly ApiHeader[]) =>
    toObjectSchema(headers.filter(({ name }) => !standing.test(name)));
  return compareSchemas(toSchema(old.headers), toSchema(now.headers), { at, direction: 'output' });
}

/** Headers on responses of every server, which are told where they are declared. */
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
  const [all, others] = [findErrors(old), findErrors(now)];
  const rules = { at: 'errors', added: 'error-added', removed: 'error-removed' } as const;
  const texts = { before: all.join(', ') || 'none', after: others.join(', ') || 'none' };
  // Errors of guards that only one side has are told with the guards.
  const [olds, news] = isGuarded ? [findErrors(old, now), findErrors(now, old)] : [all, others];
  const toNames = (errors: readonly string[]): readonly string[] => errors.map((error) => `error \`${error}\``);
  const isKnown = (error: string): boolean => all.includes(error) && others.includes(error);
  return [
    ...compareMembers(
      toNames(olds.filter((error) => !isKnown(error))),
      toNames(news.filter((error) => !isKnown(error))),
      { ...rules, ...texts },
    ),
    ...(isSameEnvelope ? compareErrorBodies(old, now) : []),
  ];
}

/** Any call may end in these, whether they are declared or not. */
const ofEveryCall = new Set(['500 Internal', '504 Timeout']);
const ofEveryServer: ReadonlySet<string> = new Set(['400', '405', '413', '415', '500', '503', '504', 'default']);

/** `404 NotFound`, without those of guards that `other` has not. */
function findErrors({ facts, errors }: ApiOperation, other?: ApiOperation): readonly string[] {
  if (facts === undefined)
    return errors.flatMap(({ status, name = '' }) => (ofEveryServer.has(status) ? [] : [`${status} ${name}`.trim()]));
  const toSteps = ({ guards, inputGuards }: NonNullable<ApiOperation['facts']>) => [...guards, ...inputGuards];
  const known = other?.facts && new Set(toSteps(other.facts).map(({ name }) => name));
  const steps = toSteps(facts).filter(({ name }) => known === undefined || known.has(name));
  const declared = [facts, ...steps, ...facts.enhancers].flatMap((each) => each.errors.map(toErrorsText));
  return [...new Set(declared)].filter((error) => !ofEveryCall.has(error));
}

/** The bodies of errors that both sides have: what each carries, and the media types and headers of its status. */
function compareErrorBodies(before: ApiOperation, after: ApiOperation): readonly ContractChange[] {
  const [olds, news] = [before.errors, after.errors];
  return news.flatMap((now, index): readonly ContractChange[] => {
    const old = olds.find(({ status, name }) => status === now.status && name === now.name);
    if (old === undefined) return [];
    const at = `errors.${now.name ?? now.status}`;
    const namesOf = (errors: readonly DocumentedError[]): string =>
      `${errors.flatMap(({ status, name }) => (status === now.status ? [name] : [])).toSorted()}`;
    const isAlike = namesOf(olds) === namesOf(news);
    const bodies = compareSchemas(toBody(old, now, isAlike), toBody(now, old, isAlike), { at, direction: 'output' });
    const isFirst = news.findIndex(({ status }) => status === now.status) === index;
    if (!isFirst) return bodies;
    // The tool writes all errors of a server in one media type.
    const types = before.facts === undefined ? compareTypes(old, now, at) : [];
    return [...bodies, ...types, ...compareHeaders(old, now, `${at}.headers`)];
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
