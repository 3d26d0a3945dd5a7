import { groupBy } from '../values/once.ts';
import {
  type AnyBranch,
  type ApiSchema,
  type Bound,
  type Branch,
  type Counts,
  countNames,
  type ListBranch,
  type NumberBranch,
  type ObjectBranch,
  type ObjectSchema,
  type TextBranch,
  toPlain,
} from './branch.ts';
import { toTypeOf } from './fits-branch.ts';
import { toBoth, toList, toTighter } from './merge-branches.ts';
import {
  follow,
  isSchemaObject,
  listOf,
  recordOf,
  type SchemaJson,
  textOf,
  toNumber,
  toTexts,
} from './schema-json.ts';

/** `type`, `enum`, `const` and the limits beside them. */
export function toKeywordBranches(schema: ObjectSchema): readonly Branch[] {
  const { json } = schema;
  const typed = (toTypes(schema) ?? [undefined]).map((type) => toTyped(type, schema));
  const lists = [
    ...(Array.isArray(json['enum']) ? [json['enum']] : []),
    ...('const' in json ? [[json['const']]] : []),
  ];
  if (lists.length === 0) return typed;
  const listed = lists.map((list) => toLists(list, schema)).reduce(toBoth, typed);
  return listed.map((branch) => ({ ...branch, parts: undefined }));
}

/** A branch for the values of each type, in the order of their first values. */
function toLists(values: readonly unknown[], schema: ApiSchema): readonly Branch[] {
  return [...groupBy(values, toTypeOf)].map(([type, ofType]) =>
    type === 'null' ? toPlain(schema, 'null') : toList(ofType, schema),
  );
}

/** zod writes the media types of a file as branches that say nothing else. */
export function isListOfMediaTypes({ format }: SchemaJson, branches: readonly unknown[]): boolean {
  return (
    format === 'binary' &&
    branches.every(
      (branch) => isSchemaObject(branch) && Object.keys(branch).join() === 'contentMediaType',
    )
  );
}

function toTyped(type: unknown, schema: ObjectSchema): Branch {
  switch (type) {
    case 'string':
      return toText(schema);
    case 'number':
    case 'integer':
      return toNumberBranch(type, schema);
    case 'array':
      return toListBranch(schema);
    case 'object':
      return toObjectBranch(schema);
    case 'boolean':
    case 'null':
      return toPlain(schema, type);
    case undefined:
      return toAny(schema);
    default:
      return { ...toPlain(schema, 'any'), others: { type } };
  }
}

/** A schema without a type; limits of several types stay as they are. */
function toAny(schema: ObjectSchema): AnyBranch {
  const { json } = schema;
  const keywords = findLimited(json)
    .flatMap((type) => limits[type] ?? [])
    .filter((name) => json[name] !== undefined);
  return {
    type: 'any',
    schema: { ...schema, json: {} },
    kind: toTexts(json['x-capix-kind'])[0],
    checks: [],
    others: Object.fromEntries(keywords.map((keyword) => [keyword, json[keyword]])),
  };
}

/** The keywords that are read for all branches together. */
const ofParts: ReadonlySet<string> = new Set(
  '$ref allOf anyOf oneOf enum const not nullable'.split(' '),
);

/** With the keywords of its type as the schema of the branch. */
function toLimited(type: string, schema: ObjectSchema) {
  const { json } = schema;
  const { anyOf } = json;
  const own = Object.fromEntries(Object.entries(json).filter(([keyword]) => !ofParts.has(keyword)));
  const types = isListOfMediaTypes(json, listOf(anyOf)) ? { anyOf } : {};
  return { schema: { ...schema, json: { ...own, ...types, type } }, checks: [], others: {} };
}

function toCounts(json: SchemaJson): Counts {
  const counts = countNames.flatMap((name) => {
    const count = toNumber(json[name]);
    return count === undefined ? [] : [[name, count] as const];
  });
  return Object.fromEntries(counts);
}

