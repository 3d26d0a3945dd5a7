import type { CompleteResult } from '@modelcontextprotocol/server';
import type { OfferOptions } from '../../capability/definition.ts';
import type { Operation } from '../../registry/operation.ts';
import { describe } from '../../schema/describe.ts';
import type { HandlerHost } from '../load-server-maker.ts';
import type { OfferReader } from './create-offer-reader.ts';
import type { OfferedPrompt } from './to-prompts.ts';
import type { OfferedResource } from './to-resources.ts';

export interface Suggesting {
  readonly resources: readonly OfferedResource[];
  readonly prompts: ReadonlyMap<string, OfferedPrompt>;
}

/** Suggests values for the fields of resources and prompts. */
export function registerSuggestions(
  server: HandlerHost,
  { toInvalid }: OfferReader,
  { resources, prompts }: Suggesting,
): void {
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }) => {
    const field = { name: argument.name, typed: argument.value, given: context?.arguments ?? {} };
    if (ref.type === 'ref/prompt') {
      const prompt = prompts.get(ref.name);
      if (prompt === undefined) throw toInvalid(`There is no prompt '${ref.name}'.`);
      return findSuggestions(prompt.operation, prompt.options, field);
    }
    const resource = resources.find(({ declared }) => declared.uri === ref.uri);
    if (resource === undefined) throw toInvalid(`There is no resource '${ref.uri}'.`);
    return findSuggestions(resource.operation, resource.declared, field);
  });
}

/** The longest list that the protocol admits. */
const MAX_VALUES = 100;

/** A field that a person fills in. */
interface TypedField {
  readonly name: string;
  readonly typed: string;
  readonly given: Readonly<Record<string, string>>;
}

/** Values for a field: those of the application, else those of an enum that begin with what is typed. */
async function findSuggestions(
  { definition }: Operation,
  { suggest }: OfferOptions,
  field: TypedField,
): Promise<CompleteResult> {
  const own = suggest !== undefined && Object.hasOwn(suggest, field.name) ? suggest[field.name] : undefined;
  const values = own === undefined ? enumOf(definition.schema, field) : await own(field.typed, field.given);
  const shown = values.slice(0, MAX_VALUES);
  return { completion: { values: [...shown], total: values.length, hasMore: shown.length < values.length } };
}

function enumOf(schema: Operation['definition']['schema'], { name, typed }: TypedField): readonly string[] {
  if (schema === undefined) return [];
  const { properties = {} } = describe(schema).input as {
    properties?: Record<string, { enum?: readonly unknown[] }>;
  };
  const values = Object.hasOwn(properties, name) ? (properties[name]?.enum ?? []) : [];
  const start = typed.toLowerCase();
  return values.map(String).filter((value) => value.toLowerCase().startsWith(start));
}
