import type { Mistake } from '../../errors/mistake.ts';

/** The part of a result of {@link StandardSchema} that says what is wrong. */
export interface StandardIssue {
  /** The reason, for people. */
  readonly message: string;
  /** Names and indexes, or objects that have them as `key`; none for the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Any schema of the [Standard Schema](https://standardschema.dev) interface, such as those of valibot and arktype. One of zod 3 has it too, and
 * is refused: it cannot be described as JSON Schema.
 *
 * `Input` is what a caller may send, `Output` what the schema makes of it.
 */
export interface StandardSchema<out Input = unknown, out Output = unknown> {
  /** A field of zod, whose schemas are told by it: the compiler need not look further in them. */
  readonly _zod?: undefined;
  /** The field of the interface. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
  /** A field of zod 3, which keeps its schemas out. */
  readonly _def?: Mistake<'A schema of zod 3 cannot be used: npm install zod@^4.2.0'> | undefined;
}

/** The valid value, or what is wrong with it. */
export type StandardResult<Output = unknown> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** The side of a schema. */
export type SchemaSide = 'input' | 'output';

/** The second interface, [Standard JSON Schema](https://standardschema.dev/json-schema), which arktype has, and valibot by `toStandardJsonSchema`. */
interface JsonSchemaWriter {
  readonly jsonSchema?: Readonly<
    Record<SchemaSide, (options: { readonly target: string; readonly libraryOptions: object }) => object>
  >;
}

export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return '~standard' in value && !isZod3Schema(value);
}

/** Whether it is a schema of zod 3. By shape: that of zod 4 keeps itself in `_zod`. */
export function isZod3Schema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '_def' in value && 'safeParse' in value && !('_zod' in value);
}

/**
 * The JSON Schema of one side, of draft 2020-12, as the schema's own library writes it. What JSON cannot say is left open, as of zod.
 *
 * @throws Error where the library has none, or its converter is not installed
 */
export function writeStandardJsonSchema(schema: StandardSchema, side: SchemaSide): object {
  const { vendor, jsonSchema } = schema['~standard'] as StandardSchema['~standard'] & JsonSchemaWriter;
  const libraryOptions = laxOptions[vendor] ?? {};
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
const laxOptions: Readonly<Record<string, object>> = {
  valibot: {
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema: { type }, jsonSchema }: ValibotNode) =>
      type === 'loose_object' ? { ...jsonSchema, additionalProperties: true } : texts[type],
  },
  arktype: { fallback: ({ code, base }: ArkNode) => ({ ...base, ...texts[code] }) },
};

/** Kinds of value that JSON carries as text, by the names that both libraries have for them. */
const texts: Readonly<Record<string, object>> = {
  date: { type: 'string', format: 'date-time' },
  bigint: { type: 'string', pattern: String.raw`^-?\d+$` },
};

interface ValibotNode {
  readonly valibotSchema: { readonly type: string };
  readonly jsonSchema: object;
}

interface ArkNode {
  readonly code: string;
  readonly base: object;
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
