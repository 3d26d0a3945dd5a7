import { unescape } from 'node:querystring';
import type { UriTemplate } from '@modelcontextprotocol/server';
import type { ResourceOptions } from '../capability/definition.ts';
import { type InputFields, toInputFields, toInputPlan } from '../input/input-fields.ts';
import type { Operation } from '../registry/operation.ts';
import { describe } from '../schema/describe.ts';
import { Lens, type OneObject } from '../schema/lens.ts';

export interface Offered {
  readonly operation: Operation;
  readonly description: { readonly name: string } & { readonly [Name in 'title' | 'description']?: string | undefined };
}

export interface OfferedPrompt extends Offered {
  readonly suggest: NonNullable<ResourceOptions['suggest']>;
  readonly toInput: (fields: Readonly<Record<string, string>>) => InputFields;
}

export interface OfferedResource extends OfferedPrompt, Pick<ResourceOptions, 'mimeType'> {
  readonly uri: string;
  readonly template: UriTemplate;
  readonly isFixed: boolean;
}

export function toNamed<Offer extends Offered>(kind: string, offers: readonly Offer[]): ReadonlyMap<string, Offer> {
  const named = new Map<string, Offer>();
  for (const offer of offers) {
    const { name } = offer.description;
    const keys = [named.get(name), offer].map((each) => `\`${each?.operation.key}\``).join(' and ');
    if (named.has(name))
      throw new TypeError(`${keys} are both the ${kind} '${name}'. Give one another name: .${kind}({name: '…'}).`);
    named.set(name, offer);
  }
  return named;
}

/** @throws TypeError for a capability that is not a query, and for a name that two of them have */
export function toPrompts(operations: readonly Operation[]): ReadonlyMap<string, OfferedPrompt> {
  const prompts = operations.flatMap((operation) => {
    const { prompt } = operation.definition;
    if (prompt === undefined) return [];
    const { description: entry, ...offer } = toOffer('prompt', operation, prompt);
    const { fields, required } = toInputObject(operation);
    const list = [...fields].map(([name, { description }]) => ({ name, description, required: required.has(name) }));
    return [{ ...offer, description: { ...entry, arguments: list } }];
  });
  return toNamed('prompt', prompts);
}

export function toInputObject({ definition: { schema } }: Operation): OneObject {
  return (schema === undefined ? new Lens({}) : describe(schema).lens).object;
}

/** Fixed addresses come first. @throws TypeError unless it is a query whose input has each field in braces */
export function toResources(
  operations: readonly Operation[],
  createTemplate: (uri: string) => UriTemplate,
): readonly OfferedResource[] {
  const resources = operations.flatMap((operation) =>
    operation.definition.resources.map((options) => {
      const { uri, mimeType } = options;
      const template = createTemplate(uri);
      const isFixed = template.variableNames.length === 0;
      const { description, ...offer } = toOffer('resource', operation, options);
      const unknown = template.variableNames.find((name) => operation.fields?.has(name) !== true);
      if (unknown !== undefined)
        throw new TypeError(`\`${operation.key}\` is the resource '${uri}', and its input has no field '${unknown}'.`);
      const place = isFixed ? { uri } : { uriTemplate: uri };
      return { ...offer, uri, mimeType, template, isFixed, description: { ...description, ...place, mimeType } };
    }),
  );
  return resources.toSorted((one, other) => Number(other.isFixed) - Number(one.isFixed));
}

function toOffer(kind: string, operation: Operation, options: ResourceOptions): OfferedPrompt {
  const { key, definition, intent } = operation;
  if (intent !== 'query') throw new TypeError(`\`${key}\` is a ${kind} and not a query. Say that it is one: 'query'.`);
  const { title, name = key.replaceAll('.', '_'), description = definition.description, suggest = {} } = options;
  const plan = toInputPlan(definition.schema);
  const toInput = (fields: Readonly<Record<string, string>>): InputFields => toInputFields(fields, plan);
  return { operation, suggest, toInput, description: { name, title, description } };
}

export function findResource(
  resources: readonly OfferedResource[],
  uri: string,
): (OfferedResource & { readonly input: InputFields }) | undefined {
  const found = resources.find(({ template }) => template.match(uri) !== null);
  const sent = Object.entries(found?.template.match(uri) ?? {}).map(([name, value]) => [name, unescape(String(value))]);
  return found && { ...found, input: found.toInput(Object.fromEntries(sent)) };
}

/** Suggests values for a field: those of the application, else those of an enum that begin with what is typed. */
export async function suggestValues(
  { operation, suggest }: OfferedPrompt,
  { name, value }: { readonly name: string; readonly value: string },
  given: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const own = Object.hasOwn(suggest, name) ? suggest[name] : undefined;
  if (own !== undefined) return own(value, given);
  const choices = toInputObject(operation).fields.get(name)?.['enum'];
  const values = Array.isArray(choices) ? choices.map(String) : [];
  return values.filter((each) => each.toLowerCase().startsWith(value.toLowerCase()));
}
