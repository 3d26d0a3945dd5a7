import type { Schema } from '../../schema/schema.ts';
import type { JsonSchema } from '../../schema/to-json-schema.ts';
import { toWireSchema } from '../../schema/to-wire-schema.ts';
import { findValues, toChoice, toPlainSchema } from './to-plain-schema.ts';
import { toSchemaWords } from './to-schema-words.ts';

/** The input of a tool as hosts take it. */
export interface ToolSchema {
  /** An object at its root, without a choice beside it. */
  readonly schema: JsonSchema & { type: 'object' };
  /** The part that the schema cannot say, for the description of the tool. */
  readonly words: string | undefined;
}

/**
 * The input schema of a tool. Some hosts refuse every request that offers a tool with a choice at its root: such an input is one object
 * with the fields of all its branches, of which those are required that all branches require, and words say what goes together.
 */
export function toToolSchema(schema: Schema | undefined): ToolSchema {
  if (schema === undefined) return { schema: { type: 'object' }, words: undefined };
  const { $defs, ...root } = toPlainSchema(toWireSchema(schema, { io: 'input' }));
  const defs = ($defs ?? {}) as Readonly<Record<string, JsonSchema>>;
  const branches = toBranches(root, { defs, depth: 0 });
  const { $ref: _ref, anyOf: _anyOf, allOf: _allOf, ...rest } = root;
  const merged = branches.length === 0 ? rest : { ...rest, ...toOneObject(branches) };
  const kept = toReferred(defs, merged);
  return {
    schema: { ...merged, ...(Object.keys(kept).length === 0 ? {} : { $defs: kept }), type: 'object' },
    words: branches.length < 2 ? undefined : toBranchWords(branches),
  };
}

interface Surroundings {
  readonly defs: Readonly<Record<string, JsonSchema>>;
  /** The number of references and choices around it: a schema may contain itself. */
  readonly depth: number;
}

const MAX_DEPTH = 8;
/** Words about more branches than these help nobody, and their combinations may be many. */
const MAX_BRANCHES = 50;

/** The objects that a root admits. Anything but an object cannot be sent as the arguments of a tool. */
function toBranches(root: JsonSchema, { defs, depth }: Surroundings): readonly JsonSchema[] {
  const { $ref, anyOf, allOf, ...own } = root;
  const inside: Surroundings = { defs, depth: depth + 1 };
  if (depth > MAX_DEPTH) return [];
  if (typeof $ref === 'string') {
    const target = defs[$ref.replace(/^#\/\$defs\//, '')];
    return target === undefined ? [] : toBranches({ ...target, ...own }, inside);
  }
  if (Array.isArray(anyOf)) {
    const branches = anyOf.flatMap((branch: JsonSchema) => toBranches(branch, inside));
    return branches.slice(0, MAX_BRANCHES).map((branch) => toBoth(own, branch));
  }
  if (Array.isArray(allOf)) return toAll(allOf as readonly JsonSchema[], { own, inside });
  return own['type'] === 'object' || own['properties'] !== undefined ? [own] : [];
}

/** Each branch of one part with each of the others. */
function toAll(
  parts: readonly JsonSchema[],
  { own, inside }: { readonly own: JsonSchema; readonly inside: Surroundings },
): readonly JsonSchema[] {
  return parts.reduce<readonly JsonSchema[]>(
    (before, part) => {
      const branches = toBranches(part, inside);
      if (branches.length === 0) return before;
      return before.flatMap((one) => branches.map((branch) => toBoth(one, branch))).slice(0, MAX_BRANCHES);
    },
    [own],
  );
}

/** An object that has the fields of both. */
function toBoth(one: JsonSchema, other: JsonSchema): JsonSchema {
  const required = [...new Set([...requiredOf(one), ...requiredOf(other)])];
  return {
    ...one,
    ...other,
    type: 'object',
    properties: { ...propertiesOf(one), ...propertiesOf(other) },
    ...(required.length === 0 ? {} : { required }),
  };
}

function toOneObject(branches: readonly JsonSchema[]): JsonSchema {
  const names = [...new Set(branches.flatMap((branch) => Object.keys(propertiesOf(branch))))];
  const properties = names.map((name): [string, JsonSchema] => {
    const schemas = branches.map((branch) => propertiesOf(branch)[name]).filter((found) => found !== undefined);
    return [name, toChoice(schemas)];
  });
  const required = names.filter((name) => branches.every((branch) => requiredOf(branch).includes(name)));
  const [first = {}] = branches;
  const isClosed = branches.every((branch) => branch['additionalProperties'] === false);
  const others = first['additionalProperties'];
  return {
    ...(branches.length === 1 && first['description'] !== undefined ? { description: first['description'] } : {}),
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    ...(isClosed || (branches.length === 1 && others !== undefined) ? { additionalProperties: others } : {}),
  };
}

/** `Send one of these sets of fields: kind "card" with number; kind "bank" with iban, optionally name.` */
function toBranchWords(branches: readonly JsonSchema[]): string {
  const sets = branches.map((branch) => {
    const fields = Object.entries(propertiesOf(branch));
    const isTag = (schema: JsonSchema): boolean => findValues(schema)?.length === 1;
    const tags = fields
      .filter(([, schema]) => isTag(schema))
      .map(([name, schema]) => `${name} ${toSchemaWords(schema)}`);
    const named = (isRequired: boolean): readonly string[] =>
      fields
        .filter(([name, schema]) => !isTag(schema) && requiredOf(branch).includes(name) === isRequired)
        .map(([name]) => name);
    const required = [tags.join(', '), named(true).join(', ')].filter((text) => text !== '').join(' with ');
    const optional = named(false).join(', ');
    return [required, optional && `optionally ${optional}`].filter((text) => text !== '').join(', ') || 'no field';
  });
  return `Send one of these sets of fields: ${[...new Set(sets)].join('; ')}.`;
}

/** The definitions that something in the schema refers to. */
function toReferred(
  defs: Readonly<Record<string, JsonSchema>>,
  root: JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const referred = new Map<string, JsonSchema>();
  const waiting = [root];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]*)"/g)) {
      const target = defs[name];
      if (target === undefined || referred.has(name)) continue;
      referred.set(name, target);
      waiting.push(target);
    }
  }
  return Object.fromEntries(referred);
}

function propertiesOf({ properties = {} }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>;
}

function requiredOf({ required = [] }: JsonSchema): readonly string[] {
  return required as readonly string[];
}
