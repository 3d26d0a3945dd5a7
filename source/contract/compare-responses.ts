import { type ApiSchema, toObjectSchema } from '../document/branch.ts';
import { toGuardFacts, toRefusing } from '../document/facts.ts';
import { isSameJson } from '../document/fits-branch.ts';
import type {
  ApiContent,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  DocumentedError,
} from '../document/operations/api-operation.ts';
import { isAnything } from '../document/read-branches.ts';
import { toSortedText } from '../document/sorted-json.ts';
import { toErrorText } from '../manifest/declared-error.ts';
import { type ContractChange, overHttp } from './changes/contract-change.ts';
import { toChange } from './changes/rules.ts';
import { compareContents, toMediaTypeFact } from './compare-contents.ts';
import { compareFacts, compareMembers, type Fact } from './compare-facts.ts';
import { compareSchemas, type SchemaPlace } from './schemas/compare-schemas.ts';

/** Compares the successes: statuses, media types, headers and data. The first one is what most callers get. */
export function compareResponses(old: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  const older = toSuccesses(old);
  const newer = toSuccesses(now);
  const [first] = older;
  const [firstNow] = newer;
  const find = (all: readonly ApiResponse[], wanted: string) =>
    all.find(({ status }) => status === wanted);
  const isMoved = first && firstNow && !find(newer, first.status) && !find(older, firstNow.status);
  const toNames = (all: readonly ApiResponse[]): readonly string[] =>
    (isMoved ? all.slice(1) : all).map(({ status }) => `success with ${status}`);
  const anyStatus = compareAnyStatus(old, now);
  if (anyStatus !== undefined) return anyStatus;
  return [
    ...(isMoved ? [toStatusChange(first, firstNow)] : []),
    ...compareMembers(toNames(older), toNames(newer), {
      at: 'responses',
      added: 'response-status-added',
      removed: 'response-status-removed',
    }),
    ...older.flatMap((response) => {
      const same = isMoved && response === first ? firstNow : find(newer, response.status);
      if (same === undefined) return [];
      if (old.facts === undefined)
        return compareForeignResponse(response, same, `output.${same.status}`);
      const isMain = response === first && same === firstNow;
      return compareResponse(response, same, isMain ? 'output' : `output.${same.status}`);
    }),
  ];
}

/**
 * Where a document of others has no success but `default`, that is what an operation answers, whatever the status.
 * Undefined where both sides name statuses of success, or none.
 */
function compareAnyStatus(
  old: ApiOperation,
  now: ApiOperation,
): readonly ContractChange[] | undefined {
  if (old.facts !== undefined) return undefined;
  const [named] = toSuccesses(old);
  const [namedNow] = toSuccesses(now);
  const any = findDefault(old);
  const anyNow = findDefault(now);
  // Where both have a default, it is compared with itself.
  const isOne = any !== undefined && anyNow !== undefined;
  if (named === undefined && namedNow !== undefined && any !== undefined)
    return [
      toChange('response-status-removed', {
        at: `responses.${namedNow.status}`,
        message: `is answered with ${namedNow.status}, it was any status`,
      }),
      ...(isOne ? [] : compareAnyBody(any, namedNow, namedNow.status)),
    ];
  if (named !== undefined && namedNow === undefined && anyNow !== undefined)
    return [
      toChange('response-status-added', {
        at: `responses.${named.status}`,
        message: `is answered with any status, it was ${named.status}`,
      }),
      ...(isOne ? [] : compareAnyBody(named, anyNow, named.status)),
    ];
  return undefined;
}

function compareAnyBody(old: Sent, now: Sent, status: string): readonly ContractChange[] {
  const place = { at: `output.${status}`, direction: 'output' } as const;
  return compareContents(old.contents, now.contents, place);
}

function findDefault({ errors }: ApiOperation): DocumentedError | undefined {
  return errors.find(({ status }) => status === 'default');
}

/** Without 304 and 206, which only callers get that send a condition (`if-none-match`) or ask for a part (`range`). */
function toSuccesses({ responses }: ApiOperation): readonly ApiResponse[] {
  return responses.filter(({ status }) => status !== '304' && status !== '206');
}

function toStatusChange(old: ApiResponse, now: ApiResponse): ContractChange {
  const message = `is answered with ${now.status}, it was ${old.status}`;
  return toChange('response-status-changed', { at: `responses.${now.status}`, message });
}

