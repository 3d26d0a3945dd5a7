import { type JsonSchema, type MarkedSchema, mapSubschemas, toFlagWords } from './json-schema.ts';
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
  return correct(json, JSON.stringify((schema as { readonly json?: unknown }).json) ?? '');
}

const NOTHING: MarkedSchema = { not: {}, 'x-capix-nothing': true };

/** Kinds of value that are not in JSON, by the names that all libraries have for them. */
export const texts: Readonly<Record<string, object>> = {
  date: { type: 'string', format: 'date-time' },
  bigint: { type: 'string', pattern: String.raw`^-?\d+$` },
};

/** The options by which a library leaves open what JSON cannot say, instead of throwing. */
const laxOptions: Readonly<Record<string, object>> = {
  valibot: {
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema: { type }, jsonSchema }: ValibotNode) => {
      if (type === 'loose_object') return { ...jsonSchema, additionalProperties: true };
      if (type === 'undefined' || type === 'void') return NOTHING;
      return maybeNothing.has(type) ? { ...jsonSchema, 'x-capix-nothing': true } : texts[type];
    },
    overrideAction: ({ valibotAction: { requirement }, jsonSchema }: ValibotNode) =>
      requirement instanceof RegExp ? inWords(jsonSchema, requirement) : undefined,
  },
  arktype: {
    fallback: ({ code, base, unit }: { readonly code: string; readonly base: object; readonly unit?: unknown }) =>
      code === 'unit' && unit === undefined ? NOTHING : { ...base, ...texts[code] },
  },
};

interface ValibotNode {
  readonly valibotSchema: { readonly type: string };
  readonly valibotAction: { readonly requirement?: unknown };
  readonly jsonSchema: JsonSchema;
}

const maybeNothing: ReadonlySet<string> = new Set(['optional', 'exact_optional', 'undefinedable']);

function inWords({ pattern: _pattern, ...rest }: JsonSchema, expression: RegExp): MarkedSchema | undefined {
  const words = toFlagWords(expression);
  return words === undefined ? undefined : { ...rest, 'x-capix-words': words };
}

/** Says in words what JSON Schema cannot, and of a choice that has undefined that it may be that. */
function correct(original: JsonSchema, own: string): JsonSchema {
  if (typeof original !== 'object') return original;
  const json = mapSubschemas(original, (inner) => correct(inner, own));
  const { pattern, anyOf = [], ...rest } = json as JsonSchema & { readonly anyOf?: readonly MarkedSchema[] };
  const [, flags] = typeof pattern === 'string' ? own.split(`"rule":${JSON.stringify(pattern)},"flags":"`) : [];
  if (flags !== undefined) return inWords(json, new RegExp(String(pattern), flags.split('"', 1)[0])) ?? json;
  const others = anyOf.filter((each) => each['x-capix-nothing'] !== true || !('not' in each));
  if (others.length === anyOf.length) return json;
  return { ...rest, ...(others.length < 2 ? others[0] : { anyOf: others }), 'x-capix-nothing': true };
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
