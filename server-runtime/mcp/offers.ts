import { createHash } from 'node:crypto';
import type { CompleteRequest, Tool, UriTemplate } from '@modelcontextprotocol/server';
import type { Content } from '../capability/content.ts';
import type { Intent, ResourceOptions, ToolOptions } from '../capability/definition.ts';
import type { AnyGuard } from '../capability/guard.ts';
import { type InputFields, toInputFields, toInputPlan } from '../input/input-fields.ts';
import type { Operation } from '../registry/compile-registry.ts';
import { findFurtherVerb, matchNameRule } from '../routing/infer-route.ts';
import { describe } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { Lens, type OneObject } from '../schema/lens.ts';
import { toPlainSchema, toToolSchema } from './to-tool-schema.ts';

export interface Offered {
  readonly operation: Operation;
  readonly description: { readonly name: string; readonly description?: string | undefined };
}

/** A prompt or a resource. */
export interface Offer extends Offered {
  readonly description: Offered['description'] & { readonly title?: string | undefined };
  /** The suggestions of the application for fields of the input, by their names. */
  readonly suggest: NonNullable<ResourceOptions['suggest']>;
  readonly mimeType: string | undefined;
  /** Makes the input of texts: the parts of an address, or the arguments of a prompt. */
  readonly toInput: (fields: Readonly<Record<string, string>>) => InputFields;
}

/** A resource at a fixed address, or at those of a template. */
export interface Resource extends Offer {
  readonly uri: string;
  readonly template: UriTemplate;
  /** Whether its address has no field in braces. */
  readonly isFixed: boolean;
}

/** The tools by name, without those that need a file. @throws TypeError for two tools of one name */
export function toTools(
  operations: readonly Operation[],
): ReadonlyMap<string, Offered & { description: Tool }> {
  const offered = operations.filter((operation) => {
    const { fields, required } = toInputObject(operation);
    const needsFile = [...fields].some(
      ([name, json]) => required.has(name) && json['x-capix-file'] !== undefined,
    );
    return operation.definition.tool !== false && !needsFile;
  });
  const names = new Map(offered.map((operation) => [operation.key, toToolName(operation)]));
  const tools = offered.map((operation) => ({ operation, description: toEntry(operation, names) }));
  return toNamed('tool', tools);
}

function toEntry(operation: Operation, names: ReadonlyMap<string, string>): Tool {
  const { key, definition } = operation;
  const { guards, inputGuards, enhancers, deprecation, answers } = definition;
  const { title, icons, description = definition.description } = optionsOf(operation);
  const { schema, words } = toToolSchema(definition.schema);
  const declaring = [...guards, ...inputGuards, ...enhancers, definition];
  const errors = new Set(
    declaring.flatMap((each) => each.errors.map(({ errorName }) => errorName)),
  );
  const replacement = names.get(deprecation?.use ?? '');
  const lines = [
    description,
    words,
    deprecation && `Deprecated${replacement === undefined ? '' : `: use ${replacement}`}.`,
    guards.length > 0 && `Guarded by ${guards.map(toGuardText).join(', ')}.`,
    errors.size > 0 && `May answer with the errors ${[...errors].join(', ')}.`,
  ];
  return {
    name: names.get(key) as string,
    title,
    icons: icons as Tool['icons'],
    description: lines.filter((line) => line).join('\n') || undefined,
    inputSchema: schema,
    outputSchema: toOutputSchema(answers),
    annotations: toAnnotations(operation),
  };
}

/** A list of tools cannot say whom a guard lets pass that reads the input: its reader learns where it depends on it. */
function toGuardText({ name, params }: AnyGuard): string {
  return params.length === 0 ? name : `${name} (by ${params.join(', ')})`;
}

function optionsOf({ definition: { tool } }: Operation): ToolOptions {
  return tool || {};
}

/**
 * Several answers have no schema in common, and bytes become text for agents or anything else: neither has a schema
 * here.
 */
function toOutputSchema([answer, ...others]: readonly Content[]): Tool['outputSchema'] {
  if (answer === undefined || others.length > 0 || answer.kind === 'bytes') return undefined;
  const { kind, schema } = answer;
  const isStream = kind === 'stream';
  let data: JsonSchema = { type: kind === 'none' ? 'null' : 'string' };
  if (schema !== undefined && (isStream || kind === 'data')) {
    const place = isStream ? '#/properties/data/items' : '#/properties/data';
    data = toPlainSchema(describe(schema).output, (ref) => (ref === '#' ? place : ref));
  }
  const { $defs, ...json } = data;
  const properties = { data: isStream ? { type: 'array', items: json } : json };
  return { type: 'object', properties, required: ['data'], ...($defs !== undefined && { $defs }) };
}

/** The longest name that clients take, with the name of a server before it. */
const MAX_LENGTH = 60;

/** `users_getUser` for `users.getUser`; a longer name ends in a fingerprint, so that two with one start stay two. */
function toToolName(operation: Operation): string {
  const { name: wanted = operation.key } = optionsOf(operation);
  const name = wanted.replaceAll(/[^\w-]/g, '_');
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha1').update(wanted).digest('hex').slice(0, 6);
  return `${name.slice(0, MAX_LENGTH - hash.length - 1)}_${hash}`;
}

