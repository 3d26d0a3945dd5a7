import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import { resolveReference } from '../shape/schema-fields.ts';
import { isSchemaObject, KIND_KEYWORD } from '../shape/schema-type.ts';

/** One of the alternatives that a schema admits. */
export interface SchemaBranch {
  /** `string`, `integer`, `object`, `date`, `any`; of an object in a union with its literal fields: `object type="card"`. */
  readonly id: string;
  readonly json: JsonSchema;
  /** The only values that it admits, as JSON. */
  readonly values?: readonly string[] | undefined;
}

/** The alternatives of a schema: those of a union, of `enum` one for each type of value, else the schema itself. */
export function toSchemaBranches(json: unknown, root: unknown): readonly SchemaBranch[] {
  return mergeValues(collect(json, { root, depth: 0 }));
}

const MAX_DEPTH = 20;

function collect(
  json: unknown,
  { root, depth }: { readonly root: unknown; readonly depth: number },
): readonly SchemaBranch[] {
  if (!isSchemaObject(json) || depth > MAX_DEPTH) return [{ id: 'any', json: {} }];
  const deeper = { root, depth: depth + 1 };
  if (typeof json['$ref'] === 'string') return collect(resolveReference(json, root), deeper);
  const { anyOf, oneOf, type, allOf } = json;
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return branches.flatMap((branch) => collect(branch, deeper));
  if (Array.isArray(allOf))
    return [
      mergeObjects(
        json,
        allOf.map((part) => collect(part, deeper)[0]?.json ?? {}),
      ),
    ];
  if (Array.isArray(type)) return type.flatMap((one) => collect({ ...json, type: one as unknown }, deeper));
  const values = Array.isArray(json['enum']) ? json['enum'] : 'const' in json ? [json['const']] : undefined;
  if (values !== undefined)
    return values.map((value) => ({ id: typeOf(value), json, values: [JSON.stringify(value)] }));
  return [{ id: toId(json), json }];
}

function toId(json: JsonSchema): string {
  if (json['type'] === 'object') return ['object', ...toLiteralFields(json)].join(' ');
  if (typeof json['type'] === 'string') return json['type'];
  return typeof json[KIND_KEYWORD] === 'string' ? json[KIND_KEYWORD] : 'any';
}

/** The fields by which the objects of a union are told apart. */
function toLiteralFields({ properties }: JsonSchema): readonly string[] {
  return Object.entries(isSchemaObject(properties) ? properties : {}).flatMap(([name, field]) =>
    isSchemaObject(field) && 'const' in field ? [`${name}=${JSON.stringify(field['const'])}`] : [],
  );
}

/** An intersection as one object with the fields of all. */
function mergeObjects(json: JsonSchema, parts: readonly JsonSchema[]): SchemaBranch {
  const merged = {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as unknown,
    required: parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
  };
  return parts.every(({ type }) => type === 'object') ? { id: toId(merged), json: merged } : { id: 'any', json };
}

/** Literals of one type are one branch; beside a branch that admits every value of the type they say nothing. */
function mergeValues(branches: readonly SchemaBranch[]): readonly SchemaBranch[] {
  const byId = new Map<string, SchemaBranch>();
  for (const branch of branches) {
    const known = byId.get(branch.id);
    if (known === undefined) byId.set(branch.id, branch);
    else if (known.values !== undefined) {
      byId.set(
        branch.id,
        branch.values === undefined ? branch : { ...known, values: [...known.values, ...branch.values] },
      );
    }
  }
  return [...byId.values()];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
