import type { ChangeClass } from '../../../../source/contract/changes/rule.ts';

/** A change of a schema, wherever it stands: what it does to those who send values, and to those who read them. */
export interface SchemaCheck {
  readonly before: unknown;
  readonly after: unknown;
  readonly asInput: Effect;
  readonly asOutput: Effect;
}

export type Effect = ChangeClass | 'none';

type Row = readonly [before: unknown, after: unknown, asInput: Effect, asOutput: Effect];

const text = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const list = { type: 'array', items: text };
const pair = { type: 'array', prefixItems: [text, text] };
const map = { type: 'object', additionalProperties: text };
const object = { type: 'object', properties: { a: text, b: text } };
const cat = { type: 'object', properties: { kind: text, purr: text }, required: ['kind'] };
const dog = { type: 'object', properties: { kind: text, bark: text }, required: ['kind'] };
const pets = {
  oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
};
const propertyName = 'kind';
const mapping = { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' };
const tagged = { ...pets, discriminator: { propertyName, mapping } };
/** Written as text: an object with `then` looks like a promise. */
const onlyIf = { if: { required: ['a'] } };
const onlyThen = JSON.parse('{ "then": { "required": ["b"] } }') as object;
const branch = { ...onlyIf, ...onlyThen };

export const components = { Cat: cat, Dog: dog };

/** Limits that take more values the larger they are (1), or the smaller (-1). */
const bounds: readonly (readonly [id: string, keyword: string, type: object, sign: 1 | -1])[] = [
  ['max', 'maximum', number, 1],
  ['min', 'minimum', number, -1],
  ['exclusive-max', 'exclusiveMaximum', number, 1],
  ['exclusive-min', 'exclusiveMinimum', number, -1],
  ['max-length', 'maxLength', text, 1],
  ['min-length', 'minLength', text, -1],
  ['max-items', 'maxItems', list, 1],
  ['min-items', 'minItems', list, -1],
  ['max-properties', 'maxProperties', map, 1],
  ['min-properties', 'minProperties', map, -1],
];

function toBoundRows([id, keyword, type, sign]: (typeof bounds)[number]): readonly [string, Row][] {
  const [low, high] = [
    { ...type, [keyword]: 3 },
    { ...type, [keyword]: 5 },
  ];
  const [narrow, wide] = sign === 1 ? [low, high] : [high, low];
  const [narrower, wider] = sign === 1 ? ['decreased', 'increased'] : ['increased', 'decreased'];
  return [
    [`${id}-${narrower}`, [wide, narrow, 'breaking', 'safe']],
    [`${id}-${wider}`, [narrow, wide, 'safe', 'risky']],
    [`${id}-set`, [type, narrow, 'breaking', 'safe']],
    [`${id}-unset`, [narrow, type, 'safe', 'risky']],
  ];
}

/** A restriction of which one more takes fewer values. */
function toRestrictionRows(id: string, free: object, bound: object): readonly [string, Row][] {
  return [
    [`${id}-added`, [free, bound, 'breaking', 'safe']],
    [`${id}-removed`, [bound, free, 'safe', 'risky']],
  ];
}

// biome-ignore format: a check a line.
const others: Readonly<Record<string, Row>> = {
  'unique-items-set': [list, { ...list, uniqueItems: true }, 'breaking', 'safe'],
  'unique-items-unset': [{ ...list, uniqueItems: true }, list, 'safe', 'risky'],
  'multiple-of-set': [number, { ...number, multipleOf: 2 }, 'breaking', 'safe'],
  'multiple-of-unset': [{ ...number, multipleOf: 2 }, number, 'safe', 'risky'],
  'multiple-of-changed': [{ ...number, multipleOf: 2 }, { ...number, multipleOf: 3 }, 'breaking', 'risky'],
  'multiple-of-generalized': [{ ...number, multipleOf: 4 }, { ...number, multipleOf: 2 }, 'safe', 'risky'],
  'multiple-of-specialized': [{ ...number, multipleOf: 2 }, { ...number, multipleOf: 4 }, 'breaking', 'safe'],
  'pattern-added': [text, { ...text, pattern: '^a' }, 'breaking', 'safe'],
  'pattern-removed': [{ ...text, pattern: '^a' }, text, 'safe', 'risky'],
  'pattern-changed': [{ ...text, pattern: '^a' }, { ...text, pattern: '^b' }, 'breaking', 'risky'],
  'pattern-generalized': [{ ...text, pattern: '^ab' }, { ...text, pattern: '.*' }, 'safe', 'risky'],
  'enum-value-added': [{ enum: ['a', 'b'] }, { enum: ['a', 'b', 'c'] }, 'safe', 'risky'],
  'enum-value-removed': [{ enum: ['a', 'b'] }, { enum: ['a'] }, 'breaking', 'safe'],
  'became-enum': [text, { ...text, enum: ['a', 'b'] }, 'breaking', 'safe'],
  'x-extensible-enum-value-removed': [{ ...text, 'x-extensible-enum': ['a', 'b'] }, { ...text, 'x-extensible-enum': ['a'] }, 'none', 'none'],
  'const-added': [text, { ...text, const: 'a' }, 'breaking', 'safe'],
  'const-removed': [{ ...text, const: 'a' }, text, 'safe', 'risky'],
  'const-changed': [{ const: 'a' }, { const: 'b' }, 'breaking', 'risky'],
  'type-changed': [text, integer, 'breaking', 'breaking'],
  'type-generalized': [integer, number, 'safe', 'breaking'],
  'type-specialized': [number, integer, 'breaking', 'safe'],
  'list-of-types-widened': [{ type: ['string', 'integer'] }, { type: ['string', 'integer', 'boolean'] }, 'safe', 'breaking'],
  'list-of-types-narrowed': [{ type: ['string', 'integer', 'boolean'] }, { type: ['string', 'integer'] }, 'breaking', 'safe'],
  'became-nullable': [text, { type: ['string', 'null'] }, 'safe', 'breaking'],
  'became-not-nullable': [{ type: ['string', 'null'] }, text, 'breaking', 'safe'],
  'any-of-added': [{ anyOf: [text, integer] }, { anyOf: [text, integer, { type: 'boolean' }] }, 'safe', 'breaking'],
  'any-of-removed': [{ anyOf: [text, integer] }, { anyOf: [text] }, 'breaking', 'safe'],
  'one-of-added': [{ oneOf: [text, integer] }, { oneOf: [text, integer, { type: 'boolean' }] }, 'safe', 'breaking'],
  'one-of-removed': [{ oneOf: [text, integer] }, { oneOf: [text] }, 'breaking', 'safe'],
  'all-of-added': [{ allOf: [object] }, { allOf: [object, { required: ['a'] }] }, 'breaking', 'safe'],
  'all-of-removed': [{ allOf: [object, { required: ['a'] }] }, { allOf: [object] }, 'safe', 'breaking'],
  'all-of-added-annotation-only': [{ allOf: [object] }, { allOf: [object, { description: 'It' }] }, 'none', 'none'],
  'all-of-removed-annotation-only': [{ allOf: [object, { description: 'It' }] }, { allOf: [object] }, 'none', 'none'],
  'wrapped-in-one-of': [cat, { oneOf: [dog, text] }, 'risky', 'breaking'],
  'wrapped-in-one-of-original-preserved': [cat, { oneOf: [cat, text] }, 'safe', 'breaking'],
  // The standard: it is a hint, and a value is as valid as without it.
  'discriminator-added': [pets, tagged, 'none', 'none'],
  'discriminator-removed': [tagged, pets, 'none', 'none'],
  'discriminator-property-name-changed': [tagged, { ...tagged, discriminator: { propertyName: 'sort', mapping } }, 'breaking', 'risky'],
  'discriminator-mapping-added': [tagged, { ...tagged, discriminator: { propertyName, mapping: { ...mapping, kitten: mapping.cat } } }, 'safe', 'risky'],
  'discriminator-mapping-deleted': [{ ...tagged, discriminator: { propertyName, mapping: { ...mapping, kitten: mapping.cat } } }, tagged, 'breaking', 'safe'],
  'discriminator-mapping-changed': [tagged, { ...tagged, discriminator: { propertyName, mapping: { cat: mapping.dog, dog: mapping.cat } } }, 'breaking', 'risky'],
  'prefix-items-added': [{ type: 'array', prefixItems: [text] }, { type: 'array', prefixItems: [text, integer] }, 'breaking', 'safe'],
  'prefix-items-removed': [{ type: 'array', prefixItems: [text, integer] }, { type: 'array', prefixItems: [text] }, 'safe', 'breaking'],
  'if-added': [{ ...object, ...onlyThen }, { ...object, ...branch }, 'breaking', 'safe'],
  'if-removed': [{ ...object, ...branch }, { ...object, ...onlyThen }, 'safe', 'risky'],
  'then-added': [{ ...object, ...onlyIf }, { ...object, ...branch }, 'breaking', 'safe'],
  'then-removed': [{ ...object, ...branch }, { ...object, ...onlyIf }, 'safe', 'risky'],
  'else-added': [{ ...object, ...branch }, { ...object, ...branch, else: { required: ['a'] } }, 'breaking', 'safe'],
  'else-removed': [{ ...object, ...branch, else: { required: ['a'] } }, { ...object, ...branch }, 'safe', 'risky'],
  'min-contains-increased': [{ ...list, contains: { const: 'a' }, minContains: 2 }, { ...list, contains: { const: 'a' }, minContains: 3 }, 'breaking', 'safe'],
  'min-contains-decreased': [{ ...list, contains: { const: 'a' }, minContains: 3 }, { ...list, contains: { const: 'a' }, minContains: 2 }, 'safe', 'risky'],
  'max-contains-increased': [{ ...list, contains: { const: 'a' }, maxContains: 2 }, { ...list, contains: { const: 'a' }, maxContains: 3 }, 'safe', 'risky'],
  'max-contains-decreased': [{ ...list, contains: { const: 'a' }, maxContains: 3 }, { ...list, contains: { const: 'a' }, maxContains: 2 }, 'breaking', 'safe'],
  'dependent-required-changed': [{ ...object, dependentRequired: { a: ['b'] } }, { ...object, dependentRequired: { a: ['b', 'c'] } }, 'breaking', 'safe'],
  'content-schema-added': [{ ...text, contentMediaType: 'application/json' }, { ...text, contentMediaType: 'application/json', contentSchema: object }, 'breaking', 'safe'],
  'content-schema-removed': [{ ...text, contentMediaType: 'application/json', contentSchema: object }, { ...text, contentMediaType: 'application/json' }, 'safe', 'risky'],
  'content-media-type-changed': [{ ...text, contentMediaType: 'image/png' }, { ...text, contentMediaType: 'image/jpeg' }, 'breaking', 'risky'],
  'content-encoding-changed': [{ ...text, contentEncoding: 'base64' }, { ...text, contentEncoding: 'base32' }, 'breaking', 'risky'],
};

const restrictions = [
  toRestrictionRows('contains', list, { ...list, contains: { const: 'a' } }),
  toRestrictionRows('dependent-required', object, { ...object, dependentRequired: { a: ['b'] } }),
  toRestrictionRows('dependent-schema', object, {
    ...object,
    dependentSchemas: { a: { required: ['b'] } },
  }),
  toRestrictionRows('pattern-property', object, { ...object, patternProperties: { '^x-': text } }),
  toRestrictionRows('property-names', object, { ...object, propertyNames: { pattern: '^[a-z]' } }),
  toRestrictionRows('unevaluated-items', pair, { ...pair, unevaluatedItems: false }),
  toRestrictionRows('unevaluated-properties', object, { ...object, unevaluatedProperties: false }),
].flat();

export const schemaChecks: readonly (readonly [id: string, check: SchemaCheck])[] = [
  ...bounds.flatMap(toBoundRows),
  ...restrictions,
  ...Object.entries(others),
].map(([id, [before, after, asInput, asOutput]]) => [id, { before, after, asInput, asOutput }]);
