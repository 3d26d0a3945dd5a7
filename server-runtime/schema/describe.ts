import { andThen } from '../errors/maybe-promise.ts';
import { type Issue, MAX_ISSUES, type ParseSchema } from './issues.ts';
import type { JsonSchema } from './json-schema.ts';
import { isObject, Lens } from './lens.ts';
import { findSent } from './received.ts';
import {
  definitionOf,
  isZodSchema,
  type Schema,
  type StandardIssue,
  type StandardSchema,
} from './schema.ts';
import { type OnNode, toJsonSchema } from './to-json-schema.ts';
import { createZodParser, isRepeatable } from './zod-parser.ts';

/** Everything that the library knows about a schema. Each part is made when it is first read. */
interface SchemaDescription {
  /** The JSON Schema of an input, with marks. Fields with a default are optional. */
  readonly input: JsonSchema;
  /** The JSON Schema of an answer as it is sent, with marks. */
  readonly output: JsonSchema;
  readonly lens: Lens;
  /** Runs the schema, for which each library has its own way. */
  readonly validate: ParseSchema;
  /**
   * Whether a second run gives the same, so that it can stand for the first. False for other libraries, whose code is
   * unknown.
   */
  readonly isRepeatable: boolean;
}

/** Describes schemas, each once. `onNode` is called with each node of their JSON Schemas. */
export function createDescriber(onNode?: OnNode): (schema: Schema) => SchemaDescription {
  const known = new WeakMap<Schema, SchemaDescription>();
  return (schema) => {
    const description = known.get(schema) ?? toDescription(schema, onNode);
    known.set(schema, description);
    return description;
  };
}

export const describe = createDescriber();

function toDescription(schema: Schema, onNode: OnNode | undefined): SchemaDescription {
  const parts: { -readonly [Part in keyof SchemaDescription]?: SchemaDescription[Part] } = {};
  const description: SchemaDescription = {
    get input() {
      parts.input ??= toJsonSchema(schema, 'input', onNode);
      return parts.input;
    },
    get output() {
      parts.output ??= toJsonSchema(schema, 'output', onNode);
      return parts.output;
    },
    get lens() {
      parts.lens ??= new Lens(description.input);
      return parts.lens;
    },
    get validate() {
      parts.validate ??= isZodSchema(schema)
        ? createZodParser(schema as never)
        : createStandardParser(schema);
      return parts.validate;
    },
    get isRepeatable() {
      parts.isRepeatable ??= isZodSchema(schema) && isRepeatable(schema as never);
      return parts.isRepeatable;
    },
  };
  return description;
}

/** The names of the fields of any object that is taken, and whether nothing else is. */
export function findFieldNames(schema: Schema | undefined): {
  names: ReadonlySet<string>;
  isOneObject: boolean;
} {
  if (schema === undefined) return { names: new Set(), isOneObject: false };
  // Servers ask at start, where describing every schema would take the most time.
  const { type, shape } = definitionOf(schema);
  if (type === 'object' && shape !== undefined)
    return { names: new Set(Object.keys(shape)), isOneObject: true };
  const { branches, object } = describe(schema).lens;
  const isRecord = object.fields.size === 0 && 'additionalProperties' in object.json;
  const isOneObject = branches.length === 1 && branches.every(isObject) && !isRecord;
  return { names: new Set(object.fields.keys()), isOneObject };
}

function createStandardParser({ '~standard': { validate } }: StandardSchema): ParseSchema {
  return (input) =>
    andThen(validate(input), (result) => {
      if (result.issues === undefined) return { ok: true, value: result.value };
      const issues = result.issues.slice(0, MAX_ISSUES).map((issue) => toIssue(issue, input));
      return { ok: false, issues, omitted: result.issues.length - issues.length };
    });
}

/** The fields by which valibot (`type`), zod and arktype (`code`, and `problem`, without the path) say more. */
type LibraryIssue = StandardIssue &
  Partial<Record<'type' | 'code' | 'problem', string>> &
  Pick<Issue, 'keys'>;

function toIssue({ code, type, problem, keys, ...issue }: LibraryIssue, input: unknown): Issue {
  const path = Array.from(issue.path ?? [], (step) => (typeof step === 'object' ? step.key : step));
  // A missing field has the same code whatever the library.
  const isMissing = path.length > 0 && findSent(input, path) === undefined;
  return {
    path,
    message: problem ?? issue.message,
    code: isMissing ? 'invalid_type' : (code ?? type),
    keys,
  };
}