export function isReadOnly(operation: Operation): boolean {
  return optionsOf(operation).readOnly ?? toSureIntent(operation) === 'query';
}

/** A call that changes something may destroy something, unless it only adds. The protocol assumes the rest. */
function toAnnotations(operation: Operation): NonNullable<Tool['annotations']> {
  const { name, declaredIntent } = operation;
  const { destructive, idempotent, openWorld: openWorldHint } = optionsOf(operation);
  if (isReadOnly(operation)) return { readOnlyHint: true, openWorldHint };
  const addsOnly =
    matchNameRule(name, declaredIntent)?.id === 'create' && findFurtherVerb(name) === undefined;
  const isIdempotent =
    idempotent ?? ['query', 'replace', 'delete'].includes(toSureIntent(operation));
  return {
    destructiveHint: destructive ?? !addsOnly,
    idempotentHint: isIdempotent || undefined,
    openWorldHint,
  };
}

/** A name with a further verb (`findAndDelete`) is ambiguous, so agents should ask before they call it. */
function toSureIntent({ name, intent }: Operation): Intent {
  return findFurtherVerb(name) === undefined ? intent : 'mutation';
}

/** @throws TypeError for a capability that is not a query, and for a name that two of them have */
export function toPrompts(operations: readonly Operation[]): ReadonlyMap<string, Offer> {
  const prompts = operations.flatMap((operation) => {
    const { prompt } = operation.definition;
    if (prompt === undefined) return [];
    const { description: entry, ...offer } = toOffer('prompt', operation, prompt);
    const { fields, required } = toInputObject(operation);
    const list = [...fields].map(([name, { description }]) => ({
      name,
      description,
      required: required.has(name),
    }));
    return [{ ...offer, description: { ...entry, arguments: list } }];
  });
  return toNamed('prompt', prompts);
}

/** The resources, fixed addresses first. @throws TypeError unless it is a query whose input has each field in braces */
export function toResources(
  operations: readonly Operation[],
  createTemplate: (uri: string) => UriTemplate,
): readonly Resource[] {
  const resources = operations.flatMap((operation) =>
    operation.definition.resources.map((options) => {
      const { uri, mimeType } = options;
      const template = createTemplate(uri);
      const isFixed = template.variableNames.length === 0;
      const { description, ...offer } = toOffer('resource', operation, options);
      const unknown = template.variableNames.find((name) => operation.fields?.has(name) !== true);
      if (unknown !== undefined)
        throw new TypeError(
          `\`${operation.key}\` is the resource '${uri}', and its input has no field '${unknown}'.`,
        );
      const place = isFixed ? { uri } : { uriTemplate: uri };
      return {
        ...offer,
        uri,
        template,
        isFixed,
        description: { ...description, ...place, mimeType },
      };
    }),
  );
  return resources.toSorted((one, other) => Number(other.isFixed) - Number(one.isFixed));
}

function toOffer(kind: string, operation: Operation, options: ResourceOptions): Offer {
  const { key, definition, intent } = operation;
  if (intent !== 'query')
    throw new TypeError(`\`${key}\` is a ${kind} and not a query. Say that it is one: 'query'.`);
  const {
    title,
    name = key.replaceAll('.', '_'),
    description = definition.description,
    suggest = {},
  } = options;
  const plan = toInputPlan(definition.schema);
  return {
    operation,
    suggest,
    mimeType: options.mimeType,
    toInput: (fields) => toInputFields(fields, plan),
    description: { name, title, description },
  };
}

function toNamed<Offer extends Offered>(
  kind: string,
  offers: readonly Offer[],
): ReadonlyMap<string, Offer> {
  const named = new Map<string, Offer>();
  for (const offer of offers) {
    const { name } = offer.description;
    const keys = [named.get(name), offer].map((each) => `\`${each?.operation.key}\``).join(' and ');
    if (named.has(name))
      throw new TypeError(
        `${keys} are both the ${kind} '${name}'. Give one another name: .${kind}({name: '…'}).`,
      );
    named.set(name, offer);
  }
  return named;
}

function toInputObject({ definition: { schema } }: Operation): OneObject {
  return (schema === undefined ? new Lens({}) : describe(schema).lens).object;
}

/**
 * Suggests values for a field, to a caller that has passed the guards: the application's own for its context, else the
 * values of an enum that begin with the typed text.
 */
export async function suggestValues(
  { operation, suggest }: Offer,
  { argument: { name, value }, context: filled }: CompleteRequest['params'],
  context: object,
): Promise<readonly string[]> {
  const own = Object.hasOwn(suggest, name) ? suggest[name] : undefined;
  if (own !== undefined) return own(value, filled?.arguments ?? {}, context as never);
  const choices = toInputObject(operation).fields.get(name)?.['enum'];
  const values = Array.isArray(choices) ? choices.map(String) : [];
  return values.filter((each) => each.toLowerCase().startsWith(value.toLowerCase()));
}
