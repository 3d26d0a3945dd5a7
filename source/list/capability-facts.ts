import { KEY_HEADER } from '../../server-runtime/enhancers/with-idempotency.ts';
import type { RouteRule } from '../../server-runtime/routing/route.ts';
import { type AnswerFacts, type ErrorName, findDocumentFacts } from '../document/facts.ts';
import type { ApiResponse, Credential } from '../document/operations/api-operation.ts';
import { readWebSockets } from '../document/operations/read-web-sockets.ts';
import type { SchemaField } from '../document/schema-fields.ts';
import { toTypeText } from '../document/type-text.ts';
import { findDeclaredErrors, toErrorText } from '../manifest/declared-error.ts';
import { hasRoute, type Listed, type Manifest, toJobs } from '../manifest/manifest.ts';
import { findShorterRoute } from '../manifest/shorter-route.ts';
import { toJobTexts } from '../manifest/to-job-texts.ts';

/** One fact about a capability, in words. Text of the user is as it was written. */
export interface Fact {
  readonly label: string;
  /** At least one. */
  readonly values: readonly string[];
}

/** Everything that is known of a capability beside its schemas, in the order of the page. */
export function toFacts(capability: Listed, manifest: Pick<Manifest, 'document'>): readonly Fact[] {
  const { key, facts } = capability;
  const { deprecation, enhancers, source } = facts;
  const { job } = toJobs(manifest).find((each) => each.key === key) ?? {};
  const isCalled = hasRoute(capability);
  const entries: readonly (readonly [label: string, values: readonly string[]])[] = [
    ...(isCalled ? toRouteEntries(capability) : []),
    ['WebSocket', isCalled ? toWebSocketTexts(key, manifest) : []],
    ['GraphQL', facts.graphqlField === undefined ? [] : [facts.graphqlField]],
    ['Job', job === undefined ? [] : toJobTexts(job)],
    ['Intent', [toIntentText(capability)]],
    ['Guards', toGuardTexts(capability)],
    ['Enhancers', enhancers.map(({ name, settings }) => withDetails(name, toSettings(settings)))],
    ['Answers', toAnswerTexts(capability)],
    ['Errors', toErrorTexts(capability)],
    ['Caching', isCalled ? toCachingTexts(capability, manifest) : []],
    ['Deprecated', deprecation ? [toDeprecationText(deprecation)] : []],
    ['Agents', isCalled ? toAgentTexts(capability) : []],
    ['Source', source ? [`${source.file}:${source.line}`] : []],
  ];
  return entries
    .map(([label, values]) => ({ label, values }))
    .filter(({ values }) => values.length > 0);
}

function toRouteEntries(capability: Listed) {
  const { key, method, path, otherRoutes, facts } = capability;
  return [
    ['Route', [`${method} ${path}`]],
    ['Also', otherRoutes.map((other) => `${other.method} ${other.path}`)],
    ['Takes', toTakenTexts(capability)],
    ['Because', facts.rule ? [toRouteReason(key, facts.rule), ...toAdvice(capability)] : []],
  ] as const;
}

/** ``/_call, method `users.getUser`, subprotocol capix.v1; `capix call users.getUser --server --ws` ``. */
function toWebSocketTexts(
  key: string,
  { document }: Pick<Manifest, 'document'>,
): readonly string[] {
  const called = `capix call ${key} --server --ws`;
  return readWebSockets(document).map(
    ({ path, protocols: [protocol] }) =>
      `${path}, method \`${key}\`, subprotocol ${protocol}; \`${called}\``,
  );
}

/** Why a capability has its route: "`getUser` starts with `get` and the input has `id`." */
function toRouteReason(key: string, rule: RouteRule): string {
  return `\`${key.split('.').at(-1)}\` ${toRuleText(rule)}.`;
}

/** The route to write where the inferred one says the group twice. */
function toAdvice(capability: Listed): readonly string[] {
  const shorter = findShorterRoute(capability);
  return shorter === undefined ? [] : [`It says the group twice. Shorter: ${shorter}`];
}

function toRuleText(rule: RouteRule): string {
  if ('intent' in rule) return `matches no prefix and has the intent \`${rule.intent}\``;
  if (!('prefix' in rule))
    return rule.id === 'override' ? 'has an entry in `overrides`' : 'states it by `.route(…)`';
  const starts = `starts with \`${rule.prefix}\``;
  if (rule.id === 'un') return `${starts} and a verb`;
  if (rule.prefix !== 'get') return starts;
  if (rule.id === 'get-by-id') return `${starts} and the input has \`id\``;
  const rest = rule.id === 'collection' ? 'the group or empty' : 'not the group';
  return `${starts}, the input has no \`id\`, and the rest of the name is ${rest}`;
}

/** `required, 1 to 20 characters  What it is called`, on one line. */
export function toFieldNote({
  required,
  default: byDefault,
  constraints,
  description,
  isVariant = false,
}: SchemaField): string {
  const need = required ? 'required' : 'optional';
  const presence = byDefault === undefined ? need : `default ${byDefault}`;
  const note = [...(isVariant ? [] : [presence]), ...constraints].join(', ');
  const words = description?.replaceAll('\n', ' ') ?? '';
  return [note, words].filter(Boolean).join('  ');
}

function toIntentText({ facts: { intent, declaredIntent } }: Listed): string {
  if (declaredIntent === undefined) return `${intent}, from the name`;
  return declaredIntent === intent
    ? `${intent}, as declared`
    : `${intent}, from the name, although \`${declaredIntent}\` is declared`;
}

const PAGE_FORM = 'application/x-www-form-urlencoded';

