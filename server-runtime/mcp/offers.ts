import { unescape } from 'node:querystring';
import type { UriTemplate } from '@modelcontextprotocol/server';
import type { DeclaredResource, OfferOptions, ResourceOptions } from '../capability/definition.ts';
import { type InputFields, toInputFields, toInputPlan } from '../input/input-fields.ts';
import type { Operation } from '../registry/operation.ts';
import { describe } from '../schema/describe.ts';
import { toOneObject } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';

/** A capability as a tool, a resource or a prompt. */
export interface Offered {
  readonly operation: Operation;
  /** The entry in a list. */
  readonly description: Entry;
}

interface Entry {
  readonly name: string;
  readonly description?: string | undefined;
  readonly title?: string | undefined;
  readonly arguments?: readonly object[];
}

/** A capability as a prompt. */
export interface OfferedPrompt extends Offered {
  readonly options: OfferOptions;
  /** The input that the texts of its fields make. */
  readonly toInput: (fields: Readonly<Record<string, string>>) => InputFields;
}

/** A capability as a resource. */
export interface OfferedResource extends OfferedPrompt {
  readonly options: DeclaredResource;
  readonly template: UriTemplate;
}

/** @throws TypeError for a name that two have */
export function toNamed<Offer extends Offered>(
  kind: 'tool' | 'prompt',
  offers: readonly Offer[],
): ReadonlyMap<string, Offer> {
  const named = new Map<string, Offer>();
  for (const offer of offers) {
    const { name } = offer.description;
    const keys = [named.get(name), offer].map((each) => `\`${each?.operation.key}\``);
    if (named.has(name))
      throw new TypeError(
        `${keys.join(' and ')} are both the ${kind} '${name}'. Give one another name: .${kind}({name: '…'}).`,
      );
    named.set(name, offer);
  }
  return named;
}

/** @throws TypeError for a capability that is not a query, and for a name that two have */
export function toPrompts(operations: readonly Operation[]): ReadonlyMap<string, OfferedPrompt> {
  const prompts = operations.flatMap((operation): readonly OfferedPrompt[] => {
    const { offers, schema } = operation.definition;
    if (offers.prompt === undefined) return [];
    const { description, ...offer } = toOffer('prompt', operation, offers.prompt);
    return [{ ...offer, description: { ...description, arguments: toArguments(schema) } }];
  });
  return toNamed('prompt', prompts);
}

function toArguments(schema: Schema | undefined): readonly object[] {
  if (schema === undefined) return [];
  const { fields, required } = toOneObject(describe(schema).lens.branches);
  return [...fields].map(([name, { description }]) => ({ name, description, required: required.has(name) }));
}

/**
 * Resources without names in braces come first: so an address is looked for.
 *
 * @throws TypeError for a capability that is not a query, and for a name in braces that is not a field of its input
 */
export function toResources(
  operations: readonly Operation[],
  createTemplate: (uri: string) => UriTemplate,
): readonly OfferedResource[] {
  const resources = operations.flatMap((operation) =>
    operation.definition.offers.resources.map((options) => {
      const { uri, mimeType } = options;
      const template = createTemplate(uri);
      const place = isFixed({ template }) ? { uri } : { uriTemplate: uri };
      const { description, ...offer } = toOffer('resource', operation, options);
      const unknown = template.variableNames.find((name) => operation.fields?.has(name) !== true);
      if (unknown === undefined)
        return { ...offer, options, template, description: { ...description, ...place, mimeType } };
      throw new TypeError(`\`${operation.key}\` is the resource '${uri}', and its input has no field '${unknown}'.`);
    }),
  );
  return resources.toSorted((one, other) => Number(isFixed(other)) - Number(isFixed(one)));
}

function toOffer(kind: string, operation: Operation, options: ResourceOptions): OfferedPrompt {
  const { key, definition, intent } = operation;
  if (intent !== 'query') throw new TypeError(`\`${key}\` is a ${kind} and not a query. Say that it is one: 'query'.`);
  const { title, name = key.replaceAll('.', '_'), description = definition.description } = options;
  const plan = toInputPlan(definition.schema);
  return {
    operation,
    options,
    description: { name, title, description },
    toInput: (fields) => toInputFields(fields, plan),
  };
}

/** Whether there are no names in the braces of its address. */
export function isFixed({ template }: Pick<OfferedResource, 'template'>): boolean {
  return template.variableNames.length === 0;
}

/** The resource at an address, and its input. */
export function findResource(
  resources: readonly OfferedResource[],
  uri: string,
): (OfferedResource & { readonly input: InputFields }) | undefined {
  for (const resource of resources) {
    const found = resource.template.match(uri);
    if (found === null) continue;
    const fields = Object.entries(found).map(([name, value]) => [name, unescape(String(value))] as const);
    return { ...resource, input: resource.toInput(Object.fromEntries(fields)) };
  }
  return undefined;
}

/** Suggests values for a field: those of the application, else those of an enum that begin with what is typed. */
export async function suggest(
  { operation, options }: OfferedPrompt,
  field: { readonly name: string; readonly value: string },
  given: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const { name, value } = field;
  const own = new Map(Object.entries(options.suggest ?? {})).get(name);
  if (own !== undefined) return own(value, given);
  const { schema } = operation.definition;
  const choices = schema && toOneObject(describe(schema).lens.branches).fields.get(name)?.['enum'];
  const values = Array.isArray(choices) ? choices.map(String) : [];
  return values.filter((each) => each.toLowerCase().startsWith(value.toLowerCase()));
}
