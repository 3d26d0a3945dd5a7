import { describe } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { joinWords, mapSubschemas, withoutMarks } from '../schema/json-schema.ts';
import { isObject, type JsonBranch, toChoices, toOneObject } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';

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
  const { input, lens } = describe(schema);
  const branches = lens.branches.filter(isObject);
  const { $ref: _ref, anyOf: _any, oneOf: _one, allOf: _all, $defs = {}, ...own } = input;
  const plain = toPlainSchema({ ...own, ...(branches.length > 0 && toOneObject(branches).json) });
  const defs = Object.entries(toPlainSchema({ $defs })['$defs'] as JsonSchema);
  const kept = findReferred(plain, new Map(defs as [string, JsonSchema][]));
  return {
    schema: { ...plain, ...(kept.size > 0 && { $defs: Object.fromEntries(kept) }), type: 'object' },
    words: branches.length < 2 ? undefined : toBranchWords(branches),
  };
}

/** `Send one of these sets of fields: kind "card" with number; kind "bank" with iban, optionally name.` */
function toBranchWords(branches: readonly JsonBranch[]): string {
  const sets = branches.map(({ properties = {}, required = [] }) => {
    const names = Object.keys(properties);
    const tags = names.filter((name) => toChoices(properties[name] ?? {}).length === 1);
    const others = names.filter((name) => !tags.includes(name));
    const must = others.filter((name) => required.includes(name)).join(', ');
    const may = others.filter((name) => !required.includes(name)).join(', ');
    const tagged = tags.map((name) => `${name} ${toWords(properties[name] ?? {})}`).join(', ');
    return [[tagged, must].filter(Boolean).join(' with '), may && `optionally ${may}`].filter(Boolean).join(', ');
  });
  return `Send one of these sets of fields: ${[...new Set(sets.map((set) => set || 'no field'))].join('; ')}.`;
}

/** The definitions that something in the schema refers to. */
function findReferred(schema: JsonSchema, defs: Map<string, JsonSchema>, found = new Map<string, JsonSchema>()) {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]*)"/g)) {
    const target = found.has(name) ? undefined : defs.get(name);
    if (target !== undefined) findReferred(target, defs, found.set(name, target));
  }
  return found;
}

/**
 * A JSON Schema as the hosts of models take it, in as few characters as it needs: without regular expressions that
 * their languages do not read, with lists of types and tuples as choices, and nothing that is a schema `false`. It
 * admits what the given one admits, and may admit more: what is sent is validated by the schema itself. `toRef` says
 * where what is referred to stands now.
 */
export function toPlainSchema(json: JsonSchema, toRef = (ref: string): string => ref): JsonSchema {
  return mapSubschemas(toPlainNode(json, toRef), (inner) => toPlainSchema(inner, toRef));
}

/** One level: what stands inside is still as it was. */
function toPlainNode(json: JsonSchema, toRef: (ref: string) => string): JsonSchema {
  const { $ref, pattern, maximum, minimum, oneOf, ...plain } = withoutMarks(json);
  return toEnum(
    toTypedChoice(
      toList({
        ...(typeof $ref === 'string' && { $ref: toRef($ref) }),
        ...(oneOf !== undefined && { anyOf: oneOf }),
        ...plain,
        ...(typeof pattern === 'string' &&
          !knownFormats.has(plain['format']) &&
          !pattern.includes('\\p{') && { pattern }),
        // Every integer has the bounds of the safe ones.
        ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
        ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
      }),
    ),
  );
}

/** Formats that models know without their patterns. The pattern of an e-mail may be the author's own. */
const knownFormats: ReadonlySet<unknown> = new Set(['date', 'date-time', 'time', 'uuid', 'ipv4', 'ipv6']);

/** A tuple is a list of so many items, each of one of their schemas; the words say which comes where. */
function toList({ prefixItems, items, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(prefixItems)) return items === undefined || items === false ? rest : { ...rest, items };
  const first = prefixItems as readonly JsonSchema[];
  const others = typeof items === 'object' && items !== null ? [items as JsonSchema] : [];
  const words = [...first.map(toWords), ...others.map((each) => `then any number of ${toWords(each)}`)];
  const [only, ...choices] = new Map([...first, ...others].map((each) => [JSON.stringify(each), each])).values();
  return {
    ...rest,
    ...(others.length === 0 && { maxItems: first.length }),
    items: choices.length === 0 ? only : { anyOf: [only, ...choices] },
    description: joinWords(rest['description'], `In this order: ${words.join(', ')}.`),
  };
}

function toWords(json: JsonSchema): string {
  const choices = toChoices(json).map((each) => JSON.stringify(each));
  const { type = 'any value', format = type } = json as { readonly type?: string; readonly format?: string };
  return choices.length > 0 ? choices.join(' or ') : format;
}

/** `{type: ['string', 'null']}` is a choice of two. */
function toTypedChoice({ type, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  const { description, default: standard, ...facts } = rest;
  const { format: _format, pattern: _pattern, ...others } = facts;
  return {
    anyOf: type.map((each: string) => ({ type: each, ...(each === 'null' ? {} : each === 'string' ? facts : others) })),
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
  };
}

/** A choice of single values of one type is a list of values. */
function toEnum({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(anyOf)) return rest;
  const branches = anyOf as readonly JsonSchema[];
  const types = new Set(branches.map(({ type }) => type));
  const isListed = ({ type: _type, const: _value, enum: _values, ...more }: JsonSchema): boolean =>
    Object.keys(more).length === 0;
  if (types.size !== 1 || !branches.every((each) => toChoices(each).length > 0 && isListed(each)))
    return { anyOf, ...rest };
  return { type: branches[0]?.['type'], enum: [...new Set(branches.flatMap(toChoices))], ...rest };
}