function toText(schema: ObjectSchema): TextBranch {
  const { json } = schema;
  const { maxSize, accept = [] } = recordOf(json['x-capix-file']);
  const branches = listOf(json['anyOf']).map((branch) => recordOf(branch)['contentMediaType']);
  const [kind] = toTexts(json['x-capix-kind']);
  const most = toNumber(json['maxLength']) ?? toNumber(maxSize);
  const least = toNumber(json['minLength']);
  return {
    ...toLimited('string', schema),
    type: 'string',
    kind: kind === 'date' || kind === 'bigint' ? kind : undefined,
    counts: {
      ...(least !== undefined && { minLength: least }),
      ...(most !== undefined && { maxLength: most }),
    },
    patterns: toTexts(json['pattern']),
    mediaTypes: toTexts([json['contentMediaType'], ...branches, accept].flat()).filter(
      (type) => type !== BYTES,
    ),
    ...toWriting(json),
  };
}

const BYTES = 'application/octet-stream';

/** OpenAPI 3.0 says by a format what 3.1 says by an encoding, and of a file by its media type. */
function toWriting({
  format,
  contentEncoding,
  contentMediaType,
}: SchemaJson): Pick<TextBranch, 'formats' | 'encoding'> {
  const encoding = toTexts(contentEncoding)[0];
  if (format === 'byte') return { formats: [], encoding: encoding ?? 'base64' };
  const isFile = contentMediaType === BYTES && (encoding ?? format) === undefined;
  return { formats: isFile ? ['binary'] : toTexts(format), encoding };
}

function toNumberBranch(type: NumberBranch['type'], schema: ObjectSchema): NumberBranch {
  const { json } = schema;
  const multiple = toNumber(json['multipleOf']);
  return {
    ...toLimited(type, schema),
    type,
    min: toBound(json['minimum'], json['exclusiveMinimum'], 1),
    max: toBound(json['maximum'], json['exclusiveMaximum'], -1),
    multiples: multiple === undefined ? [] : [multiple],
    formats: toTexts(json['format']),
  };
}

/** The tighter of two bounds. In OpenAPI 3.0 the exclusive one is a flag, which makes the other one exclusive. */
function toBound(inclusive: unknown, exclusive: unknown, sign: 1 | -1): Bound | undefined {
  const value = toNumber(inclusive);
  const limit = toNumber(exclusive);
  const bound = value === undefined ? undefined : { value, isExclusive: exclusive === true };
  return toTighter(
    limit === undefined ? undefined : { value: limit, isExclusive: true },
    bound,
    sign,
  );
}

function toListBranch(schema: ObjectSchema): ListBranch {
  const { items, prefixItems, additionalItems, uniqueItems } = schema.json;
  // Before draft 2020-12 a tuple was a list of `items`.
  const [first, rest] = Array.isArray(items)
    ? [items, additionalItems]
    : [listOf(prefixItems), findOtherItems(schema.json)];
  return {
    ...toLimited('array', schema),
    type: 'array',
    counts: toCounts(schema.json),
    first: first.map((json: unknown) => ({ ...schema, json })),
    rest: rest === undefined ? undefined : { ...schema, json: rest },
    isUnique: uniqueItems === true,
  };
}

function toObjectBranch(schema: ObjectSchema): ObjectBranch {
  const { json } = schema;
  const { properties, patternProperties, propertyNames } = json;
  const additionalProperties = findAdditional(json);
  const names = propertyNames === undefined ? undefined : { ...schema, json: propertyNames };
  const required = new Set(toTexts(json['required']));
  const isRecord = isUniform(schema, required);
  // Fields whose names match a pattern are none of the others, and no schema describes them.
  const isSilent =
    patternProperties !== undefined ||
    (additionalProperties === undefined && !takesAnyFields(json));
  const rest =
    isSilent && !isRecord ? undefined : { ...schema, json: additionalProperties ?? true };
  const own = Object.entries(recordOf(properties)).map(
    ([name, part]) => [name, { ...schema, json: part }] as const,
  );
  const unnamed = [...required].filter((name) => !Object.hasOwn(recordOf(properties), name));
  const other = rest ?? { ...schema, json: true };
  return {
    ...toLimited('object', schema),
    type: 'object',
    counts: toCounts(json),
    fields: new Map<string, ApiSchema>([...own, ...unnamed.map((name) => [name, other] as const)]),
    required,
    rest,
    isOpen: additionalProperties !== undefined && additionalProperties !== false,
    names,
    isRecord,
  };
}

