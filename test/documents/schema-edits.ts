import type { Schema } from './document-types.ts';
import type { Effect } from './edit-kind.ts';
import { isSimple, isSimpleObject } from './places.ts';

/** An edit of one schema, wherever it stands, with its effect on those who send values and on those who read them. */
export interface SchemaEdit {
  readonly name: string;
  readonly asInput: Effect | undefined;
  readonly asOutput: Effect | undefined;
  readonly reason: string;
  readonly fits: (schema: Schema, isRoot: boolean) => boolean;
  /** Puts the schema into the state from which the edit starts. */
  readonly prepare?: (schema: Schema, openapi: string) => void;
  /** `openapi`: the version, whose words the edit writes. */
  readonly edit: (schema: Schema, openapi: string) => void;
  readonly isUnclear?: boolean;
}

type Row = readonly [
  name: string,
  asInput: Effect | undefined,
  asOutput: Effect | undefined,
  reason: string,
  fits: SchemaEdit['fits'],
  edit: SchemaEdit['edit'],
  more?: Pick<SchemaEdit, 'prepare' | 'isUnclear'>,
];

const isOpen = (schema: Schema): boolean =>
  isSimpleObject(schema) && schema['additionalProperties'] !== false;
const textKeywords = ['format', 'pattern', 'minLength', 'maxLength', 'enum', 'contentEncoding'];
const isText = (schema: Schema): boolean => schema.type === 'string' && isSimple(schema);
const isBareText = (schema: Schema): boolean =>
  isText(schema) && textKeywords.every((keyword) => schema[keyword] === undefined);
const isNumber = (schema: Schema): boolean =>
  (schema.type === 'number' || schema.type === 'integer') && isSimple(schema);
const boundKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const isBareNumber = (schema: Schema): boolean =>
  isNumber(schema) && boundKeywords.every((keyword) => schema[keyword] === undefined);
const isInteger = (schema: Schema): boolean => schema.type === 'integer' && isBareNumber(schema);
const isFraction = (schema: Schema): boolean =>
  schema.type === 'number' && isBareNumber(schema) && schema['format'] === undefined;
const isList = (schema: Schema): boolean =>
  schema.type === 'array' && isSimple(schema) && typeof schema.items === 'object';
const isBareList = (schema: Schema): boolean =>
  isList(schema) && ['minItems', 'maxItems', 'uniqueItems'].every((key) => !(key in schema));
const isBareEnum = (schema: Schema): boolean =>
  Array.isArray(schema.enum) &&
  schema.type === 'string' &&
  schema.enum.length >= 3 &&
  new Set(schema.enum).size === schema.enum.length &&
  schema.enum.every((value) => typeof value === 'string') &&
  ['oneOf', 'anyOf', 'allOf', '$ref', 'pattern'].every((key) => schema[key] === undefined);

const fieldsOf = (schema: Schema): Record<string, Schema> => schema.properties ?? {};
const isRequired = (schema: Schema, name: string): boolean =>
  schema.required?.includes(name) === true;

/** Fields without marks of their own; an edit takes the same one when it is prepared and when it is made. */
const plainFields = (schema: Schema, required: boolean): readonly string[] =>
  Object.entries(fieldsOf(schema))
    .filter(
      ([name, field]) =>
        isRequired(schema, name) === required &&
        field['readOnly'] !== true &&
        field['writeOnly'] !== true,
    )
    .map(([name]) => name);
const hasField = (required: boolean) => (schema: Schema) =>
  isOpen(schema) && plainFields(schema, required).some((name) => isMarkless(schema, name));
/** A reference may lead to a mark. */
const isMarkless = (schema: Schema, name: string): boolean =>
  fieldsOf(schema)[name]?.$ref === undefined && fieldsOf(schema)[name]?.['allOf'] === undefined;
const pickField = (schema: Schema, required: boolean): string =>
  plainFields(schema, required).find((name) => isMarkless(schema, name))!;

const hasOptionalText = (schema: Schema): boolean =>
  hasField(false)(schema) && isBareText(fieldsOf(schema)[pickField(schema, false)]!);

function drop(schema: Schema, name: string): void {
  delete schema.properties?.[name];
  if (schema.required !== undefined)
    schema.required = schema.required.filter((each) => each !== name);
  if (schema.required?.length === 0) delete schema.required;
}

