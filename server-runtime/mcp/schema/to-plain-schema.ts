import { regexes } from 'zod/v4/core';
import { mapSubschemas } from '../../schema/map-subschemas.ts';
import type { JsonSchema } from '../../schema/to-json-schema.ts';
import { toSchemaWords } from './to-schema-words.ts';

/**
 * A JSON Schema as the hosts of models take it, in as few characters as it needs: without regular expressions beside a format that says the
 * same, with lists of types and tuples as choices, and nothing that is a schema `false`. It admits what the given one admits, and may admit more:
 * what is sent is validated by the schema itself.
 */
export function toPlainSchema(json: JsonSchema): JsonSchema {
  return mapSubschemas(toPlainNode(json), toPlainSchema);
}

/** One level: what stands inside is still as it was. */
function toPlainNode(json: JsonSchema): JsonSchema {
  const plain = { ...json };
  if (isKnownPattern(plain)) delete plain['pattern'];
  if (isAnyText(plain['propertyNames'])) delete plain['propertyNames'];
  if (plain['oneOf'] !== undefined && plain['anyOf'] === undefined) {
    plain['anyOf'] = plain['oneOf'];
    delete plain['oneOf'];
  }
  return toEnum(toTypedChoice(toList(plain)));
}

const emailPatterns: ReadonlySet<string> = new Set(
  [regexes.email, regexes.html5Email, regexes.rfc5322Email, regexes.unicodeEmail].map(({ source }) => source),
);
/** Formats that models know, of which zod makes the pattern itself. That of an e-mail address may be another one. */
const knownFormats: ReadonlySet<unknown> = new Set(['date', 'date-time', 'time', 'duration', 'uuid', 'ipv4', 'ipv6']);

function isKnownPattern({ format, pattern }: JsonSchema): boolean {
  if (typeof pattern !== 'string') return false;
  return knownFormats.has(format) || (format === 'email' && emailPatterns.has(pattern));
}

/** The names in JSON are texts, whoever says so. */
function isAnyText(names: unknown): boolean {
  return typeof names === 'object' && names !== null && Object.keys(names).join() === 'type';
}

/** A tuple is a list of so many items, each of one of their schemas; the words say which comes where. */
function toList({ prefixItems, items, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(prefixItems)) return items === undefined || items === false ? rest : { ...rest, items };
  const first = prefixItems as readonly JsonSchema[];
  const others = typeof items === 'object' && items !== null ? (items as JsonSchema) : undefined;
  const words = [
    ...first.map(toSchemaWords),
    ...(others === undefined ? [] : [`then any number of ${toSchemaWords(others)}`]),
  ];
  return {
    ...rest,
    ...(items === false || items === undefined ? { maxItems: first.length } : {}),
    items: toChoice(others === undefined ? first : [...first, others]),
    description: joinWords(rest['description'], `In this order: ${words.join(', ')}.`),
  };
}

/** `{type: ['string', 'null']}` is a choice of two. */
function toTypedChoice({ type, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  const { description, default: standard, ...facts } = rest;
  return {
    anyOf: type.map((each: string) => (each === 'null' ? { type: each } : { type: each, ...facts })),
    ...(description === undefined ? {} : { description }),
    ...(standard === undefined ? {} : { default: standard }),
  };
}

/** A choice of single values of one type is a list of values. */
function toEnum({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(anyOf)) return rest;
  const values = anyOf.map((each: JsonSchema) => findValues(each));
  const types = new Set(anyOf.map((each: JsonSchema) => each['type']));
  const [type] = types;
  if (types.size !== 1 || type === undefined || values.includes(undefined)) return { anyOf, ...rest };
  return { type, enum: [...new Set(values.flat())], ...rest };
}

/** The values of a schema that only lists some. */
export function findValues(schema: JsonSchema): readonly unknown[] | undefined {
  const { const: value, enum: values } = schema;
  if (Object.keys(schema).some((keyword) => !['const', 'enum', 'type'].includes(keyword))) return undefined;
  if ('const' in schema) return [value];
  return Array.isArray(values) ? values : undefined;
}

/** One schema for several, each once. */
export function toChoice(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? (distinct[0] as JsonSchema) : toEnum({ anyOf: distinct });
}

/** Two texts of which the first may be missing. */
export function joinWords(first: unknown, second: string): string {
  return typeof first === 'string' && first !== '' ? `${first.replace(/[.\s]+$/, '')}. ${second}` : second;
}