function compareResponse(
  old: ApiResponse,
  now: ApiResponse,
  at: string,
): readonly ContractChange[] {
  const place = { at, direction: 'output' } as const;
  const toKind = ({ kind }: ApiResponse): Fact => ({
    id: 'kind',
    rule: 'response-type-changed',
    at,
    label: `content of ${now.status}`,
    value: kind,
  });
  const kinds = compareFacts([toKind(old)], [toKind(now)]);
  return [
    ...(kinds.length > 0 ? kinds : compareTypes(old, now, at)),
    ...compareHeaders(old, now, {
      at: `responses.${now.status}.headers`,
      hidden: standing,
    }).map((change) => ({
      ...change,
      audience: overHttp,
    })),
    ...(kinds.length > 0
      ? []
      : compareSchemas(toDeclared(old.data()), toDeclared(now.data()), place)),
    ...compareOtherContents(old.contents, now.contents, place),
  ];
}

/** A response of a document of others has a body of each media type. */
function compareForeignResponse(
  old: ApiResponse,
  now: ApiResponse,
  at: string,
): readonly ContractChange[] {
  const place = { at: `responses.${now.status}`, audience: overHttp };
  const toNames = ({ links }: ApiResponse) => links.map(({ name }) => `link \`${name}\``);
  return [
    ...compareTypes(old, now, at),
    ...compareHeaders(old, now, { at: `${place.at}.headers`, hidden: ofContent }).map((change) => ({
      ...change,
      audience: overHttp,
    })),
    ...compareMembers(toNames(old), toNames(now), {
      ...place,
      added: 'link-added',
      removed: 'link-removed',
    }),
    ...compareFacts(toLinkFacts(old, place.at), toLinkFacts(now, place.at)).map((change) => ({
      ...change,
      audience: overHttp,
    })),
    ...compareContents(old.contents, now.contents, { at, direction: 'output' }),
  ];
}

function toLinkFacts({ links }: ApiResponse, at: string): readonly Fact[] {
  return links.map(({ name, target }) => ({
    id: name,
    rule: 'link-removed',
    at,
    label: `target of link \`${name}\``,
    value: toSortedText(target),
    classes: { other: 'risky' },
  }));
}

/** Compares the contents of media types that both sides have, where they are not those of the first one. */
function compareOtherContents(
  older: readonly ApiContent[],
  newer: readonly ApiContent[],
  { at, direction }: SchemaPlace,
): readonly ContractChange[] {
  return newer.flatMap(({ mediaType, schema }) => {
    const old = older.find((content) => content.mediaType === mediaType);
    const isMain =
      isSameJson(old?.schema.json, older[0]?.schema.json) &&
      isSameJson(schema.json, newer[0]?.schema.json);
    if (old === undefined || isMain) return [];
    return compareSchemas(old.schema, schema, { at: `${at} as ${mediaType}`, direction });
  });
}

/** A schema that admits anything declares nothing. */
function toDeclared(schema: ApiSchema | undefined): ApiSchema | undefined {
  return schema === undefined || isAnything(schema) ? undefined : schema;
}

type Sent = Pick<ApiResponse, 'status' | 'contents' | 'headers'>;

function compareTypes(old: Sent, now: Sent, at: string): readonly ContractChange[] {
  const words = { at, label: `media type of ${now.status}` };
  const toFact = ({ contents }: Sent): Fact => toMediaTypeFact(contents, words);
  return compareFacts([toFact(old)], [toFact(now)]);
}

/** Compares headers like the fields of an object. `hidden` are those that are compared elsewhere. */
function compareHeaders(
  old: Sent,
  now: Sent,
  { at, hidden }: { readonly at: string; readonly hidden: RegExp },
): readonly ContractChange[] {
  const root = [...old.headers, ...now.headers][0]?.schema.root;
  const toSchema = (headers: readonly ApiHeader[]) => {
    const schema = toObjectSchema(headers.filter(({ name }) => !hidden.test(name)));
    return { ...schema, root: schema.root ?? root };
  };
  return compareSchemas(toSchema(old.headers), toSchema(now.headers), { at, direction: 'output' });
}

/** OpenAPI says it of the content: as a header it is ignored. */
const ofContent = /^content-type$/;

