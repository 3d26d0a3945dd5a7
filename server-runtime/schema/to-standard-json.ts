import {
  type JsonSchema,
  type MarkedSchema,
  mapSubschemas,
  textsOf,
  toFlagWords,
} from './json-schema.ts';
import type { SchemaSide, StandardSchema } from './schema.ts';

/** The JSON Schema of a schema that is not of zod, as its own library writes it, with marks. @throws without one */
export function toStandardJson(schema: StandardSchema, side: SchemaSide): JsonSchema {
  // [Standard JSON Schema](https://standardschema.dev/json-schema): arktype, and valibot by `toStandardJsonSchema`.
  const { vendor, jsonSchema } = schema['~standard'] as StandardSchema['~standard'] & {
    readonly jsonSchema?: Readonly<Record<SchemaSide, (options: object) => JsonSchema>>;
  };
  const target = 'draft-2020-12';
  const libraryOptions = laxOptions[vendor] ?? {};
  if (jsonSchema === undefined && vendor !== 'valibot')
    throw new TypeError(
      `A schema of ${vendor} cannot be used: it does not implement Standard JSON Schema. Those of zod, valibot and ` +
        'arktype can.',
    );
  const { $schema: _dialect, ...json } =
    jsonSchema === undefined
      ? requireConverter()(schema, { typeMode: side, target, ...libraryOptions })
      : jsonSchema[side]({ target, libraryOptions });
  // Arktype leaves the flags of a pattern out.
  const own = JSON.stringify((schema as { readonly json?: unknown }).json) ?? '';
  const corrected = correctStandard(json, own);
  return side === 'output' ? withFewerCharacters(corrected) : corrected;
}

/** JSON Schema counts characters. These libraries count units of UTF-16, so that two can be one emoji of an answer. */
function withFewerCharacters(original: JsonSchema): JsonSchema {
  const json = mapSubschemas(original, withFewerCharacters);
  const { minLength } = json;
  return minLength === undefined ? json : { ...json, minLength: Math.ceil(Number(minLength) / 2) };
}

const NOTHING: MarkedSchema = { not: {}, 'x-capix-nothing': true };

type ValibotNode = Record<'valibotSchema' | 'valibotAction' | 'jsonSchema', JsonSchema>;

/** The options with which a library leaves out rules that JSON cannot express, instead of throwing. */
const laxOptions: Readonly<Record<string, object>> = {
  valibot: {
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema: { type }, jsonSchema }: ValibotNode) => {
      if (type === 'loose_object') return { ...jsonSchema, additionalProperties: true };
      if (type === 'undefined' || type === 'void') return NOTHING;
      const mayBeNothing = /^(optional|exact_optional|undefinedable)$/.test(String(type));
      return mayBeNothing ? { ...jsonSchema, 'x-capix-nothing': true } : textsOf[String(type)];
    },
    overrideAction: ({ valibotAction: { type, requirement }, jsonSchema }: ValibotNode) => {
      if (!(requirement instanceof RegExp)) return undefined;
      const { format: _format, ...rest } = jsonSchema;
      // The formats that stand for these admit less than valibot does, or nothing of it.
      if (/^(iso_time|iso_date_time|rfc_email)$/.test(String(type)))
        return { ...rest, pattern: requirement.source };
      return inWords(jsonSchema, requirement);
    },
  },
  arktype: {
    fallback: ({
      code,
      base,
      unit,
    }: {
      readonly code: string;
      readonly base: JsonSchema;
      readonly unit?: unknown;
    }) => {
      if (code === 'unit' && unit === undefined) return NOTHING;
      // The items before the last ones, of which there may be any number, are all that `items` describes.
      const { items, ...rest } = base;
      return code === 'arrayPostfix' ? rest : { ...base, ...textsOf[code] };
    },
  },
};

function inWords(
  { pattern: _pattern, ...rest }: JsonSchema,
  expression: RegExp,
): MarkedSchema | undefined {
  const words = toFlagWords(expression);
  return words === undefined ? undefined : { ...rest, 'x-capix-words': words };
}

/** Describes in words what JSON Schema cannot express, and marks a choice that includes undefined. */
function correctStandard(original: JsonSchema, own: string): JsonSchema {
  if (typeof original !== 'object') return original;
  const json = mapSubschemas(original, (inner) => correctStandard(inner, own));
  const {
    pattern,
    anyOf = [],
    ...rest
  } = json as JsonSchema & { readonly anyOf?: readonly MarkedSchema[] };
  const flags = typeof pattern === 'string' ? findFlags(pattern, own) : undefined;
  if (flags !== undefined) return inWords(json, new RegExp(pattern as string, flags)) ?? json;
  const others = anyOf.filter((each) => each['x-capix-nothing'] !== true || !('not' in each));
  if (others.length === anyOf.length) return json;
  return {
    ...rest,
    ...(others.length < 2 ? others[0] : { anyOf: others }),
    'x-capix-nothing': true,
  };
}

/** The flags that arktype's own form of a schema, a text of JSON, has beside an expression. */
function findFlags(pattern: string, own: string): string | undefined {
  const rest = own.split(`"rule":${JSON.stringify(pattern)},"flags":"`)[1];
  return rest?.split('"', 1)[0];
}

const CONVERTER = '@valibot/to-json-schema';

/** Routes and inputs are worked out in one turn, so the converter cannot be imported; bundlers miss it. */
function requireConverter(): (schema: unknown, options: object) => JsonSchema {
  try {
    const { createRequire } = process.getBuiltinModule('node:module');
    return (createRequire(import.meta.url)(CONVERTER) as { toJsonSchema: never }).toJsonSchema;
  } catch (cause) {
    throw new Error(
      `Schemas of valibot need what is not installed: npm install ${CONVERTER}. In a bundle, give each schema as ` +
        'toStandardJsonSchema(schema), from the same package.',
      { cause },
    );
  }
}
