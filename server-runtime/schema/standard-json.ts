import type { JsonSchema } from './json-schema.ts';
import { mapSubschemas, marksOf, withMarks } from './json-schema.ts';
import type { SchemaSide, StandardSchema } from './schema.ts';

/**
 * The JSON Schema of one side of a schema that is not of zod, of draft 2020-12, as its own library writes it. What JSON
 * cannot say is left open.
 *
 * @throws Error where the library has none, or its converter is not installed
 */
export function toStandardJson(schema: StandardSchema, side: SchemaSide): JsonSchema {
  const { vendor, jsonSchema } = schema['~standard'] as StandardSchema['~standard'] & JsonSchemaWriter;
  const target = 'draft-2020-12';
  const libraryOptions = toLaxOptions(side)[vendor] ?? {};
  if (jsonSchema === undefined && vendor !== 'valibot')
    throw new TypeError(
      `A schema of ${vendor} cannot be used: it does not implement Standard JSON Schema. Those of zod, valibot and ` +
        'arktype can.',
    );
  const { $schema: _dialect, ...json } =
    jsonSchema === undefined
      ? requireConverter()(schema, { typeMode: side, target, ...libraryOptions })
      : jsonSchema[side]({ target, libraryOptions });
  return correct(json, vendor === 'arktype' ? findFlagged((schema as { readonly json?: unknown }).json) : new Map());
}

/** [Standard JSON Schema](https://standardschema.dev/json-schema): arktype, and valibot by `toStandardJsonSchema`. */
interface JsonSchemaWriter {
  readonly jsonSchema?: Readonly<
    Record<SchemaSide, (options: { readonly target: string; readonly libraryOptions: object }) => JsonSchema>
  >;
}

/** The options by which a library leaves open what JSON cannot say, instead of throwing. */
function toLaxOptions(side: SchemaSide): Readonly<Record<string, object>> {
  const nothing = side === 'output' ? NOTHING : { not: {} };
  return {
    valibot: {
      errorMode: 'ignore',
      overrideSchema: ({ valibotSchema: { type }, jsonSchema }: ValibotNode) => {
        if (type === 'loose_object') return { ...jsonSchema, additionalProperties: true };
        if (type === 'undefined' || type === 'void') return nothing;
        if (side === 'output' && maybeNothing.has(type)) return { anyOf: [jsonSchema, NOTHING] };
        return texts[type];
      },
      overrideAction: ({ valibotAction: { requirement }, jsonSchema }: ValibotNode) =>
        requirement instanceof RegExp && isFlagged(requirement.flags) ? toWords(jsonSchema, requirement) : undefined,
    },
    arktype: {
      fallback: ({ code, base, unit }: { readonly code: string; readonly base: object; readonly unit?: unknown }) =>
        code === 'unit' && unit === undefined ? nothing : { ...base, ...texts[code] },
    },
  };
}

/** A part of a schema of valibot, and what is written of it. */
interface ValibotNode {
  readonly valibotSchema: { readonly type: string };
  readonly valibotAction: { readonly requirement?: unknown };
  readonly jsonSchema: JsonSchema;
}

/** The schema of undefined: as an item of a list it is `null` in JSON, as a field it is not there. */
const NOTHING: JsonSchema = withMarks({ type: 'null' }, { isNothing: true });
const maybeNothing: ReadonlySet<string> = new Set(['optional', 'exact_optional', 'undefinedable']);

/** Kinds of value that JSON carries as text, by the names that both libraries have for them. */
const texts: Readonly<Record<string, object>> = {
  date: { type: 'string', format: 'date-time' },
  bigint: { type: 'string', pattern: String.raw`^-?\d+$` },
};

function isFlagged(flags: string): boolean {
  return /[imsv]/.test(flags);
}

/** Says in words an expression with flags, which JSON Schema has not. */
function toWords({ pattern: _pattern, ...rest }: JsonSchema, expression: RegExp): JsonSchema {
  return withMarks(rest, { words: `Matches ${String(expression)}.` });
}

/** The patterns of arktype that have flags, which it leaves out of its JSON Schema, by their sources. */
function findFlagged(json: unknown): ReadonlyMap<unknown, RegExp> {
  const found = new Map<unknown, RegExp>();
  JSON.stringify(json, (_name, part: { readonly rule?: string; readonly flags?: string } | null) => {
    if (part?.rule !== undefined && isFlagged(part.flags ?? ''))
      found.set(part.rule, new RegExp(part.rule, part.flags));
    return part;
  });
  return found;
}

function correct(original: JsonSchema, flagged: ReadonlyMap<unknown, RegExp>): JsonSchema {
  if (typeof original !== 'object') return original;
  const json = mapSubschemas(original, (inner) => correct(inner, flagged));
  const expression = flagged.get(json['pattern']);
  if (expression !== undefined) return toWords(json, expression);
  const { properties, required = [] } = json as { properties?: Record<string, Field>; required?: readonly string[] };
  if (properties === undefined) return json;
  const sent = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, withoutNothing(field)]));
  const always = required.filter((name) => sent[name] === properties[name]);
  return { ...json, properties: sent, ...(required.length > 0 && { required: always }) };
}

type Field = JsonSchema & { readonly anyOf?: readonly JsonSchema[] };

function withoutNothing(field: Field): JsonSchema {
  const { anyOf = [], ...rest } = field;
  const others = anyOf.filter((each) => marksOf(each).isNothing !== true);
  if (others.length === anyOf.length) return field;
  return { ...rest, ...(others.length < 2 ? others[0] : { anyOf: others }) };
}

const CONVERTER = '@valibot/to-json-schema';

/** Routes and inputs are worked out in one turn, so the converter cannot be imported; bundlers miss it. */
function requireConverter(): (schema: unknown, options: object) => JsonSchema {
  try {
    const { createRequire } = process.getBuiltinModule('node:module');
    return (createRequire(import.meta.url)(CONVERTER) as { toJsonSchema: ReturnType<typeof requireConverter> })
      .toJsonSchema;
  } catch (cause) {
    throw new Error(
      `Schemas of valibot need what is not installed: npm install ${CONVERTER}. In a bundle, give each schema as ` +
        'toStandardJsonSchema(schema), from the same package.',
      { cause },
    );
  }
}
