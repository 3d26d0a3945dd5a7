import type { JsonSchema } from './json-schema.ts';
import { mapSubschemas, marksOf, toFlagWords, withMarks } from './json-schema.ts';
import type { SchemaSide, StandardSchema } from './schema.ts';

/**
 * The JSON Schema of one side of a schema that is not of zod, of draft 2020-12, as its own library writes it. What JSON
 * cannot say is left open.
 *
 * @throws Error where the library has none, or its converter is not installed
 */
export function toStandardJson(schema: StandardSchema, side: SchemaSide): JsonSchema {
  // [Standard JSON Schema](https://standardschema.dev/json-schema): arktype, and valibot by `toStandardJsonSchema`.
  const { vendor, jsonSchema } = schema['~standard'] as StandardSchema['~standard'] & {
    readonly jsonSchema?: Readonly<Record<SchemaSide, (options: object) => JsonSchema>>;
  };
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
  // Arktype leaves the flags of a pattern out.
  const own = vendor === 'arktype' ? JSON.stringify((schema as { readonly json?: unknown }).json) : '';
  return correct(json, own);
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
        requirement instanceof RegExp ? inWords(jsonSchema, requirement) : undefined,
    },
    arktype: {
      fallback: ({ code, base, unit }: { readonly code: string; readonly base: object; readonly unit?: unknown }) =>
        code === 'unit' && unit === undefined ? nothing : { ...base, ...texts[code] },
    },
  };
}

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

/** Says an expression with flags in words; undefined for another one. */
function inWords({ pattern: _pattern, ...rest }: JsonSchema, expression: RegExp): JsonSchema | undefined {
  const words = toFlagWords(expression);
  return words === undefined ? undefined : withMarks(rest, { words });
}

/** Says in words what JSON Schema cannot, and leaves out of fields that they may be undefined. */
function correct(original: JsonSchema, own: string): JsonSchema {
  if (typeof original !== 'object') return original;
  const json = mapSubschemas(original, (inner) => correct(inner, own));
  const { pattern } = json;
  const [, rest] = typeof pattern === 'string' ? own.split(`"rule":${JSON.stringify(pattern)},"flags":"`) : [];
  if (rest !== undefined) return inWords(json, new RegExp(String(pattern), rest.split('"', 1)[0])) ?? json;
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