function toTakenTexts({ body, facts }: Listed): readonly string[] {
  const { sent = [], idempotencyKey, maxBodySize } = facts;
  const key = idempotencyKey === undefined ? [] : [`the header ${KEY_HEADER}, ${idempotencyKey}`];
  const fields = [
    ...sent.map(({ field, in: place, name }) => `${field} from the ${place} ${name}`),
    ...key,
    ...(maxBodySize === undefined ? [] : [`a body of at most ${maxBodySize} bytes`]),
  ];
  const takesForm = body?.contents.some(({ mediaType }) => mediaType === PAGE_FORM) === true;
  return takesForm ? [...fields, `${PAGE_FORM} beside JSON`] : fields;
}

/** `mustBeUser (401 Unauthorized; http bearer or header x-key)`; without guards, the words for everybody. */
function toGuardTexts(capability: Listed): readonly string[] {
  const { security, facts } = capability;
  const { guards, inputGuards } = facts;
  if (guards.length + inputGuards.length === 0)
    return [hasRoute(capability) ? 'public' : 'none; only code of the project adds the job'];
  const schemes = new Map(security.flat().map(({ name, scheme }) => [name, scheme]));
  return [
    ...guards.map(({ name, errors, params = [], credentials = [], scopes = [], isOptional }) => {
      const reads = params.map((param) => `:${param}`).join(', ');
      const choices = credentials.map((credential) => toSchemeText(schemes.get(credential)));
      const required = [...choices, ...(isOptional === true ? ['none'] : [])].join(' or ');
      return withDetails(name, [
        reads === '' ? '' : `reads ${reads}`,
        toErrorList(errors),
        scopes.length === 0 ? required : `${required} with ${scopes.join(', ')}`,
      ]);
    }),
    ...inputGuards.map(({ name, errors }) =>
      withDetails(name, ['sees the input', toErrorList(errors)]),
    ),
  ];
}

function toErrorList(errors: readonly ErrorName[]): string {
  return errors.map(toErrorText).join(', ');
}

function toSchemeText({ type, scheme, in: place, name }: Credential['scheme'] = {}): string {
  if (type === 'http') return `http ${String(scheme)}`;
  if (type === 'apiKey') return `${String(place)} ${String(name)}`;
  return typeof type === 'string' ? type : '';
}

/** The declared errors, after the one that every capability with an input has. */
function toErrorTexts({ input, facts }: Listed): readonly string[] {
  return [
    ...(input() === undefined ? [] : ['400 BadRequest, where the input does not fit']),
    ...findDeclaredErrors(facts).map((error) =>
      error.from.length === 0
        ? toErrorText(error)
        : `${toErrorText(error)}, from ${error.from.join(', ')}`,
    ),
  ];
}

/** Empty where the answer is 200 with data alone, which its schema tells, or undeclared. */
function toAnswerTexts({ responses, facts: { answers } }: Listed): readonly string[] {
  const [first] = answers;
  const responseTo = ({ status }: AnswerFacts) =>
    responses.find((response) => response.status === String(status));
  const isPlain = answers.length === 1 && first?.kind === 'data' && first.status === 200;
  return isPlain && responseTo(first)?.headers.length === 0 && first.contentTypes.length === 0
    ? []
    : answers.map((answer) => toAnswerText(answer, responseTo(answer)));
}

/** `201 data, with location`, `204 no content`, `200 items of { id: string }`: an answer on one line. */
function toAnswerText(
  { status, kind, contentTypes }: AnswerFacts,
  response: ApiResponse | undefined,
): string {
  const names = response?.headers.map(({ name }) => name) ?? [];
  const data = response?.data();
  const type = data ? toTypeText(data) : 'anything';
  const types = contentTypes.join(', ');
  const contents = {
    data: types === '' ? type : `${type} as ${types}`,
    none: 'no content',
    text: `text of ${types}`,
    bytes: `bytes of ${types}`,
    stream: `items of ${type}`,
    redirect: 'redirect',
  };
  return `${status} ${contents[kind]}${names.length === 0 ? '' : `, with ${names.join(', ')}`}`;
}

function toCachingTexts(
  { method, facts: { cacheControl, answers } }: Listed,
  { document }: Pick<Manifest, 'document'>,
): readonly string[] {
  if (answers[0]?.kind === 'stream') return [];
  const facts = method === 'GET' ? findDocumentFacts(document) : undefined;
  return [
    ...(cacheControl === undefined ? [] : [`Cache-Control: ${cacheControl}`]),
    ...(facts?.etag === true ? ['ETag, and 304 for callers that have it'] : []),
  ];
}

function toDeprecationText({
  since,
  sunset,
  use,
}: NonNullable<Listed['facts']['deprecation']>): string {
  const parts = [since && `since ${since}`, sunset && `ends ${sunset}`, use && `use ${use}`];
  return parts.filter(Boolean).join(', ') || 'yes';
}

/** The tool that agents see, where that is not the default, and the resources and the prompt that it is for them. */
function toAgentTexts({ facts: { tool, offers } }: Listed): readonly string[] {
  const shown = tool === undefined ? [] : [tool === false ? 'hidden' : toSettings(tool).join(', ')];
  if (offers === undefined) return shown;
  const { resources, prompt } = offers;
  const offered = resources.map(({ uri }) => `resource ${uri}`);
  return [...shown, ...offered, ...(prompt === undefined ? [] : [`prompt ${prompt}`])];
}

function toSettings(settings: object): readonly string[] {
  return Object.entries(settings).map(([name, value]) => `${name}: ${String(value)}`);
}

function withDetails(name: string, details: readonly string[]): string {
  const known = details.filter((detail) => detail !== '');
  return known.length === 0 ? name : `${name} (${known.join('; ')})`;
}