function require(schema: Schema, name: string): void {
  schema.required = [...(schema.required ?? []), name];
}

/** Puts what a schema says into one of its own, so that others may stand beside it. */
function wrap(schema: Schema, toWrapped: (own: Schema) => Schema): void {
  const own = { ...schema };
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  Object.assign(schema, toWrapped(own));
}

const cat = {
  type: 'object',
  required: ['kind', 'lives'],
  properties: { kind: { type: 'string', enum: ['cat'] }, lives: { type: 'integer' } },
};
const dog = {
  type: 'object',
  required: ['kind', 'bark'],
  properties: { kind: { type: 'string', enum: ['dog'] }, bark: { type: 'string' } },
};
const cow = {
  type: 'object',
  required: ['kind', 'milk'],
  properties: { kind: { type: 'string', enum: ['cow'] }, milk: { type: 'number' } },
};
const untagged = (...fields: readonly string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
});

function toUnion(...variants: readonly Schema[]): (schema: Schema) => void {
  return (schema) => {
    for (const keyword of Object.keys(schema)) delete schema[keyword];
    schema.oneOf = variants.map((variant) => structuredClone(variant));
  };
}

const isWhole = (schema: Schema, isRoot: boolean): boolean => !isRoot && isSimpleObject(schema);
const any = (schema: Schema, isRoot: boolean): boolean =>
  !isRoot && isSimple(schema) && typeof schema.type === 'string' && schema['nullable'] !== true;
const set =
  (words: Schema) =>
  (schema: Schema): void => {
    Object.assign(schema, structuredClone(words));
  };
const unset =
  (...keywords: readonly string[]) =>
  (schema: Schema): void => {
    for (const keyword of keywords) delete schema[keyword];
  };
const starts = (words: Schema) => ({ prepare: set(words) });
const startsAs = (...variants: readonly Schema[]) => ({ prepare: toUnion(...variants) });

const isOf30 = (openapi: string): boolean => openapi.startsWith('3.0');

function addNull(schema: Schema, openapi: string): void {
  if (isOf30(openapi)) schema['nullable'] = true;
  else schema.type = [schema.type, 'null'];
}

function dropNull(schema: Schema): void {
  delete schema['nullable'];
  if (Array.isArray(schema.type)) schema.type = (schema.type as readonly unknown[])[0];
}

/** Lets a minimum be outside: since OpenAPI 3.1 another word says it. */
function exclude(schema: Schema, openapi: string): void {
  const { minimum } = schema;
  if (!isOf30(openapi)) delete schema['minimum'];
  schema['exclusiveMinimum'] = isOf30(openapi) ? true : minimum;
}

const less = 'values that fitted are refused; readers were ready for more';
const more = 'all old values fit; readers may get values that they do not expect';
const other = 'old values do not fit, and readers get what they cannot read';
const words = 'the same values in other words';

