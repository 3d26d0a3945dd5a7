import { andThen } from '../errors/failure.ts';
import type { JsonSchema } from './json-schema.ts';
import { Lens } from './lens.ts';
import type { Schema } from './schema.ts';
import { createSchemaParser, type ParseSchema } from './schema-parser.ts';
import { toJsonSchema } from './to-json-schema.ts';

/** The description of a schema: the JSON Schema of each side, with marks, and its validation. */
export function describe(schema: Schema): Description {
  let known = descriptions.get(schema);
  if (known === undefined) descriptions.set(schema, (known = new Description(schema)));
  return known;
}

const descriptions = new WeakMap<Schema, Description>();

/** All that the library knows of a schema. Each part is made when it is first asked for, once a schema. */
export class Description {
  readonly #schema: Schema;
  #input: JsonSchema | undefined;
  #output: JsonSchema | undefined;
  #lens: Lens | undefined;
  #validate: ParseSchema | undefined;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  /** The schema of an input, where fields with a default are optional. */
  get input(): JsonSchema {
    return (this.#input ??= toJsonSchema(this.#schema, { io: 'input' }));
  }

  /** The schema of an answer as it is sent. */
  get output(): JsonSchema {
    return (this.#output ??= toJsonSchema(this.#schema, { io: 'output' }));
  }

  /** The look at the input. */
  get lens(): Lens {
    return (this.#lens ??= new Lens(this.input));
  }

  get validate(): ParseSchema {
    return (this.#validate ??= this.#createValidate());
  }

  /** A library takes the members of every object for fields that were sent, where there are fields of their names. */
  #createValidate(): ParseSchema {
    const parse = createSchemaParser(this.#schema);
    let isConfused: boolean | undefined;
    return (value) =>
      andThen(parse(value), (result) => {
        if (result.success) return result;
        isConfused ??= memberNames.test(JSON.stringify(this.input));
        return isConfused ? parse(withoutMembers(value)) : result;
      });
  }
}

const memberNames = new RegExp(`"(${Object.getOwnPropertyNames(Object.prototype).join('|')})":`);

function withoutMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMembers);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withoutMembers(field)]);
  return Object.setPrototypeOf(Object.fromEntries(fields), null);
}
