import { KEY_HEADER } from '../../server-runtime/enhancers/with-idempotency.ts';
import { toRouteReason } from '../../server-runtime/routing/infer-route.ts';
import type { ApiResponse, Credential } from '../document/api-operation.ts';
import type { ApiSchema } from '../document/branch.ts';
import type { AnswerFacts, ErrorName } from '../document/facts.ts';
import { findDocumentFacts } from '../document/read-operations.ts';
import { type SchemaField, toSchemaFields } from '../document/schema-fields.ts';
import { findOutput } from '../document/to-response.ts';
import { toTypeText } from '../document/type-text.ts';
import { findDeclaredErrors, toErrorText } from '../manifest/declared-error.ts';
import { hasRoute, type Listed, toJobs, toListed } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toJobTexts } from '../manifest/to-job-texts.ts';

/** One capability as `show` tells it, with every fact worded. Text of the user is as it was written. */
export interface CapabilityDescription {
  readonly key: string;
  readonly description: string | undefined;
  /** `GET /users/:id`; undefined where only a queue runs it. */
  readonly route: string | undefined;
  /** Empty where no other route leads to it. */
  readonly otherRoutes: readonly string[];
  /** `ifMatch from the header if-match`, `a form of a page, too`. */
  readonly takes: readonly string[];
  readonly because: string | undefined;
  /** The settings of its jobs: `up to 5 at once in each process`; empty where no queue runs it. */
  readonly job: readonly string[];
  /** `query, from the name`, `query, as declared` */
  readonly intent: string;
  /** `mustBeUser (401 Unauthorized; http bearer)`; empty without any. */
  readonly guards: readonly string[];
  /** Who may call it where no guard refuses anybody: `public`. */
  readonly unguarded: string;
  /** `withTimeout (timeoutMs: 120000)` */
  readonly enhancers: readonly string[];
  /** `401 Unauthorized, from mustBeUser`, `404 NotFound` */
  readonly errors: readonly string[];
  /** `200 bytes of image/png`; empty where the answer is 200 with data alone, or undeclared. */
  readonly answers: readonly string[];
  /** `Cache-Control: no-store`, `ETag, and 304 for callers that have it`; empty where callers are told nothing. */
  readonly caching: readonly string[];
  readonly deprecation: string | undefined;
  /** The tool that agents see, where that is not the default, and the resources and the prompt that it is for them. */
  readonly agents: readonly string[];
  readonly source: string | undefined;
  readonly input: SchemaDescription | undefined;
  readonly output: SchemaDescription | undefined;
  /** Capabilities whose input is the same. */
  readonly sameInput: readonly string[];
  readonly sameOutput: readonly string[];
}

export interface SchemaDescription {
  /** The type of the whole: `object` where it has fields. */
  readonly type: string;
  readonly fields: readonly SchemaField[];
}

export function describeCapability(capability: Listed, manifest: Manifest): CapabilityDescription {
  const { key, facts } = capability;
  const { description, source, deprecation } = facts;
  const { job } = toJobs(manifest).find((each) => each.key === key) ?? {};
  return {
    key,
    description,
    ...toRouteFacts(capability, manifest),
    job: job === undefined ? [] : toJobTexts(job),
    intent: toIntentText(capability),
    guards: toGuardTexts(capability),
    unguarded: hasRoute(capability) ? 'public' : 'none; only code of the project adds the job',
    enhancers: facts.enhancers.map(({ name, settings }) => withDetails(name, toSettings(settings))),
    errors: toErrorTexts(capability),
    answers: toAnswerTexts(capability),
    deprecation: deprecation && toDeprecationText(deprecation),
    source: source && `${source.file}:${source.line}`,
    input: toSchemaDescription(capability.declaredInput()),
    output: toSchemaDescription(findOutput(capability)),
    sameInput: findSame(capability, manifest, (each) => each.declaredInput()),
    sameOutput: findSame(capability, manifest, findOutput),
  };
}

function toRouteFacts(
  capability: Listed,
  manifest: Manifest,
): Pick<CapabilityDescription, 'route' | 'otherRoutes' | 'takes' | 'because' | 'caching' | 'agents'> {
  if (!hasRoute(capability))
    return { route: undefined, otherRoutes: [], takes: [], because: undefined, caching: [], agents: [] };
  const { method, path, otherRoutes, facts } = capability;
  return {
    route: `${method} ${path}`,
    otherRoutes: otherRoutes.map((other) => `${other.method} ${other.path}`),
    takes: toTakenTexts(capability),
    because: facts.rule && toRouteReason(capability.key, facts.rule),
    caching: toCachingTexts(capability, manifest),
    agents: toAgentTexts(capability),
  };
}