/** Headers on responses of every server of capix. They are reported where they are declared. */
const standing =
  /^(x-request-id|ratelimit.*|retry-after|etag|cache-control|vary|deprecation|sunset|link|idempoten.*)$/;

/**
 * Compares the names of errors. `isGuarded`: guards came or went, and these changes stand for the errors of the guards.
 */
export function compareErrors(
  old: ApiOperation,
  now: ApiOperation,
  isGuarded: boolean,
): readonly ContractChange[] {
  const older = findErrors(old);
  const newer = findErrors(now);
  const lost = isGuarded ? findErrors(old, now) : older;
  const added = isGuarded ? findErrors(now, old) : newer;
  const toNames = (errors: readonly string[], known: readonly string[]) =>
    errors.flatMap((error) => (known.includes(error) ? [] : [`error \`${error}\``]));
  return compareMembers(toNames(lost, newer), toNames(added, older), {
    at: 'errors',
    added: 'error-added',
    removed: 'error-removed',
    before: older.join(', ') || 'none',
    after: newer.join(', ') || 'none',
  });
}

/** Any call may end in these, whether they are declared or not. */
const ofEveryCall: ReadonlySet<string> = new Set(['500 Internal', '504 Timeout']);
const ofEveryServer: ReadonlySet<string> = new Set([
  '400',
  '405',
  '413',
  '415',
  '416',
  '500',
  '503',
  '504',
  'default',
]);

/** `404 NotFound`, without those of guards that `other` has not. */
function findErrors(operation: ApiOperation, other?: ApiOperation): readonly string[] {
  const { facts, errors } = operation;
  if (facts === undefined)
    return errors.flatMap(({ status, name = '' }) =>
      ofEveryServer.has(status) ? [] : [`${status} ${name}`.trim()],
    );
  const known = other && new Set(toGuardFacts(other.facts).map(({ name }) => name));
  const steps = toGuardFacts(facts).filter(({ name }) => known === undefined || known.has(name));
  const refusing = toRefusing(facts);
  const others = facts.enhancers.filter((each) => !refusing.includes(each));
  const declared = [facts, ...steps, ...others].flatMap((each) => each.errors.map(toErrorText));
  return [...new Set(declared)].filter((error) => !ofEveryCall.has(error));
}

/** The bodies of errors that both sides have: what each carries, and the media types and headers of its status. */
export function compareErrorBodies(
  before: ApiOperation,
  after: ApiOperation,
): readonly ContractChange[] {
  return after.errors.flatMap((now): readonly ContractChange[] => {
    const old = before.errors.find(
      ({ status, name }) => status === now.status && name === now.name,
    );
    if (old === undefined) return [];
    const at = `errors.${now.name ?? now.status}`;
    const older = findErrorsOf(before, now.status);
    const newer = findErrorsOf(after, now.status);
    const areSame = isSameJson(toSortedNames(older), toSortedNames(newer));
    const toBody = ({ meta, hasMeta, contents }: DocumentedError): ApiSchema | undefined => {
      if (meta !== undefined)
        return toObjectSchema([{ name: 'meta', isRequired: hasMeta, schema: meta }]);
      if ((old.meta ?? now.meta) !== undefined) return toObjectSchema([]);
      // Several errors of a status share a body.
      return areSame ? contents[0]?.schema : undefined;
    };
    const isFirst = now === newer[0];
    const hidden = before.facts === undefined ? ofContent : standing;
    const headers = isFirst ? compareHeaders(old, now, { at: `${at}.headers`, hidden }) : [];
    const place = { at, direction: 'output' } as const;
    const isWhole = (old.meta ?? now.meta) === undefined && areSame;
    if (before.facts === undefined && isWhole && isFirst)
      return [
        ...compareTypes(old, now, at),
        ...compareContents(old.contents, now.contents, place),
        ...headers,
      ];
    return [...compareSchemas(toBody(old), toBody(now), place), ...headers];
  });
}

function findErrorsOf({ errors }: ApiOperation, wanted: string): readonly DocumentedError[] {
  return errors.filter(({ status }) => status === wanted);
}

function toSortedNames(errors: readonly DocumentedError[]): readonly string[] {
  return errors.map(({ name = '' }) => name).toSorted();
}
