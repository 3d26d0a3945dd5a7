import { describe } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { joinWords, mapSubschemas, withoutMarks } from '../schema/json-schema.ts';
import { type JsonBranch, toChoices, toObjectBranches, toOneObject } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';
import { toSchemaWords } from '../schema/to-telling-message.ts';

/**
 * The input schema of a tool. Some hosts refuse every request that offers a tool with a choice at its root: such an
 * input is one object with the fields of all its branches, of which those are required that all branches require, and
 * words say what goes together.
 */
export function toToolSchema(schema: Schema | undefined): {
  /** An object at its root, without a choice beside it. */
  readonly schema: JsonSchema & { type: 'object' };
  /** The part that the schema cannot say, for the description of the tool. */
  readonly words: string | undefined;
} {
  if (schema === undefined) return { schema: { type: 'object' }, words: undefined };
  const input = describe(schema).input;
  const branches = toObjectBranches(input);
  const { $ref: _ref, anyOf: _any, oneOf: _one, allOf: _all, ...own } = input;
  const { $defs = {}, ...plain } = toPlainSchema({ ...own, ...(branches.length === 0 ? {} : toObject(branches)) });
  const kept = toReferred($defs as Readonly<Record<string, JsonSchema>>, plain);
  return {
    schema: { ...plain, ...(Object.keys(kept).length === 0 ? {} : { $defs: kept }), type: 'object' },
    words: branches.length < 2 ? undefined : toBranchWords(branches),
  };
}

function toObject(branches: readonly JsonBranch[]): JsonSchema {
  const { fields, required, isClosed, json } = toOneObject(branches);
  const { description, additionalProperties } = json;
  return {
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(fields),
    ...(required.size === 0 ? {} : { required: [...required] }),
    ...(isClosed
      ? { additionalProperties: false }
      : additionalProperties === undefined
        ? {}
        : { additionalProperties }),
  };
}

/** `Send one of these sets of fields: kind "card" with number; kind "bank" with iban, optionally name.` */
function toBranchWords(branches: readonly JsonBranch[]): string {
  const sets = branches.map(({ fields, required }) => {
    const tags = [...fields].filter(([, schema]) => toChoices(schema).length === 1);
    const others = [...fields.keys()].filter((name) => !tags.some(([tag]) => tag === name));
    const must = others.filter((name) => required.has(name)).join(', ');
    const may = others.filter((name) => !required.has(name)).join(', ');
    const tagged = tags.map(([name, schema]) => `${name} ${toSchemaWords(schema)}`).join(', ');
    const words = [[tagged, must].filter(Boolean).join(' with '), may && `optionally ${may}`].filter(Boolean);
    return words.join(', ') || 'no field';
  });
  return `Send one of these sets of fields: ${[...new Set(sets)].join('; ')}.`;
}

/** The definitions that something in the schema refers to. */
function toReferred(
  defs: Readonly<Record<string, JsonSchema>>,
  root: JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const referred: Record<string, JsonSchema> = {};
  const follow = (schema: JsonSchema): void => {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]*)"/g)) {
      const target = defs[name];
      if (target === undefined || Object.hasOwn(referred, name)) continue;
      referred[name] = target;
      follow(target);
    }
  };
  follow(root);
  return referred;
}

/**
 * A JSON Schema as the hosts of models take it, in as few characters as it needs: without regular expressions beside a
 * format that says the same, with lists of types and tuples as choices, and nothing that is a schema `false`. It admits
 * what the given one admits, and may admit more: what is sent is validated by the schema itself. `toRef` says where
 * what is referred to stands now.
 */
export function toPlainSchema(json: JsonSchema, toRef = (ref: string): string => ref): JsonSchema {
  return mapSubschemas(toPlainNode(json, toRef), (inner) => toPlainSchema(inner, toRef));
}

/** One level: what stands inside is still as it was. */
function toPlainNode(json: JsonSchema, toRef: (ref: string) => string): JsonSchema {
  const plain = withoutMarks(json);
  const { $ref, format, pattern, maximum, minimum } = plain;
  if (typeof $ref === 'string') plain['$ref'] = toRef($ref);
  if (typeof pattern === 'string' && (knownFormats.has(format) || pattern.includes('\\p{'))) delete plain['pattern'];
  // The bounds that every integer has.
  if (maximum === Number.MAX_SAFE_INTEGER) delete plain['maximum'];
  if (minimum === Number.MIN_SAFE_INTEGER) delete plain['minimum'];
  if (isAnyText(plain['propertyNames'])) delete plain['propertyNames'];
  if (plain['oneOf'] !== undefined && plain['anyOf'] === undefined) {
    plain['anyOf'] = plain['oneOf'];
    delete plain['oneOf'];
  }
  return toEnum(toTypedChoice(toList(plain)));
}

/** Formats that models know without their patterns. The pattern of an e-mail may be the author's own. */
const knownFormats: ReadonlySet<unknown> = new Set(['date', 'date-time', 'time', 'uuid', 'ipv4', 'ipv6']);

/** The names in JSON are texts, whoever says so. */
function isAnyText(names: unknown): boolean {
  return typeof names === 'object' && names !== null && Object.keys(names).join() === 'type';
}

/** A tuple is a list of so many items, each of one of their schemas; the words say which comes where. */
function toList({ prefixItems, items, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(prefixItems)) return items === undefined || items === false ? rest : { ...rest, items };
  const first = prefixItems as readonly JsonSchema[];
  const others = typeof items === 'object' && items !== null ? [items as JsonSchema] : [];
  const words = [...first.map(toSchemaWords), ...others.map((each) => `then any number of ${toSchemaWords(each)}`)];
  const [only, ...choices] = new Map([...first, ...others].map((each) => [JSON.stringify(each), each])).values();
  return {
    ...rest,
    ...(others.length === 0 ? { maxItems: first.length } : {}),
    items: choices.length === 0 ? only : { anyOf: [only, ...choices] },
    description: joinWords(rest['description'], `In this order: ${words.join(', ')}.`),
  };
}

/** `{type: ['string', 'null']}` is a choice of two. */
function toTypedChoice({ type, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  const { description, default: standard, ...facts } = rest;
  const { format: _format, pattern: _pattern, ...others } = facts;
  return {
    anyOf: type.map((each: string) => ({ type: each, ...(each === 'null' ? {} : each === 'string' ? facts : others) })),
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
function findValues(schema: JsonSchema): readonly unknown[] | undefined {
  const { const: value, enum: values } = schema;
  if (Object.keys(schema).some((keyword) => !['const', 'enum', 'type'].includes(keyword))) return undefined;
  if ('const' in schema) return [value];
  return Array.isArray(values) ? values : undefined;
}