/** `required, 1 to 20 characters  What it is called`, on one line. */
export function toFieldNote({ required, default: byDefault, constraints, description }: SchemaField): string {
  const presence = byDefault === undefined ? (required ? 'required' : 'optional') : `default ${byDefault}`;
  const note = [presence, ...constraints].join(', ');
  return description === undefined ? note : `${note}  ${description.replaceAll('\n', ' ')}`;
}

function toIntentText({ facts: { intent, declaredIntent } }: Listed): string {
  if (declaredIntent === undefined) return `${intent}, from the name`;
  return declaredIntent === intent
    ? `${intent}, as declared`
    : `${intent}, from the name, although \`${declaredIntent}\` is declared`;
}

const PAGE_FORM = 'application/x-www-form-urlencoded';

function toTakenTexts({ body, facts }: Listed): readonly string[] {
  const { sent = [], idempotencyKey } = facts;
  const key = idempotencyKey === undefined ? [] : [`the header ${KEY_HEADER}, ${idempotencyKey}`];
  const fields = [...sent.map(({ field, in: place, name }) => `${field} from the ${place} ${name}`), ...key];
  const takesForm = body?.contents.some(({ mediaType }) => mediaType === PAGE_FORM) === true;
  return takesForm ? [...fields, `${PAGE_FORM} beside JSON`] : fields;
}

function toGuardTexts({ security, facts: { guards, inputGuards } }: Listed): readonly string[] {
  const schemes = new Map(security.flat().map(({ name, scheme }) => [name, scheme]));
  return [
    ...guards.map(({ name, errors, credentials: [credential = ''] = [] }) =>
      withDetails(name, [toErrorList(errors), toSchemeText(schemes.get(credential))]),
    ),
    ...inputGuards.map(({ name, errors }) => withDetails(name, ['sees the input', toErrorList(errors)])),
  ];
}

function toErrorList(errors: readonly ErrorName[]): string {
  return errors.map(toErrorText).join(', ');
}

/** The declared errors, after the one that every capability with an input has. */
function toErrorTexts({ input, facts }: Listed): readonly string[] {
  return [
    ...(input() === undefined ? [] : ['400 BadRequest, where the input does not fit']),
    ...findDeclaredErrors(facts).map((error) =>
      error.from.length === 0 ? toErrorText(error) : `${toErrorText(error)}, from ${error.from.join(', ')}`,
    ),
  ];
}

/** Data with 200 alone is told by its schema. */
function toAnswerTexts({ responses, facts: { answers } }: Listed): readonly string[] {
  const [first] = answers;
  const responseTo = ({ status }: AnswerFacts) => responses.find((response) => response.status === String(status));
  const isPlain = answers.length === 1 && first?.kind === 'data' && first.status === 200;
  return isPlain && responseTo(first)?.headers.length === 0 && first.contentTypes.length === 0
    ? []
    : answers.map((answer) => toAnswerText(answer, responseTo(answer)));
}

function toCachingTexts(
  { method, facts: { cacheControl, answers } }: Listed,
  { document }: Pick<Manifest, 'document'>,
): readonly string[] {
  const facts = findDocumentFacts(document);
  const isKept = answers[0]?.kind !== 'stream';
  const control = cacheControl ?? (method === 'GET' ? facts?.cacheControl : undefined);
  return [
    ...(control === undefined || !isKept ? [] : [`Cache-Control: ${control}`]),
    ...(method === 'GET' && facts?.etag === true && isKept ? ['ETag, and 304 for callers that have it'] : []),
  ];
}

function toSchemeText({ type, scheme, in: place, name }: Credential['scheme'] = {}): string {
  if (type === 'http') return `http ${String(scheme)}`;
  return type === 'apiKey' ? `${String(place)} ${String(name)}` : typeof type === 'string' ? type : '';
}

function toSettings(settings: Readonly<Record<string, string | number | boolean>>): readonly string[] {
  return Object.entries(settings).map(([name, value]) => `${name}: ${String(value)}`);
}

function toDeprecationText({ since, sunset, use }: NonNullable<Listed['facts']['deprecation']>): string {
  const parts = [since && `since ${since}`, sunset && `ends ${sunset}`, use && `use ${use}`];
  return parts.filter(Boolean).join(', ') || 'yes';
}

