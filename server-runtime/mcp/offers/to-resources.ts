import type { UriTemplate } from '@modelcontextprotocol/server';
import type { DeclaredResource } from '../../capability/definition.ts';
import { toInputPlan } from '../../input/input-fields.ts';
import type { Operation } from '../../registry/operation.ts';
import type { Lens } from '../../schema/lens.ts';

/** A capability as a resource. */
export interface OfferedResource {
  readonly operation: Operation;
  readonly declared: DeclaredResource;
  readonly plan: Lens;
  readonly template: UriTemplate;
  /** Empty for a resource with one address. */
  readonly variables: readonly string[];
}

/** @throws TypeError for a capability that is not a query, and for a name in braces that is not a field of its input */
export function toResources(
  operations: readonly Operation[],
  createTemplate: (uri: string) => UriTemplate,
): readonly OfferedResource[] {
  return operations.flatMap((operation) => {
    const { key, definition, fields, intent } = operation;
    return definition.offers.resources.map((declared) => {
      if (intent !== 'query')
        throw new TypeError(`\`${key}\` is a resource and not a query. Say that it is one: 'query'.`);
      const template = createTemplate(declared.uri);
      const variables = template.variableNames;
      const unknown = variables.find((name) => fields?.has(name) !== true);
      if (unknown !== undefined)
        throw new TypeError(`\`${key}\` is the resource '${declared.uri}', and its input has no field '${unknown}'.`);
      return { operation, declared, template, variables, plan: toInputPlan(definition.schema) };
    });
  });
}

/** The facts about a resource that agents list. */
export function toResourceFacts({ operation, declared }: OfferedResource): { readonly name: string } {
  const { title, mimeType, name = operation.key.replaceAll('.', '_') } = declared;
  const description = declared.description ?? operation.definition.description;
  return Object.assign({ name }, ...Object.entries({ title, description, mimeType }).map(toGiven)) as { name: string };
}

function toGiven([name, value]: [string, string | undefined]): object {
  return value === undefined ? {} : { [name]: value };
}

/** The fields that an address carries; undefined for the address of another resource. */
export function findUriFields(
  { template, variables, declared }: OfferedResource,
  uri: string,
): Readonly<Record<string, string>> | undefined {
  if (variables.length === 0) return uri === declared.uri ? {} : undefined;
  const found = template.match(uri);
  if (found === null) return undefined;
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, decode(String(value))]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
