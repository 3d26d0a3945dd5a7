import { findTarget, isOpenApi30, recordOf, type SchemaJson, toTexts } from './schema-json.ts';

/**
 * A JSON Schema in the document that its references point into: of draft 2020-12, of draft 7, or of OpenAPI 3.0. What
 * is not a schema admits anything.
 */
export interface ApiSchema {
  readonly json: unknown;
  readonly root: unknown;
}

/** The schema that every value fits. */
export const anything: ApiSchema = { json: true, root: true };

export function toApiSchema(json: unknown, root: unknown = json): ApiSchema {
  return { json, root };
}

/** References that lead from one to the next, in a circle at worst. */
const MAX_STEPS = 64;

/** The schema behind a bare reference: the same object wherever a schema contains itself. */
export function toTarget({ json, root }: ApiSchema): unknown {
  let target = json;
  for (let steps = 0; steps <= MAX_STEPS; steps += 1) {
    const reference = findBareReference({ json: target, root });
    if (reference === undefined) return target;
    target = findTarget(reference, root);
  }
  return target;
}

/** The reference that a schema consists of; undefined where it says something of values itself. */
export function findBareReference({ json, root }: ApiSchema): string | undefined {
  const { $ref: reference, ...own } = recordOf(json);
  const isBare = isOpenApi30(root) || Object.keys(own).every((keyword) => notes.has(keyword));
  return typeof reference === 'string' && isBare ? reference : undefined;
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

/** A field of an object, with its schema. */
export interface NamedSchema {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: ApiSchema;
}

/** @param root the document of the schema. @default that of the first field */
export function toObjectSchema(
  fields: readonly NamedSchema[],
  root: unknown = fields[0]?.schema.root,
): ApiSchema {
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema.json]));
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return { json: { type: 'object', properties, required }, root };
}

/** An object schema whose own fields have other names. */
export function withFieldNames(schema: ApiSchema, toName: (name: string) => string): ApiSchema {
  const { properties, required, ...json } = recordOf(toTarget(schema));
  const fields = Object.entries(recordOf(properties)).map(([name, field]) => [toName(name), field]);
  return {
    ...schema,
    json: {
      ...json,
      properties: Object.fromEntries(fields),
      required: toTexts(required).map(toName),
    },
  };
}

/**
 * One kind of value that a schema takes, with all that its references, parts and choices say of it. The schemas of its
 * fields and items are read when somebody needs them, since a schema may contain itself.
 */
export type Branch =
  | AnyBranch
  | TextBranch
  | NumberBranch
  | BooleanBranch
  | NullBranch
  | ListBranch
  | ObjectBranch;

/** What every branch has, of whatever type. */
interface BranchCommon {
  readonly schema: ApiSchema;
  /** The name of the schema that a reference leads to: `User`. */
  readonly name?: string | undefined;
  /** The reference that leads to it, where this is all that it leads to. */
  readonly component?: ApiSchema | undefined;
  /** The reference that leads to the union of which it is one. */
  readonly union?: ApiSchema | undefined;
  /** The parts that all hold (`allOf`, and what stands beside a reference); undefined where it was written as one. */
  readonly parts?: readonly Branch[] | undefined;
  /** The only values that it takes. */
  readonly values?: readonly unknown[] | undefined;
  /** Rules that JSON Schema cannot say, where an own document has them: a word for each. */
  readonly checks: readonly string[];
  /**
   * Whether it takes less than this model says, since its unions were too long to intersect, or empty.
   * @default false
   */
  readonly isPartial?: boolean;
  /** Restrictions that this model has no word for: `{"if": …, "then": …}`. */
  readonly others: SchemaJson;
}

/** A value of which the schema does not say the type. */
export interface AnyBranch extends BranchCommon {
  readonly type: 'any';
  /** The value that stands for it in the program, which JSON has no word for: `date`, `map`. */
  readonly kind?: string | undefined;
}

export interface TextBranch extends BranchCommon {
  readonly type: 'string';
  /** The value that stands for it in the program: `date`, `bigint`. */
  readonly kind?: string | undefined;
  /** `minLength` and `maxLength`; of a file the lengths are bytes. */
  readonly counts: Counts;
  /** Regular expressions, all of which match. One that belongs to a format stands first. */
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly encoding?: string | undefined;
  readonly mediaTypes: readonly string[];
}

export interface NumberBranch extends BranchCommon {
  readonly type: 'number' | 'integer';
  readonly min?: Bound | undefined;
  readonly max?: Bound | undefined;
  readonly multiples: readonly number[];
  readonly formats: readonly string[];
}

interface BooleanBranch extends BranchCommon {
  readonly type: 'boolean';
}

interface NullBranch extends BranchCommon {
  readonly type: 'null';
}

export interface ListBranch extends BranchCommon {
  readonly type: 'array';
  readonly counts: Counts;
  readonly isUnique: boolean;
  readonly first: readonly ApiSchema[];
  /** All other items; undefined where the schema does not speak of them. */
  readonly rest?: ApiSchema | undefined;
}

export interface ObjectBranch extends BranchCommon {
  readonly type: 'object';
  readonly counts: Counts;
  readonly fields: ReadonlyMap<string, ApiSchema>;
  readonly required: ReadonlySet<string>;
  /** All other fields; undefined where the schema does not speak of them. */
  readonly rest?: ApiSchema | undefined;
  /** Whether the schema itself says that there may be other fields (`additionalProperties`). */
  readonly isOpen: boolean;
  /** The schema that every name fits; undefined for any. */
  readonly names?: ApiSchema | undefined;
  /** Whether one schema describes all names and one all values. `fields` then has the required names. */
  readonly isRecord: boolean;
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
export type Counts = Readonly<Partial<Record<CountName, number>>>;

export interface Bound {
  readonly value: number;
  /** Whether the value itself is outside. */
  readonly isExclusive: boolean;
}

/** Whether a text stands for the bytes of a file. */
export function isFile(branch: Branch): boolean {
  return branch.type === 'string' && branch.formats.includes('binary');
}

export function isNumber(branch: Branch): branch is NumberBranch {
  return branch.type === 'number' || branch.type === 'integer';
}

/** Whether it is any value, without a keyword that describes it. */
export function isPlain(branch: Branch): boolean {
  if (branch.type !== 'any') return false;
  const isNamed = branch.kind !== undefined || branch.name !== undefined;
  const isListed = branch.values !== undefined || branch.checks.length > 0;
  return !isNamed && !isListed && Object.keys(branch.others).length === 0;
}

/** A branch of which nothing is known but its type. */
export function toPlain(schema: ApiSchema, type: Branch['type']): Branch {
  const json = type === 'any' ? {} : { type };
  const common = { schema: { ...schema, json }, checks: [], others: {} };
  switch (type) {
    case 'any':
    case 'boolean':
    case 'null':
      return { ...common, type };
    case 'string':
      return { ...common, type, counts: {}, patterns: [], formats: [], mediaTypes: [] };
    case 'number':
    case 'integer':
      return { ...common, type, multiples: [], formats: [] };
    case 'array':
      return { ...common, type, counts: {}, isUnique: false, first: [] };
    case 'object':
      return {
        ...common,
        type,
        counts: {},
        fields: new Map(),
        required: new Set(),
        isOpen: false,
        isRecord: false,
      };
  }
}
