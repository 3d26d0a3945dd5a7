import { describe } from '../schema/describe.ts';
import { type JsonSchema, joinWords, mapSubschemas, withoutMarks } from '../schema/json-schema.ts';
import { isObject, type JsonBranch, toChoices, toOneSchema } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * The input schema of a tool, which is one object: some hosts refuse a choice at the root, which is then described in
 * words.
 */
export function toToolSchema(schema: Schema | undefined): {
  schema: JsonSchema & { type: 'object' };
  words: string;
} {
  if (schema === undefined) return { schema: { type: 'object', properties: {} }, words: '' };
  const { input, lens } = describe(schema);
  const branches = lens.branches.filter(isObject);
  const { $ref: _ref, anyOf: _any, oneOf: _one, allOf: _all, ...own } = input;
  const { $defs = {}, ...plain } = toPlainSchema({
    ...own,
    ...(branches.length > 0 && lens.object.json),
    type: 'object',
  });
  const text = JSON.stringify([plain, $defs]);
  const definitions = Object.entries($defs as JsonSchema).filter(([name]) =>
    text.includes(`"#/$defs/${name}"`),
  );
  return {
    schema: {
      ...plain,
      ...(definitions.length > 0 && { $defs: Object.fromEntries(definitions) }),
      type: 'object',
    },
    words: branches.length < 2 ? '' : toBranchWords(branches),
  };
}

/** `Send one of these sets of fields: kind "card" with number; kind "bank" with iban, optionally name.` */
function toBranchWords(branches: readonly JsonBranch[]): string {
  const sets = branches.map(({ properties, required = [] }) => {
    const names = Object.keys(properties);
    const isTag = (name: string): boolean => toChoices(properties[name] ?? {}).length === 1;
    const tags = names.filter(isTag).map((name) => `${name} ${toWords(properties[name] ?? {})}`);
    const others = names.filter((name) => !isTag(name));
    const must = others.filter((name) => required.includes(name));
    const may = others.filter((name) => !required.includes(name));
    const sure = [tags.join(', '), must.join(', ')].filter(Boolean).join(' with ');
    return (
      [sure, may.length > 0 && `optionally ${may.join(', ')}`].filter(Boolean).join(', ') ||
      'no field'
    );
  });
  return `Send one of these sets of fields: ${[...new Set(sets)].join('; ')}.`;
}

/** A JSON Schema as the hosts of models read it, which may admit more. `toRef` gives the new target of a reference. */
export function toPlainSchema(json: JsonSchema, toRef = (ref: string): string => ref): JsonSchema {
  // The schemas inside are unchanged so far.
  const { $ref, oneOf, ...plain } = withoutMarks(json);
  if (typeof $ref === 'string') plain['$ref'] = toRef($ref);
  if (oneOf !== undefined) plain['anyOf'] = oneOf;
  // Models know these formats without their patterns. The pattern of an e-mail may be the author's own.
  const isKnown = /^(date|date-time|time|uuid|ipv4|ipv6)$/.test(String(plain['format']));
  if (isKnown || String(plain['pattern']).includes('\\p{')) delete plain['pattern'];
  // Every integer has the bounds of the safe ones.
  if (plain['minimum'] === Number.MIN_SAFE_INTEGER) delete plain['minimum'];
  if (plain['maximum'] === Number.MAX_SAFE_INTEGER) delete plain['maximum'];
  // OpenAI's API refuses all tools of a request where an object of one has none.
  if (plain['type'] === 'object') plain['properties'] ??= {};
  return mapSubschemas(toEnum(toTypedChoice(toList(plain))), (inner) =>
    toPlainSchema(inner, toRef),
  );
}

/** A tuple is a list of so many items, each of one of their schemas; the words say which comes where. */
function toList({ prefixItems, items, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(prefixItems)) return typeof items === 'object' ? { ...rest, items } : rest;
  const first = prefixItems as readonly JsonSchema[];
  const { maxItems = Number.POSITIVE_INFINITY } = rest as { readonly maxItems?: number };
  const others = maxItems > first.length ? [(items ?? {}) as JsonSchema] : [];
  const words = [
    ...first.map(toWords),
    ...others.map((each) => `then any number of ${toWords(each)}`),
  ];
  return {
    ...rest,
    items:
      items === undefined && others.length > 0 ? {} : toOneSchema('anyOf', [...first, ...others]),
    description: joinWords(rest['description'], `In this order: ${words.join(', ')}.`),
  };
}

function toWords(json: JsonSchema): string {
  const { type = 'any value', format = type } = json;
  const choices = toChoices(json).map((each) => JSON.stringify(each));
  return choices.join(' or ') || String(format);
}

/** `{type: ['string', 'null']}` becomes a choice of two; all other keywords belong to the first. */
function toTypedChoice(json: JsonSchema): JsonSchema {
  const { type: types, description, default: standard, ...facts } = json;
  if (!Array.isArray(types)) return json;
  const anyOf = types.map((type: string, at) => (at === 0 ? { type, ...facts } : { type }));
  return {
    anyOf,
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
  };
}

/** A choice of single values of one type is a list of values. */
function toEnum(json: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = json;
  const branches = (anyOf ?? []) as readonly JsonSchema[];
  const isListed = (each: JsonSchema): boolean =>
    toChoices(each).length > 0 &&
    Object.keys(each).every((word) => ['type', 'const', 'enum'].includes(word));
  if (new Set(branches.map(({ type }) => type)).size !== 1 || !branches.every(isListed))
    return json;
  return { type: branches[0]?.['type'], enum: [...new Set(branches.flatMap(toChoices))], ...rest };
}
