import { findTarget, recordOf, type SchemaJson } from './schema-json.ts';

/**
 * A JSON Schema in the document that its references point into: of draft 2020-12, of draft 7, or of OpenAPI 3.0. What
 * is not a schema admits anything.
 */
export interface ApiSchema {
  readonly json: unknown;
  readonly root: unknown;
}

export function toApiSchema(json: unknown, root: unknown = json): ApiSchema {
  return { json, root };
}

/** References that lead from one to the next, in a circle at worst. */
const MAX_STEPS = 64;

/** The schema behind nothing but a reference, by which a schema that contains itself is known again. */
export function toTarget({ json, root }: ApiSchema): unknown {
  for (let target = json, steps = 0; ; steps++) {
    const { $ref: reference, ...own } = recordOf(target);
    const isBare =
      typeof reference === 'string' && Object.keys(own).every((keyword) => notes.has(keyword));
    if (!isBare || steps > MAX_STEPS) return target;
    target = findTarget(reference, root);
  }
}

const notes: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'examples',
  'example',
  'deprecated',
]);

export interface ObjectSchema extends ApiSchema {
  readonly json: SchemaJson;
}

export function toObjectSchema(
  fields: readonly {
    readonly name: string;
    readonly isRequired: boolean;
    readonly schema: ApiSchema;
  }[],
): ApiSchema {
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema.json]));
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return { json: { type: 'object', properties, required }, root: fields[0]?.schema.root };
}

/**
 * One kind of value that a schema takes, with all that its references, parts and choices say of it. The schemas of its
 * fields and items are read when they are asked for, since a schema may contain itself.
 */
export interface Branch {
  /** `any` where the schema does not say. */
  readonly type: string;
  readonly schema: ApiSchema;
  /** The name of the schema that a reference leads to: `User`. */
  readonly name?: string | undefined;
  /** The schema of that name, where this is all of it. */
  readonly component?: ApiSchema | undefined;
  /** The value that stands for it in the program, which JSON has no word for: `date`, `bigint`, `map`. */
  readonly kind?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
  /** `minLength` and the like; of a file the lengths are bytes. */
  readonly counts: Readonly<Partial<Record<CountName, number>>>;
  readonly min?: Bound | undefined;
  readonly max?: Bound | undefined;
  readonly multiples: readonly number[];
  /** Regular expressions, all of which match. One that belongs to a format stands first. */
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly encoding?: string | undefined;
  readonly mediaTypes: readonly string[];
  readonly isUnique: boolean;
  readonly first: readonly ApiSchema[];
  /** All other items or fields; undefined where the schema does not speak of them. */
  readonly rest?: ApiSchema | undefined;
  readonly fields: ReadonlyMap<string, ApiSchema>;
  readonly required: ReadonlySet<string>;
  /** The schema that every name fits; undefined for any. */
  readonly names?: ApiSchema | undefined;
  /** Whether names and values are alike: its fields are the names that must be there. */
  readonly isRecord: boolean;
  /** Rules that JSON Schema cannot say, where an own document has them: a word for each. */
  readonly checks: readonly string[];
  /** Whether it takes less than this model says, since its unions were too long to intersect. @default false */
  readonly isPartial?: boolean;
  /** Restrictions that this model has no word for: `{"if": …, "then": …}`. */
  readonly others: SchemaJson;
}

export const countNames = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;
export type CountName = (typeof countNames)[number];

export interface Bound {
  readonly value: number;
  /** Whether the value itself is outside. */
  readonly isExclusive: boolean;
}

/** Whether a text stands for the bytes of a file. */
export function isFile({ type, formats }: Pick<Branch, 'type' | 'formats'>): boolean {
  return type === 'string' && formats.includes('binary');
}

/** Whether it is any value, of which nothing is said. */
export function isPlain({
  type,
  kind,
  values,
  name,
  checks,
  others,
  fields,
  first,
}: Branch): boolean {
  return (
    (kind ?? values ?? name) === undefined &&
    checks.length + Object.keys(others).length + fields.size + first.length === 0 &&
    type === 'any'
  );
}

/** A branch of which nothing is known but its type. */
export function toPlain(schema: ApiSchema, type: string): Branch {
  return {
    type,
    schema: { ...schema, json: type === 'any' ? {} : { type } },
    counts: {},
    multiples: [],
    patterns: [],
    formats: [],
    mediaTypes: [],
    isUnique: false,
    first: [],
    fields: new Map(),
    required: new Set(),
    isRecord: false,
    checks: [],
    others: {},
  };
}
