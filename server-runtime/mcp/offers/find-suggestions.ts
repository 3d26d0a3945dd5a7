import type { CompleteResult } from '@modelcontextprotocol/server';
import type { OfferOptions } from '../../capability/offers/offers.ts';
import type { Operation } from '../../registry/operation.ts';
import { describe } from '../../schema/describe.ts';

/** The longest list that the protocol admits. */
const MAX_VALUES = 100;

/** A field that a person fills in. */
export interface TypedField {
  readonly name: string;
  readonly typed: string;
  readonly given: Readonly<Record<string, string>>;
}

/** Values for a field: those of the application, else those of an enum that begin with what is typed. */
export async function findSuggestions(
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