// biome-ignore format: an edit a line.
const rows: readonly Row[] = [
  // Fields
  ['an optional field more', 'safe', 'safe', 'senders may leave it out, readers pass over it', isOpen, (s) => { fieldsOf(s)['zz'] = { type: 'string' }; }],
  ['a required field more', 'breaking', 'safe', 'who leaves it out is refused; readers pass over it', isOpen, (s) => { fieldsOf(s)['zz'] = { type: 'string' }; require(s, 'zz'); }],
  ['an optional field fewer', 'risky', 'breaking', 'it is ignored; readers miss it', hasField(false), (s) => drop(s, pickField(s, false))],
  ['a required field fewer', 'risky', 'breaking', 'it is ignored; readers miss it', hasField(true), (s) => drop(s, pickField(s, true))],
  ['a field fewer of an object that refuses others', 'breaking', 'breaking', 'who sends it is refused; readers miss it', hasField(false), (s) => drop(s, pickField(s, false)), starts({ additionalProperties: false })],
  ['a field that became required', 'breaking', 'safe', 'who leaves it out is refused; readers were ready for less', hasField(false), (s) => require(s, pickField(s, false))],
  ['a field that became optional', 'safe', 'breaking', 'who sends it is answered as before; readers count on it', hasField(true), (s) => { s.required = s.required!.filter((name) => name !== pickField(s, true)); }],
  ['an optional field with another name', 'risky', 'breaking', 'the old one is ignored; readers miss it', hasField(false), (s) => { const name = pickField(s, false); fieldsOf(s)['zz'] = fieldsOf(s)[name]!; drop(s, name); }],
  ['a required field with another name', 'breaking', 'breaking', 'the new one is missing; readers miss the old one', hasField(true), (s) => { const name = pickField(s, true); fieldsOf(s)['zz'] = fieldsOf(s)[name]!; drop(s, name); require(s, 'zz'); }],
  ['a deprecated field', 'safe', 'safe', 'it works as before', hasField(false), (s) => { fieldsOf(s)[pickField(s, false)]!['deprecated'] = true; }],
  ['unknown fields that are refused', 'breaking', 'safe', less, (s) => isSimpleObject(s) && s['additionalProperties'] === undefined, set({ additionalProperties: false })],
  ['unknown fields that are no longer refused', 'safe', 'risky', more, isSimpleObject, unset('additionalProperties'), starts({ additionalProperties: false })],
  // Types
  ['a text that became an integer', 'breaking', 'breaking', other, isBareText, (s) => { s.type = 'integer'; }],
  ['a boolean that became a text', 'breaking', 'breaking', other, (s) => s.type === 'boolean' && isSimple(s), (s) => { s.type = 'string'; }],
  ['an integer that became a number', 'safe', 'breaking', 'integers are numbers; readers do not expect a fraction', isInteger, (s) => { s.type = 'number'; delete s['format']; }, { prepare: unset('format') }],
  ['a number that became an integer', 'breaking', 'safe', 'fractions are refused; integers are numbers', isFraction, (s) => { s.type = 'integer'; }],
  ['an object that became a list of it', 'breaking', 'breaking', other, isWhole, (s) => wrap(s, (own) => ({ type: 'array', items: own }))],
  ['a list that became one of its items', 'breaking', 'breaking', other, (s, isRoot) => !isRoot && isList(s) && s.items?.$ref === undefined, (s) => wrap(s, (own) => own.items!)],
  ['items of another type', 'breaking', 'breaking', other, (s) => isList(s) && isBareText(s.items!), (s) => { s.items = { type: 'boolean' }; }],
  ['a value that may be null', 'safe', 'breaking', 'nobody needs to send it; readers do not expect it', any, addNull],
  ['a value that is no longer null', 'breaking', 'safe', 'null is refused; readers were ready for it', any, dropNull, { prepare: addNull }],
  // Values
  ['a value fewer', 'breaking', 'safe', less, isBareEnum, (s) => { s.enum!.pop(); }],
  ['a value more', 'safe', 'risky', more, isBareEnum, (s) => { s.enum!.push('zz'); }],
  ['values in the place of any text', 'breaking', 'safe', less, isBareText, set({ enum: ['a', 'b'] })],
  ['any text in the place of values', 'safe', 'risky', more, isBareEnum, unset('enum')],
  ['another default', 'risky', 'none', 'who leaves it out gets another answer; answers have no defaults', hasOptionalText, (s) => { fieldsOf(s)[pickField(s, false)]!['default'] = 'b'; }, { prepare: (s) => { fieldsOf(s)[pickField(s, false)]!['default'] = 'a'; } }],
  // Limits
  ['a lower maximum length', 'breaking', 'safe', less, isBareText, set({ maxLength: 5 }), starts({ maxLength: 50 })],
  ['a higher maximum length', 'safe', 'risky', more, isBareText, set({ maxLength: 50 }), starts({ maxLength: 5 })],
  ['a first maximum length', 'breaking', 'safe', less, isBareText, set({ maxLength: 5 })],
  ['a higher minimum length', 'breaking', 'safe', less, isBareText, set({ minLength: 5 }), starts({ minLength: 1 })],
  ['a lower minimum length', 'safe', 'risky', more, isBareText, set({ minLength: 1 }), starts({ minLength: 5 })],
  ['a higher minimum', 'breaking', 'safe', less, isBareNumber, set({ minimum: 5 }), starts({ minimum: 1 })],
  ['a lower minimum', 'safe', 'risky', more, isBareNumber, set({ minimum: 1 }), starts({ minimum: 5 })],
  ['a first maximum', 'breaking', 'safe', less, isBareNumber, set({ maximum: 99 })],
  ['a maximum fewer', 'safe', 'risky', more, isBareNumber, unset('maximum'), starts({ maximum: 99 })],
  ['a minimum that is outside now', 'breaking', 'safe', less, (s, isRoot) => isFraction(s) && !isRoot, exclude, starts({ minimum: 1 })],
  ['multiples of a number', 'breaking', 'safe', less, isBareNumber, set({ multipleOf: 7 })],
  ['a coarser multiple', 'breaking', 'safe', less, isBareNumber, set({ multipleOf: 10 }), starts({ multipleOf: 5 })],
  ['a first pattern', 'breaking', 'safe', less, isBareText, set({ pattern: '^[a-z]+$' })],
  ['a pattern fewer', 'safe', 'risky', more, isBareText, unset('pattern'), starts({ pattern: '^[a-z]+$' })],
  ['another pattern', 'breaking', 'risky', 'words that fitted are refused; of what comes nobody can tell', isBareText, set({ pattern: '^[a-f]{3}$' }), { ...starts({ pattern: '^[a-z]+$' }), isUnclear: true }],
  ['a first format', 'breaking', 'safe', less, isBareText, set({ format: 'email' })],
  ['a format fewer', 'safe', 'risky', more, isBareText, unset('format'), starts({ format: 'email' })],
  ['a day that became a time', 'breaking', 'risky', 'a day is no time', isBareText, set({ format: 'date-time' }), starts({ format: 'date' })],
  ['a format within the old one', 'breaking', 'safe', less, isBareText, set({ format: 'uri' }), starts({ format: 'uri-reference' })],
  ['a format that holds the old one', 'safe', 'risky', more, isBareText, set({ format: 'idn-email' }), starts({ format: 'email' })],
  ['integers of half the size', 'breaking', 'safe', less, isInteger, set({ format: 'int32' }), starts({ format: 'int64' })],
  ['integers of twice the size', 'safe', 'risky', more, isInteger, set({ format: 'int64' }), starts({ format: 'int32' })],
  ['fewer items', 'breaking', 'safe', less, isBareList, set({ maxItems: 3 }), starts({ maxItems: 30 })],
  ['more items', 'safe', 'risky', more, isBareList, set({ maxItems: 30 }), starts({ maxItems: 3 })],
  ['a first least number of items', 'breaking', 'safe', less, isBareList, set({ minItems: 2 })],
  ['a least number of items fewer', 'safe', 'risky', more, isBareList, unset('minItems'), starts({ minItems: 2 })],
  ['items that are unique', 'breaking', 'safe', less, isBareList, set({ uniqueItems: true })],
  ['a greatest number of fields', 'breaking', 'safe', less, (s) => isSimpleObject(s) && s['maxProperties'] === undefined, set({ maxProperties: 900 })],
  // Variants
  ['a variant more', 'safe', 'breaking', more, isWhole, toUnion(cat, dog, cow), startsAs(cat, dog)],
  ['a variant fewer', 'breaking', 'safe', less, isWhole, toUnion(cat, cow), startsAs(cat, dog, cow)],
  ['a variant with a required field more', 'breaking', 'safe', 'who leaves it out is refused', isWhole, (s) => { fieldsOf(s.oneOf![0]!)['zz'] = { type: 'string' }; require(s.oneOf![0]!, 'zz'); }, startsAs(cat, dog)],
  ['a variant with a field fewer', 'risky', 'breaking', 'it is ignored; readers miss it', isWhole, (s) => drop(s.oneOf![1]!, 'bark'), startsAs(cat, dog)],
  ['variants in another order', 'none', 'none', words, isWhole, toUnion(cow, cat, dog), startsAs(cat, dog, cow)],
  ['two variants without a tag that have a field more each', 'safe', 'safe', 'nobody needs to send them, readers pass over them', isWhole, toUnion(untagged('a', 'b', 'x'), untagged('c', 'd', 'y')), startsAs(untagged('a', 'b'), untagged('c', 'd'))],
  ['two variants without a tag that have a field fewer each', 'risky', 'breaking', 'they are ignored; readers miss them', isWhole, toUnion(untagged('a'), untagged('c')), startsAs(untagged('a', 'b'), untagged('c', 'd'))],
  ['a text or a number, that was a text', 'safe', 'breaking', more, (s, isRoot) => !isRoot && isBareText(s), toUnion({ type: 'string' }, { type: 'integer' })],
  // Directions
  ['a required field more that is only read', 'none', 'safe', 'no request has it; readers pass over it', isOpen, (s) => { fieldsOf(s)['zz'] = { type: 'string', readOnly: true }; require(s, 'zz'); }],
  ['a field fewer that was only written', 'risky', 'none', 'it is ignored; no answer had it', isOpen, (s) => drop(s, 'zz'), { prepare: (s) => { fieldsOf(s)['zz'] = { type: 'string', writeOnly: true }; } }],
  ['a field fewer that was only read', 'none', 'breaking', 'no request had it; readers miss it', isOpen, (s) => drop(s, 'zz'), { prepare: (s) => { fieldsOf(s)['zz'] = { type: 'string', readOnly: true }; } }],
  ['a required field that is no longer only read', 'breaking', 'none', 'a request must have it now', isOpen, (s) => { delete fieldsOf(s)['zz']!['readOnly']; }, { prepare: (s) => { fieldsOf(s)['zz'] = { type: 'string', readOnly: true }; require(s, 'zz'); } }],
  ['a field that is only written from now on', 'none', 'breaking', 'readers miss it', hasField(false), (s) => { fieldsOf(s)[pickField(s, false)]!['writeOnly'] = true; }],
  // Conditions
  ['a condition that asks for more', 'breaking', 'safe', less, isWhole, set({ else: { required: ['a', 'b'] } }), { prepare: set({ if: { required: ['zz'] }, else: { required: ['a'] } }) }],
  ['a condition more', 'breaking', 'safe', less, isWhole, set({ if: { required: ['zz'] }, else: { required: ['yy'] } })],
  ['a condition fewer', 'safe', 'risky', more, isWhole, unset('if', 'else'), { prepare: set({ if: { required: ['zz'] }, else: { required: ['yy'] } }) }],
  ['another question of a condition', 'risky', 'risky', 'nobody can tell whom it concerns', isWhole, set({ if: { required: ['yy'] } }), { isUnclear: true, prepare: set({ if: { required: ['zz'] }, else: { required: ['xx'] } }) }],
  ['values that are excluded', 'breaking', 'safe', less, isWhole, set({ not: { required: ['zz'] } })],
  ['values that are no longer excluded', 'safe', 'risky', more, isWhole, unset('not'), { prepare: set({ not: { required: ['zz'] } }) }],
  ['more values that are excluded', 'breaking', 'safe', less, isWhole, set({ not: { properties: { zz: { type: 'string' } }, required: ['zz'] } }), { prepare: set({ not: { properties: { zz: { type: 'string', maxLength: 3 } }, required: ['zz'] } }) }],
  ['shorter values of names by a pattern', 'breaking', 'safe', less, isWhole, set({ patternProperties: { '^zz': { type: 'string', maxLength: 3 } } }), { prepare: set({ patternProperties: { '^zz': { type: 'string' } } }) }],
  ['a field that another one asks for', 'breaking', 'safe', less, isWhole, set({ dependentRequired: { zz: ['a', 'b'] } }), { prepare: set({ dependentRequired: { zz: ['a'] } }) }],
  // Words
  ['another description', 'none', 'none', words, any, set({ description: 'Another one.' })],
  ['a title and an example', 'none', 'none', words, any, set({ title: 'It', example: 'a' })],
  ['an intersection of one', 'none', 'none', words, any, (s) => wrap(s, (own) => ({ allOf: [own] }))],
  ['values in another order', 'none', 'none', words, isBareEnum, (s) => { s.enum!.reverse(); }],
  ['required fields in another order', 'none', 'none', words, (s) => isSimpleObject(s) && (s.required?.length ?? 0) > 1, (s) => { s.required!.reverse(); }],
  ['fields in two parts', 'none', 'none', words, isOpen, (s) => { const [name, field] = Object.entries(fieldsOf(s)).at(-1)!; const isNeeded = isRequired(s, name); drop(s, name); wrap(s, (own) => ({ allOf: [own, { type: 'object', properties: { [name]: field }, ...(isNeeded ? { required: [name] } : {}) }] })); }],
  ['a minimum of no characters', 'none', 'none', words, isBareText, set({ minLength: 0 })],
];

export const schemaEdits: readonly SchemaEdit[] = rows.map(
  ([name, asInput, asOutput, reason, fits, edit, rest]) => ({
    name,
    asInput,
    asOutput,
    reason,
    fits,
    edit,
    ...rest,
  }),
);
