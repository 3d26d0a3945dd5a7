import { andThen } from '../errors/failure.ts';
import type { JsonSchema } from './json-schema.ts';
import { isObject, Lens } from './lens.ts';
import { definitionOf, type Schema } from './schema.ts';
import { createSchemaParser, type ParseSchema } from './schema-parser.ts';
import { toJsonSchema } from './to-json-schema.ts';

/** The description of a schema, once a schema. */
export function describe(schema: Schema): Description {
  let known = descriptions.get(schema);
  if (known === undefined) descriptions.set(schema, (known = new Description(schema)));
  return known;
}

const descriptions = new WeakMap<Schema, Description>();

/** All that the library knows of a schema. Each part is made when it is first asked for. */
export class Description {
  readonly #schema: Schema;
  #input: JsonSchema | undefined;
  #output: JsonSchema | undefined;
  #lens: Lens | undefined;
  #validate: ParseSchema | undefined;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  /** The JSON Schema of an input, with marks. Fields with a default are optional. */
  get input(): JsonSchema {
    return (this.#input ??= toJsonSchema(this.#schema, 'input'));
  }

  /** The JSON Schema of an answer as it is sent, with marks. */
  get output(): JsonSchema {
    return (this.#output ??= toJsonSchema(this.#schema, 'output'));
  }

  get lens(): Lens {
    return (this.#lens ??= new Lens(this.input));
  }

  get validate(): ParseSchema {
    return (this.#validate ??= createParser(this.#schema));
  }
}

/** A library takes the members of every object for fields that were sent, where there are fields of their names. */
function createParser(schema: Schema): ParseSchema {
  const parse = createSchemaParser(schema);
  let isConfused: boolean | undefined;
  return (value) =>
    andThen(parse(value), (result) => {
      if (result.ok) return result;
      isConfused ??= memberNames.test(JSON.stringify(describe(schema).input));
      return isConfused ? parse(withoutMembers(value)) : result;
    });
}

const memberNames = new RegExp(`"(${Object.getOwnPropertyNames(Object.prototype).join('|')})":`);

function withoutMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMembers);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withoutMembers(field)]);
  return Object.setPrototypeOf(Object.fromEntries(fields), null);
}

/** The names of the fields of an object schema, in declaration order. Undefined for a record, a union, a string. */
export function findFieldNames(schema: Schema | undefined): ReadonlySet<string> | undefined {
  const [only, ...others] = findBranchNames(schema);
  return only === undefined || others.length > 0 ? undefined : new Set(only);
}

/** The same, and of a union the names of the fields of any object in it; none for other schemas. */
export function findAllFieldNames(schema: Schema | undefined): ReadonlySet<string> {
  return new Set(findBranchNames(schema).flatMap((names) => names ?? []));
}

/** The names of each kind of value that is taken; undefined for what is not an object, or takes any names. */
function findBranchNames(schema: Schema | undefined): readonly (readonly string[] | undefined)[] {
  if (schema === undefined) return [];
  // Servers ask at start, where describing every schema would take the most time.
  const { type, shape } = definitionOf(schema);
  if (type === 'object' && shape !== undefined) return [Object.keys(shape)];
  return describe(schema).lens.branches.map((branch) => {
    const names = Object.keys(branch.properties);
    return isObject(branch) && (names.length > 0 || !('additionalProperties' in branch)) ? names : undefined;
  });
}
