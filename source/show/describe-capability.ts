import { KEY_HEADER } from '../../server-runtime/enhancers/once/find-key-rule.ts';
import type { ErrorName } from '../document/facts.ts';
import type { SchemaView } from '../document/schema-view.ts';
import { findDeclaredErrors, toErrorText } from '../manifest/declared-error.ts';
import type { Manifest, ManifestAnswer, ManifestCapability, ManifestOperation } from '../manifest/manifest.ts';
import { hasRoute, type Listed, toListed } from '../manifest/operations/listed.ts';
import { toJobTexts } from '../manifest/operations/to-job-texts.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { type SchemaField, toSchemaFields } from '../shape/schema-fields.ts';
import { toTypeText } from '../shape/type-text.ts';

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
  readonly explanation: ManifestCapability['explanation'] | undefined;
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
  const { key, description, source, deprecation, job } = capability;
  return {
    key,
    description,
    ...toRouteFacts(capability, manifest),
    job: job === undefined ? [] : toJobTexts(job),
    intent: toIntentText(capability),
    guards: toGuardTexts(capability),
    unguarded: hasRoute(capability) ? 'public' : 'none; only code of the project adds the job',
    enhancers: capability.enhancers.map(({ name, settings }) => withDetails(name, toSettings(settings))),
    errors: toErrorTexts(capability),
    answers: toAnswerTexts(capability),
    deprecation: deprecation && toDeprecationText(deprecation),
    source: source && `${source.file}:${source.line}`,
    input: toSchemaDescription(capability.input),
    output: toSchemaDescription(capability.output ?? capability.answers[0]?.schema),
    sameInput: findSame('input', capability, manifest),
    sameOutput: findSame('output', capability, manifest),
  };
}

