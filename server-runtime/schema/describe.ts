import { andThen } from '../errors/failure.ts';
import type { JsonSchema } from './json-schema.ts';
import { isObject, type JsonBranch, Lens } from './lens.ts';
import { definitionOf, type Schema } from './schema.ts';
import { createSchemaParser, type ParseSchema } from './schema-parser.ts';
import { type OnNode, toJsonSchema } from './to-json-schema.ts';

/** Describes schemas, each once. `onNode` is told of what is in them. */
export function createDescriber(onNode?: OnNode): (schema: Schema) => Description {
  const known = new WeakMap<Schema, Description>();
  return (schema) => {
    let description = known.get(schema);
    if (description === undefined) known.set(schema, (description = new Description(schema, onNode)));
    return description;
  };
}

export const describe = createDescriber();

/** All that the library knows of a schema. Each part is made when it is first asked for. */
class Description {
  readonly #schema: Schema;
  readonly #onNode: OnNode | undefined;
  readonly #made: { input?: JsonSchema; output?: JsonSchema; lens?: Lens; validate?: ParseSchema } = {};

  constructor(schema: Schema, onNode: OnNode | undefined) {
    this.#schema = schema;
    this.#onNode = onNode;
  }

  /** The JSON Schema of an input, with marks. Fields with a default are optional. */
  get input(): JsonSchema {
    return (this.#made.input ??= toJsonSchema(this.#schema, 'input', this.#onNode));
  }
  /** The JSON Schema of an answer as it is sent, with marks. */
  get output(): JsonSchema {
    return (this.#made.output ??= toJsonSchema(this.#schema, 'output', this.#onNode));
  }
  get lens(): Lens {
    return (this.#made.lens ??= new Lens(this.input));
  }
  get validate(): ParseSchema {
    return (this.#made.validate ??= createParser(this.#schema));
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

/** The names of the fields of any object that is taken, and whether nothing else is. */
export function findFieldNames(schema: Schema | undefined): {
  readonly names: ReadonlySet<string>;
  readonly isOneObject: boolean;
} {
  if (schema === undefined) return { names: new Set(), isOneObject: false };
  // Servers ask at start, where describing every schema would take the most time.
  const { type, shape } = definitionOf(schema);
  if (type === 'object' && shape !== undefined) return { names: new Set(Object.keys(shape)), isOneObject: true };
  const { branches } = describe(schema).lens;
  const isNamed = (branch: JsonBranch): boolean =>
    Object.keys(branch.properties).length > 0 || !('additionalProperties' in branch);
  const objects = branches.filter((branch) => isObject(branch) && isNamed(branch));
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(properties)));
  return { names, isOneObject: branches.length === 1 && objects.length === 1 };
}
