import { mapSubschemas } from './map-subschemas.ts';
import { MARKS, type Marks, withMarks } from './marks.ts';
import type { SchemaSide, StandardSchema } from './schema.ts';
import type { JsonSchema } from './to-json-schema.ts';

/**
 * The JSON Schema of one side of a schema that is not of zod, of draft 2020-12, as its own library writes it. What JSON cannot say is left open.
 *
 * @throws Error where the library has none, or its converter is not installed
 */
export function toStandardJson(schema: StandardSchema, side: SchemaSide): JsonSchema {
  const { $schema: _dialect, ...json } = writeJson(schema, side) as JsonSchema;
  return correct(json, findFlags(schema));
}

/** The second interface, [Standard JSON Schema](https://standardschema.dev/json-schema), which arktype has, and valibot by `toStandardJsonSchema`. */
interface JsonSchemaWriter {
  readonly jsonSchema?: Readonly<
    Record<SchemaSide, (options: { readonly target: string; readonly libraryOptions: object }) => object>
  >;
}

function writeJson(schema: StandardSchema, side: SchemaSide): object {
  const { vendor, jsonSchema } = schema['~standard'] as StandardSchema['~standard'] & JsonSchemaWriter;
  const libraryOptions = toLaxOptions(side)[vendor] ?? {};
  if (jsonSchema !== undefined) return jsonSchema[side]({ target: TARGET, libraryOptions });
  if (vendor !== 'valibot')
    throw new TypeError(
      `A schema of ${vendor} cannot be used: it does not implement Standard JSON Schema. Those of zod, valibot and arktype can.`,
    );
  const { toJsonSchema } = requireConverter();
  return toJsonSchema(schema, { typeMode: side, target: TARGET, ...libraryOptions });
}

const TARGET = 'draft-2020-12';

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
      overrideAction: ({ valibotAction: { requirement }, jsonSchema }: ValibotAction) => {
        if (!(requirement instanceof RegExp) || !/[imsv]/.test(requirement.flags)) return undefined;
        const { pattern, ...rest } = jsonSchema;
        return pattern === requirement.source
          ? withMarks(rest, { words: `Matches ${String(requirement)}.` })
          : undefined;
      },
    },
    arktype: {
      fallback: ({ code, base, unit }: ArkNode) =>
        code === 'unit' && unit === undefined ? nothing : { ...base, ...texts[code] },
    },
  };
}

/** The schema of undefined: as an item of a list it is `null` in JSON, as a field it is not there. */
const NOTHING: JsonSchema = { type: 'null', [MARKS]: { isNothing: true } };
const maybeNothing: ReadonlySet<string> = new Set(['optional', 'exact_optional', 'undefinedable']);

/** Kinds of value that JSON carries as text, by the names that both libraries have for them. */
const texts: Readonly<Record<string, object>> = {
  date: { type: 'string', format: 'date-time' },
  bigint: { type: 'string', pattern: String.raw`^-?\d+$` },
};

interface ValibotNode {
  readonly valibotSchema: { readonly type: string };
  readonly jsonSchema: JsonSchema;
}

interface ValibotAction {
  readonly valibotAction: { readonly requirement?: unknown };
  readonly jsonSchema: JsonSchema;
}

interface ArkNode {
  readonly code: string;
  readonly base: object;
  readonly unit?: unknown;
}

/** The patterns of arktype that have flags, which it leaves out of its JSON Schema, by their sources. */
function findFlags(schema: StandardSchema): ReadonlyMap<string, RegExp> {
  const { json } = schema as { readonly json?: unknown };
  const found = new Map<string, RegExp>();
  if (schema['~standard'].vendor === 'arktype')
    JSON.stringify(json, (_name, part: { readonly rule?: unknown; readonly flags?: unknown } | null) => {
      if (typeof part?.rule === 'string' && typeof part.flags === 'string' && /[imsv]/.test(part.flags))
        found.set(part.rule, new RegExp(part.rule, part.flags));
      return part;
    });
  return found;
}

function correct(original: JsonSchema, flags: ReadonlyMap<string, RegExp>): JsonSchema {
  if (typeof original !== 'object') return original;
  const json = mapSubschemas(original, (inner) => correct(inner, flags));
  const flagged = flags.get(String(json['pattern']));
  if (flagged !== undefined) {
    const { pattern: _pattern, ...rest } = json;
    return withMarks(rest, { words: `Matches ${String(flagged)}.` });
  }
  const { properties, required } = json as { readonly properties?: Fields; readonly required?: readonly string[] };
  if (properties === undefined) return json;
  const lacking = Object.keys(properties).filter((name) => properties[name]?.anyOf?.some(isNothing));
  const fields = Object.entries(properties).map(([name, { anyOf = [], ...field }]) => {
    if (!lacking.includes(name)) return [name, properties[name]] as const;
    const [first = {}, ...others] = anyOf.filter((each) => !isNothing(each));
    return [name, { ...field, ...(others.length === 0 ? first : { anyOf: [first, ...others] }) }] as const;
  });
  return {
    ...json,
    properties: Object.fromEntries(fields),
    ...(required === undefined ? {} : { required: required.filter((name) => !lacking.includes(name)) }),
  };
}

type Fields = Readonly<Record<string, JsonSchema & { readonly anyOf?: readonly JsonSchema[] }>>;

function isNothing(json: JsonSchema): boolean {
  return (json[MARKS] as Marks | undefined)?.isNothing === true;
}

const CONVERTER = '@valibot/to-json-schema';

interface Converter {
  readonly toJsonSchema: (schema: unknown, options: object) => object;
}

/** Routes and inputs are worked out in the same turn, so that the converter cannot be imported. Bundlers do not see it here: the error says what to do. */
function requireConverter(): Converter {
  try {
    const { createRequire } = process.getBuiltinModule('node:module');
    return createRequire(import.meta.url)(CONVERTER) as Converter;
  } catch (cause) {
    throw new Error(
      `Schemas of valibot need what is not installed: npm install ${CONVERTER}. In a bundle, give each schema as toStandardJsonSchema(schema), from the same package.`,
      { cause },
    );
  }
}
