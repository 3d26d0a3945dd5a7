import { type ApiSchema, toObjectSchema } from '../document/branch.ts';
import { toGuardFacts, toRefusing } from '../document/facts.ts';
import { isSameJson } from '../document/fits-branch.ts';
import type {
  ApiContent,
  ApiOperation,
  ApiResponse,
  DocumentedError,
} from '../document/operations/api-operation.ts';
import { isAnything } from '../document/read-branches.ts';
import { toErrorText } from '../manifest/declared-error.ts';
import {
  type ContractChange,
  compareFacts,
  compareMembers,
  type Fact,
  toChange,
} from './changes/contract-change.ts';
import { compareContents, toMediaTypeFact } from './compare-contents.ts';
import { compareHeaders, compareLinks, ofContent, type Sent, standing } from './compare-headers.ts';
import { compareParts, compareSchemas, type SchemaPlace } from './schemas/compare-schemas.ts';

/** Compares the successes: statuses, media types, headers and data. The first one is what most callers get. */
export function compareResponses(old: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  const older = toSuccesses(old);
  const newer = toSuccesses(now);
  const [first] = older;
  const [firstNow] = newer;
  const anyStatus = compareAnyStatus(old, now);
  if (anyStatus !== undefined) return anyStatus;
  const same = pairStatuses(older, newer);
  const isPaired = (each: ApiResponse): boolean => same.flat().includes(each);
  const isMoved = first && firstNow && !isPaired(first) && !isPaired(firstNow);
  const pairs = isMoved ? [[first, firstNow] as const, ...same] : same;
  const toNames = (all: readonly ApiResponse[]): readonly string[] =>
    all.flatMap((each) =>
      (isMoved && all.indexOf(each) === 0) || (isPaired(each) && !isRange(each))
        ? []
        : [`success with ${each.status}`],
    );
  return [
    ...(isMoved ? [toStatusChange(first, firstNow)] : []),
    ...compareMembers(toNames(older), toNames(newer), {
      at: 'responses',
      added: 'response-status-added',
      removed: 'response-status-removed',
    }),
    ...pairs.flatMap(([response, responseNow]) => {
      if (old.facts === undefined)
        return compareForeignResponse(response, responseNow, now.document);
      const isMain = response === first && responseNow === firstNow;
      const at = isMain ? 'output' : `output.${responseNow.status}`;
      return compareResponse(response, responseNow, { at, root: now.document });
    }),
  ];
}

type WithStatus = Pick<ApiResponse, 'status'>;

/** Pairs what is sent with a status: with the same one of the other side, or with the range (`2XX`) that it is of. */
function pairStatuses<Sends extends WithStatus>(
  older: readonly Sends[],
  newer: readonly Sends[],
): readonly (readonly [old: Sends, now: Sends])[] {
  const pairs = older.flatMap((old) => {
    const now = findStatus(newer, old.status);
    return now === undefined ? [] : [[old, now] as const];
  });
  const fresh = newer.flatMap((now) => {
    const isKnown = older.some(({ status }) => status === now.status);
    const old = isKnown ? undefined : findStatus(older, now.status);
    return old === undefined ? [] : [[old, now] as const];
  });
  return [...pairs, ...fresh];
}

function findStatus<Sends extends WithStatus>(
  all: readonly Sends[],
  wanted: string,
): Sends | undefined {
  const range = `${wanted.slice(0, 1)}XX`;
  return (
    all.find(({ status }) => status === wanted) ??
    all.find(({ status }) => status.toUpperCase() === range)
  );
}

function isRange({ status }: WithStatus): boolean {
  return /^\dXX$/i.test(status);
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
  { at, root }: { readonly at: string; readonly root: object },
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
    ...(kinds.length > 0 ? kinds : compareTypes(old, now, { at })),
    ...compareHeaders(old, now, { at: `responses.${now.status}.headers`, hidden: standing, root }),
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
  root: object,
): readonly ContractChange[] {
  return compareParts({ before: old, after: now, root }, (component) => {
    const at = component ?? `output.${now.status}`;
    const place = component ?? `responses.${now.status}`;
    return [
      ...compareTypes(old, now, { at, component }),
      ...compareHeaders(old, now, { at: `${place}.headers`, hidden: ofContent, root }),
      ...compareLinks(old, now, { at: place, root, component }),
      ...compareContents(old.contents, now.contents, { at, direction: 'output' }),
    ];
  });
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

function compareTypes(
  old: Sent,
  now: Sent,
  { at, component }: { readonly at: string; readonly component?: string | undefined },
): readonly ContractChange[] {
  const name = component === undefined ? now.status : `\`${component}\``;
  const words = { at, label: `media type of ${name}` };
  const toFact = ({ contents }: Sent): Fact => toMediaTypeFact(contents, words);
  return compareFacts([toFact(old)], [toFact(now)]);
}

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
    errors.flatMap((error) => {
      const isKnown = known.includes(error) || known.includes(`${error.slice(0, 1)}XX`);
      return isKnown ? [] : [`error \`${error}\``];
    });
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
  const names = new Set(after.errors.map(({ name }) => name));
  const pairs = [...names].flatMap((wanted) => {
    const isOfName = ({ name }: DocumentedError): boolean => name === wanted;
    return pairStatuses(before.errors.filter(isOfName), after.errors.filter(isOfName));
  });
  return pairs.flatMap(([old, now]) =>
    compareParts({ before: old, after: now, root: after.document }, (component) =>
      compareError([before, old], [after, now], component),
    ),
  );
}

type ErrorSide = readonly [operation: ApiOperation, error: DocumentedError];

function compareError(
  [before, old]: ErrorSide,
  [after, now]: ErrorSide,
  component: string | undefined,
): readonly ContractChange[] {
  const at = component ?? `errors.${now.name ?? now.status}`;
  const older = findErrorsOf(before, old.status);
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
  const headersAt = { at: `${at}.headers`, hidden, root: after.document };
  const headers = isFirst ? compareHeaders(old, now, headersAt) : [];
  const place = { at, direction: 'output' } as const;
  const isWhole = (old.meta ?? now.meta) === undefined && areSame;
  if (before.facts === undefined && isWhole && isFirst)
    return [
      ...compareTypes(old, now, { at, component }),
      ...compareContents(old.contents, now.contents, place),
      ...headers,
    ];
  return [...compareSchemas(toBody(old), toBody(now), place), ...headers];
}

function findErrorsOf({ errors }: ApiOperation, wanted: string): readonly DocumentedError[] {
  return errors.filter(({ status }) => status === wanted);
}

function toSortedNames(errors: readonly DocumentedError[]): readonly string[] {
  return errors.map(({ name = '' }) => name).toSorted();
}