function toAgentTexts(capability: Listed): readonly string[] {
  return [toToolText(capability), ...toOfferTexts(capability)].filter((text) => text !== undefined);
}

function toOfferTexts({ facts: { offers } }: Listed): readonly string[] {
  if (offers === undefined) return [];
  const { resources, prompt } = offers;
  return [...resources.map(({ uri }) => `resource ${uri}`), ...(prompt === undefined ? [] : [`prompt ${prompt}`])];
}

function toToolText({ facts: { tool } }: Listed): string | undefined {
  if (tool === undefined) return undefined;
  if (tool === false) return 'hidden';
  return Object.entries(tool)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
}

function toSchemaDescription(schema: ApiSchema | undefined): SchemaDescription | undefined {
  return schema && { type: toTypeText(schema), fields: toSchemaFields(schema) };
}

/** Who else has this schema. One without fields says too little to be shared. */
function findSame(
  capability: Listed,
  manifest: Manifest,
  find: (operation: Listed) => ApiSchema | undefined,
): readonly string[] {
  const schema = find(capability);
  if (schema === undefined || toSchemaFields(schema).length === 0) return [];
  const wanted = toComparable(schema);
  const same = toListed(manifest).filter((other) => {
    const its = other.key === capability.key ? undefined : find(other);
    return its !== undefined && toComparable(its) === wanted;
  });
  return [...new Set(same.map(({ key }) => key))];
}

/** The text that two schemas share where a reader sees no difference. */
function toComparable(schema: ApiSchema): string {
  const text = comparables.get(schema) ?? JSON.stringify([toTypeText(schema), toSchemaFields(schema)]);
  comparables.set(schema, text);
  return text;
}

const comparables = new WeakMap<ApiSchema, string>();

function withDetails(name: string, details: readonly string[]): string {
  const known = details.filter((detail) => detail !== '');
  return known.length === 0 ? name : `${name} (${known.join('; ')})`;
}

/** `201 data, with location`, `204 no content`, `200 items of { id: string }`: an answer on one line. */
function toAnswerText({ status, kind, contentTypes }: AnswerFacts, response: ApiResponse | undefined): string {
  const names = response?.headers.map(({ name }) => name) ?? [];
  const data = response?.data();
  const extra = names.length === 0 ? '' : `, with ${names.join(', ')}`;
  return `${status} ${toContentText(kind, contentTypes, data && toTypeText(data))}${extra}`;
}

function toContentText(kind: AnswerFacts['kind'], types: readonly string[], type = 'anything'): string {
  switch (kind) {
    case 'data':
      return types.length === 0 ? type : `${type} as ${types.join(', ')}`;
    case 'none':
      return 'no content';
    case 'text':
      return `text of ${types.join(', ')}`;
    case 'bytes':
      return `bytes of ${types.join(', ')}`;
    case 'stream':
      return `items of ${type}`;
    case 'redirect':
      return 'redirect';
  }
}

/** One thing that is told of a capability, in words. */
export interface Fact {
  readonly label: string;
  /** At least one. */
  readonly values: readonly string[];
}

/** Everything that is known of a capability beside its schemas, in the order in which it is told. */
export function toFacts(description: CapabilityDescription): readonly Fact[] {
  const { because, guards, unguarded } = description;
  const facts: readonly (readonly [label: string, values: readonly (string | undefined)[]])[] = [
    ['Route', [description.route]],
    ['Also', description.otherRoutes],
    ['Takes', description.takes],
    ['Because', [because]],
    ['Job', description.job],
    ['Intent', [description.intent]],
    ['Guards', guards.length === 0 ? [unguarded] : guards],
    ['Enhancers', description.enhancers],
    ['Answers', description.answers],
    ['Errors', description.errors],
    ['Caching', description.caching],
    ['Deprecated', [description.deprecation]],
    ['Agents', description.agents],
    ['Same input', description.sameInput],
    ['Same output', description.sameOutput],
    ['Source', [description.source]],
  ];
  return facts
    .map(([label, values]) => ({ label, values: values.filter((value) => value !== undefined) }))
    .filter(({ values }) => values.length > 0);
}

export const noInput = 'none declared: the handler gets the fields as they arrive';

/** An answer may be declared and have no schema. */
export function toMissingOutput({ answers }: CapabilityDescription): string {
  return answers.length === 0 ? 'none declared' : 'no data';
}
