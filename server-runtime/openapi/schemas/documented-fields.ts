import type { JsonSchema } from '../../schema/to-json-schema.ts';
import { type Definitions, SOURCE } from './schema-converter.ts';

export interface InputField {
  readonly schema: JsonSchema;
  readonly required: boolean;
}

export interface DocumentedFields {
  readonly named: ReadonlyMap<string, InputField>;
  /** The schema of fields without a name of their own, where the input takes them: a record. */
  readonly rest: JsonSchema | undefined;
}

const noFields: DocumentedFields = { named: new Map(), rest: undefined };

/** The fields of an input. Of alternatives, all fields; required are those that every alternative requires. */
export function findInputFields(json: JsonSchema | undefined, definitions: Definitions): DocumentedFields {
  if (json === undefined) return noFields;
  const own = toOwnFields(json);
  const alternatives = [json['anyOf'], json['oneOf']]
    .filter(Array.isArray)
    .map((branches: readonly JsonSchema[]) =>
      joinAlternatives(branches.map((branch) => findInputFields(branch, definitions))),
    );
  const parts = ((json['allOf'] ?? []) as readonly JsonSchema[]).map((part) => findInputFields(part, definitions));
  const target = findTarget(json, definitions);
  const referred = target === undefined ? [] : [findInputFields(target, definitions)];
  return [...referred, ...parts, ...alternatives].reduce(joinParts, own);
}

/** The same input without the fields of these names, which arrive in another way. */
export function omitInputFields(json: JsonSchema, names: ReadonlySet<string>, definitions: Definitions): JsonSchema {
  const isTouched = [...findInputFields(json, definitions).named.keys()].some((name) => names.has(name));
  if (!isTouched) return json;
  const target = findTarget(json, definitions);
  if (target !== undefined) return omitInputFields(target, names, definitions);

  const { properties, required, ...rest } = json;
  const changed: JsonSchema = { ...rest };
  delete changed[SOURCE];
  if (properties !== undefined)
    changed['properties'] = Object.fromEntries(
      Object.entries(properties as object).filter(([name]) => !names.has(name)),
    );
  const stillRequired = ((required ?? []) as readonly string[]).filter((name) => !names.has(name));
  if (stillRequired.length > 0) changed['required'] = stillRequired;
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const branches = changed[keyword];
    if (Array.isArray(branches))
      changed[keyword] = branches.map((branch: JsonSchema) => omitInputFields(branch, names, definitions));
  }
  return changed;
}

function findTarget(json: JsonSchema, definitions: Definitions): JsonSchema | undefined {
  return typeof json['$ref'] === 'string' ? definitions.get(json['$ref'])?.json : undefined;
}

function toOwnFields(json: JsonSchema): DocumentedFields {
  const required = new Set((json['required'] ?? []) as readonly string[]);
  const properties = Object.entries((json['properties'] ?? {}) as Record<string, JsonSchema>);
  const additional = json['additionalProperties'];
  return {
    named: new Map(properties.map(([name, schema]) => [name, { schema, required: required.has(name) }])),
    rest: typeof additional === 'object' && additional !== null ? (additional as JsonSchema) : undefined,
  };
}

function joinParts(one: DocumentedFields, other: DocumentedFields): DocumentedFields {
  const named = new Map(one.named);
  for (const [name, field] of other.named) {
    const first = named.get(name);
    named.set(
      name,
      first === undefined
        ? field
        : { schema: toOneSchema('allOf', [first, field]), required: first.required || field.required },
    );
  }
  return { named, rest: one.rest ?? other.rest };
}

function joinAlternatives(branches: readonly DocumentedFields[]): DocumentedFields {
  const names = new Set(branches.flatMap(({ named }) => [...named.keys()]));
  const named = [...names].map((name): [string, InputField] => {
    const fields = branches.flatMap((branch) => branch.named.get(name) ?? []);
    const isEverywhere = fields.length === branches.length;
    return [
      name,
      { schema: toOneSchema('anyOf', fields), required: isEverywhere && fields.every((field) => field.required) },
    ];
  });
  return { named: new Map(named), rest: branches.find(({ rest }) => rest !== undefined)?.rest };
}

function toOneSchema(keyword: 'allOf' | 'anyOf', fields: readonly InputField[]): JsonSchema {
  const different = [...new Map(fields.map(({ schema }) => [JSON.stringify(schema), schema])).values()];
  const [first] = different;
  return different.length === 1 && first !== undefined ? first : { [keyword]: different };
}