function toRouteFacts(
  capability: Listed,
  manifest: Manifest,
): Pick<CapabilityDescription, 'route' | 'otherRoutes' | 'takes' | 'explanation' | 'caching' | 'agents'> {
  if (!hasRoute(capability))
    return { route: undefined, otherRoutes: [], takes: [], explanation: undefined, caching: [], agents: [] };
  const { method, path, otherRoutes, explanation } = capability;
  return {
    route: `${method} ${path}`,
    otherRoutes: otherRoutes.map((other) => `${other.method} ${other.path}`),
    takes: toTakenTexts(capability),
    explanation,
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

function toIntentText({ intent, declaredIntent }: ManifestOperation): string {
  if (declaredIntent === undefined) return `${intent}, from the name`;
  return declaredIntent === intent
    ? `${intent}, as declared`
    : `${intent}, from the name, although \`${declaredIntent}\` is declared`;
}

function toTakenTexts(capability: ManifestCapability): readonly string[] {
  const { sent = [], takesForm, idempotencyKey } = capability;
  const key = idempotencyKey === undefined ? [] : [`the header ${KEY_HEADER}, ${idempotencyKey}`];
  const fields = [...sent.map(({ field, in: place, name }) => `${field} from the ${place} ${name}`), ...key];
  return takesForm === true ? [...fields, 'application/x-www-form-urlencoded beside JSON'] : fields;
}

function toGuardTexts({ guards, inputGuards }: ManifestOperation): readonly string[] {
  return [
    ...guards.map(({ name, errors, security }) => withDetails(name, [toErrorList(errors), toSecurityText(security)])),
    ...inputGuards.map(({ name, errors }) => withDetails(name, ['sees the input', toErrorList(errors)])),
  ];
}

function toErrorList(errors: readonly ErrorName[]): string {
  return errors.map(toErrorText).join(', ');
}

/** The declared errors, after the one that every capability with an input has. */
function toErrorTexts(capability: ManifestOperation): readonly string[] {
  return [
    ...(capability.input === undefined ? [] : ['400 BadRequest, where the input does not fit']),
    ...findDeclaredErrors(capability).map((error) =>
      error.from.length === 0 ? toErrorText(error) : `${toErrorText(error)}, from ${error.from.join(', ')}`,
    ),
  ];
}

/** Data with 200 alone is told by its schema. */
function toAnswerTexts({ answers }: ManifestOperation): readonly string[] {
  const [first] = answers;
  const isPlain = answers.length === 1 && first?.kind === 'data' && first.status === 200;
  return isPlain && Object.keys(first.headers).length === 0 && first.contentTypes.length === 0
    ? []
    : answers.map(toAnswerText);
}

function toCachingTexts(
  { method, cacheControl, answers }: ManifestCapability,
  { facts }: Pick<Manifest, 'facts'>,
): readonly string[] {
  const isKept = answers[0]?.kind !== 'stream';
  const control = cacheControl ?? (method === 'GET' ? facts?.cacheControl : undefined);
  return [
    ...(control === undefined || !isKept ? [] : [`Cache-Control: ${control}`]),
    ...(method === 'GET' && facts?.etag === true && isKept ? ['ETag, and 304 for callers that have it'] : []),
  ];
}

function toSecurityText(security: ManifestCapability['guards'][number]['security']): string {
  if (security === undefined) return '';
  switch (security.type) {
    case 'http':
      return `http ${security.scheme}`;
    case 'apiKey':
      return `${security.in} ${security.name}`;
    case 'openIdConnect':
    case 'oauth2':
      return security.type;
  }
}

function toSettings(settings: Readonly<Record<string, string | number | boolean>>): readonly string[] {
  return Object.entries(settings).map(([name, value]) => `${name}: ${String(value)}`);
}

function toDeprecationText({ since, sunset, use }: NonNullable<ManifestCapability['deprecation']>): string {
  const parts = [since && `since ${since}`, sunset && `ends ${sunset}`, use && `use ${use}`];
  return parts.filter(Boolean).join(', ') || 'yes';
}

function toAgentTexts(capability: ManifestCapability): readonly string[] {
  return [toToolText(capability), ...toOfferTexts(capability)].filter((text) => text !== undefined);
}

function toOfferTexts({ offers }: ManifestCapability): readonly string[] {
  if (offers === undefined) return [];
  const { resources, prompt } = offers;
  return [...resources.map(({ uri }) => `resource ${uri}`), ...(prompt === undefined ? [] : [`prompt ${prompt}`])];
}

function toToolText({ tool }: ManifestCapability): string | undefined {
  if (tool === undefined) return undefined;
  if (tool === false) return 'hidden';
  return Object.entries(tool)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
}

function toSchemaDescription(view: SchemaView | undefined): SchemaDescription | undefined {
  if (view === undefined) return undefined;
  const shape = toShape(view.json);
  return { type: toTypeText(shape), fields: toSchemaFields(shape) };
}

/** Who else has this schema. One without fields says too little to be shared. */
function findSame(
  side: 'input' | 'output',
  { key, [side]: schema }: ManifestOperation,
  manifest: Manifest,
): readonly string[] {
  if (schema === undefined || toSchemaFields(toShape(schema.json)).length === 0) return [];
  const wanted = toComparable(schema);
  const same = toListed(manifest)
    .filter((other) => other.key !== key && other[side] !== undefined && toComparable(other[side]) === wanted)
    .map((other) => other.key);
  return [...new Set(same)];
}

/** Known from the load before: what a save has not changed is the same object. */
function toComparable(schema: SchemaView): string {
  const text = comparables.get(schema) ?? JSON.stringify(schema.json);
  comparables.set(schema, text);
  return text;
}

const comparables = new WeakMap<SchemaView, string>();

function withDetails(name: string, details: readonly string[]): string {
  const known = details.filter((detail) => detail !== '');
  return known.length === 0 ? name : `${name} (${known.join('; ')})`;
}

/** `201 data, with location`, `204 no content`, `200 bytes of image/png`, `200 items of { id: string }`: one answer on one line. */
function toAnswerText({ status, kind, contentTypes, schema, headers }: ManifestAnswer): string {
  const names = Object.keys(headers);
  const extra = names.length === 0 ? '' : `, with ${names.join(', ')}`;
  return `${status} ${toContentText(kind, contentTypes, schema && toTypeText(toShape(schema.json)))}${extra}`;
}

function toContentText(kind: ManifestAnswer['kind'], types: readonly string[], type = 'anything'): string {
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