/**
 * Whether one schema describes all names and one all values, and either no name is required or every one that may be
 * there.
 */
function isUniform({ json, root }: ObjectSchema, required: ReadonlySet<string>): boolean {
  const { properties, patternProperties, propertyNames } = json;
  const hasOwn = properties !== undefined || patternProperties !== undefined;
  if (hasOwn || (propertyNames === undefined && !isSchemaObject(findAdditional(json))))
    return false;
  return required.size === 0 || isEachKey(required, follow(propertyNames, recordOf(root))['enum']);
}

/** The schema of all other fields. In an object without parts, `unevaluatedProperties` means `additionalProperties`. */
export function findAdditional(json: SchemaJson): unknown {
  const { additionalProperties, unevaluatedProperties } = json;
  const isWhole = parts.every((keyword) => json[keyword] === undefined);
  return additionalProperties ?? (isWhole ? unevaluatedProperties : undefined);
}

/** The schema of all other items. In a list without parts, `unevaluatedItems` means `items`. */
export function findOtherItems(json: SchemaJson): unknown {
  const { items, unevaluatedItems, contains } = json;
  const isWhole = contains === undefined && parts.every((keyword) => json[keyword] === undefined);
  return items ?? (isWhole ? unevaluatedItems : undefined);
}

const parts: readonly string[] = '$ref $dynamicRef allOf anyOf oneOf if dependentSchemas'.split(
  ' ',
);

/** Whether `type` is the only keyword that describes an object. Such an object may have fields. */
function takesAnyFields(json: SchemaJson): boolean {
  return ['properties', 'required', '$ref', 'allOf', 'anyOf', 'oneOf'].every(
    (keyword) => json[keyword] === undefined,
  );
}

function isEachKey(required: ReadonlySet<string>, keys: unknown): boolean {
  const names = listOf(keys);
  return (
    names.length === required.size &&
    names.every((name) => typeof name === 'string' && required.has(name))
  );
}

/** `nullable` is a word of OpenAPI 3.0 alone. */
export function isNullable({ json, root }: ObjectSchema): boolean {
  const version = textOf(recordOf(root)['openapi']) ?? '';
  return json['nullable'] === true && !/^3\.[1-9]/.test(version);
}

/** The types that a schema names; limits of one type mean that type. Undefined for any. */
function toTypes(schema: ObjectSchema): readonly unknown[] | undefined {
  const { json } = schema;
  const { type } = json;
  if (type === undefined) {
    const found = findLimited(json);
    return found.length === 1 ? found : undefined;
  }
  // OpenAPI 3.0 adds `null` to a type.
  const types: readonly unknown[] = [
    ...(Array.isArray(type) ? type : [type]),
    ...(isNullable(schema) ? ['null'] : []),
  ];
  // Every integer is a number.
  return [...new Set(types.filter((one) => one !== 'integer' || !types.includes('number')))];
}

/** The types whose values the keywords of a schema limit. */
function findLimited(json: SchemaJson): readonly string[] {
  return Object.keys(limits).filter((type) =>
    limits[type]?.some((keyword) => json[keyword] !== undefined),
  );
}

/** The keywords that limit the values of one type alone. */
const limits: Readonly<Record<string, readonly string[]>> = {
  object:
    'properties required additionalProperties propertyNames minProperties maxProperties'.split(' '),
  array: 'items prefixItems minItems maxItems uniqueItems'.split(' '),
  string: 'minLength maxLength pattern format contentEncoding contentMediaType'.split(' '),
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(' '),
};
