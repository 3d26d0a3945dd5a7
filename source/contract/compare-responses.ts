import type {
  ApiContent,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  DocumentedError,
} from '../document/api-operation.ts';
import { type ApiSchema, toObjectSchema } from '../document/branch.ts';
import { isSameJson } from '../document/fits-branch.ts';
import { isAnything } from '../document/read-branches.ts';
import { toErrorText } from '../manifest/declared-error.ts';
import { type ContractChange, overHttp } from './changes/contract-change.ts';
import { toChange } from './changes/rules.ts';
import { compareContents, toNamedContents } from './compare-contents.ts';
import { compareFacts, compareMembers, type Fact } from './compare-facts.ts';
import { toGuardFacts } from './compare-guards.ts';
import { compareSchemas, type SchemaPlace } from './schemas/compare-schemas.ts';

/** Compares the successes: statuses, media types, headers and data. The first one is what most callers get. */
export function compareResponses(old: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  // Whoever asks whether a response changed knows 304.
  const [olds = [], news = []] = [old, now].map(({ responses }) =>
    responses.filter(({ status }) => status !== '304'),
  );
  const [first, heir] = [olds[0], news[0]];
  const find = (all: readonly ApiResponse[], wanted?: string) =>
    all.find(({ status }) => status === wanted);
  const isMoved = first && heir && !find(news, first.status) && !find(olds, heir.status);
  const toNames = (all: readonly ApiResponse[]): readonly string[] =>
    (isMoved ? all.slice(1) : all).map(({ status }) => `success with ${status}`);
  const rules = ['response-status-added', 'response-status-removed'] as const;
  const message = `is answered with ${heir?.status}, it was ${first?.status}`;
  return [
    ...(isMoved
      ? [toChange('response-status-changed', { at: `responses.${heir.status}`, message })]
      : []),
    ...compareMembers(toNames(olds), toNames(news), { at: 'responses', rules }),
    ...olds.flatMap((response) => {
      const same = isMoved && response === first ? heir : find(news, response.status);
      if (same === undefined) return [];
      const at =
        old.facts !== undefined && response === first && same === heir
          ? 'output'
          : `output.${same.status}`;
      return old.facts === undefined
        ? compareForeignResponse(response, same, at)
        : compareResponse(response, same, at);
    }),
  ];
}

function compareResponse(
  old: ApiResponse,
  now: ApiResponse,
  at: string,
): readonly ContractChange[] {
  const place = { at, direction: 'output' } as const;
  const toKind = ({ kind }: ApiResponse): Fact => [
    'response-type-changed',
    at,
    `content of ${now.status}`,
    kind,
  ];
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
  const toNames = ({ links }: ApiResponse) => links.map((link) => `link \`${link}\``);
  return [
    ...compareTypes(old, now, at),
    ...compareHeaders(old, now, { at: `${place.at}.headers`, hidden: ofContent }).map((change) => ({
      ...change,
      audience: overHttp,
    })),
    ...compareMembers(toNames(old), toNames(now), {
      ...place,
      rules: ['link-added', 'link-removed'],
    }),
    ...compareContents(old.contents, now.contents, { at, direction: 'output' }),
  ];
}

/** Compares the contents of media types that both sides have, where they are not those of the first one. */
function compareOtherContents(
  olds: readonly ApiContent[],
  news: readonly ApiContent[],
  { at, direction }: SchemaPlace,
): readonly ContractChange[] {
  return news.flatMap(({ mediaType, schema }) => {
    const old = olds.find((content) => content.mediaType === mediaType);
    const isMain =
      isSameJson(old?.schema.json, olds[0]?.schema.json) &&
      isSameJson(schema.json, news[0]?.schema.json);
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
  const classes = { more: 'risky' } as const;
  const toFact = ({ contents }: Sent): Fact => {
    const types = new Set(toNamedContents(contents).map(({ name }) => name));
    return ['response-type-changed', at, `media type of ${now.status}`, types, { classes }];
  };
  return compareFacts([toFact(old)], [toFact(now)]);
}

/** Headers are read like the fields of an object. `hidden`: those that are told elsewhere. */
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

/** Headers on responses of every server of ours, which are told where they are declared. */
const standing =
  /^(x-request-id|ratelimit.*|retry-after|etag|cache-control|vary|deprecation|sunset|link|idempoten.*)$/;

/** Compares the names of errors. `isGuarded`: whether guards came or went, with whom their errors are told. */
export function compareErrors(
  old: ApiOperation,
  now: ApiOperation,
  isGuarded: boolean,
): readonly ContractChange[] {
  const [all, others] = [findErrors(old), findErrors(now)];
  const [olds, news] = isGuarded ? [findErrors(old, now), findErrors(now, old)] : [all, others];
  const toNames = (errors: readonly string[], known: readonly string[]) =>
    errors.flatMap((error) => (known.includes(error) ? [] : [`error \`${error}\``]));
  const texts = {
    at: 'errors',
    before: all.join(', ') || 'none',
    after: others.join(', ') || 'none',
  };
  const rules = ['error-added', 'error-removed'] as const;
  return compareMembers(toNames(olds, others), toNames(news, all), { rules, ...texts });
}

/** Any call may end in these, whether they are declared or not. */
const ofEveryCall: ReadonlySet<string> = new Set(['500 Internal', '504 Timeout']);
const ofEveryServer: ReadonlySet<string> = new Set([
  '400',
  '405',
  '413',
  '415',
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
  const known = other && new Set(toGuardFacts(other).map(({ name }) => name));
  const steps = toGuardFacts(operation).filter(
    ({ name }) => known === undefined || known.has(name),
  );
  const declared = [facts, ...steps, ...facts.enhancers].flatMap((each) =>
    each.errors.map(toErrorText),
  );
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
    const [olds = [], news = []] = [before, after].map(({ errors }) =>
      errors.filter((e) => e.status === now.status),
    );
    const [names, others] = [olds, news].map((errors) =>
      errors.map(({ name = '' }) => name).toSorted(),
    );
    const toBody = ({ meta, hasMeta, contents }: DocumentedError): ApiSchema | undefined => {
      if (meta !== undefined)
        return toObjectSchema([{ name: 'meta', isRequired: hasMeta, schema: meta }]);
      if ((old.meta ?? now.meta) !== undefined) return toObjectSchema([]);
      // Several errors of a status share a body.
      return isSameJson(names, others) ? contents[0]?.schema : undefined;
    };
    const isFirst = now === news[0];
    const hidden = before.facts === undefined ? ofContent : standing;
    const headers = isFirst ? compareHeaders(old, now, { at: `${at}.headers`, hidden }) : [];
    const place = { at, direction: 'output' } as const;
    const isWhole = (old.meta ?? now.meta) === undefined && isSameJson(names, others);
    if (before.facts === undefined && isWhole && isFirst)
      return [
        ...compareTypes(old, now, at),
        ...compareContents(old.contents, now.contents, place),
        ...headers,
      ];
    return [...compareSchemas(toBody(old), toBody(now), place), ...headers];
  });
}
