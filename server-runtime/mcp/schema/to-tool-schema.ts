import { describe } from '../../schema/describe.ts';
import { type JsonBranch, toChoices, toObjectBranches, toOneObject } from '../../schema/json-branches.ts';
import type { Schema } from '../../schema/schema.ts';
import type { JsonSchema } from '../../schema/to-json-schema.ts';
import { toSchemaWords } from '../../schema/to-telling-message.ts';
import { toPlainSchema } from './to-plain-schema.ts';

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
