import { accepts } from '../accepts.ts';
import { mergeShapes } from '../merge/merge-shapes.ts';
import { toPlainUnion } from '../merge/to-plain-union.ts';
import type { Shape } from '../shape.ts';
import { isSchemaObject, type SchemaJson } from './schema-json.ts';
import { toArrayShape } from './to-array-shape.ts';
import { isFile, toFileShape } from './to-file-shape.ts';
import { toNumberShape } from './to-number-shape.ts';
import { toObjectShape } from './to-object-shape.ts';
import { toStringShape } from './to-string-shape.ts';

/** zod's name of a kind of value that JSON Schema has no word for. */
export const KIND_KEYWORD = 'x-kind';

/**
 * The keyword of a JSON Schema under which its checks stand that are code. Screens read it: beside what makes the marks it would have them load
 * zod.
 */
export const CHECKS_KEYWORD = 'x-checks';

type ReadSchema = (json: unknown) => Shape;

/** Reads `type`, `enum`, `const` and the limits beside them. */
export function toTypedShape(json: SchemaJson, read: ReadSchema): Shape {
  const typed = toShapeOfTypes(json, read);
  const { enum: values } = json;
  if (values === undefined && !('const' in json)) return typed;
  const parts = [
    Array.isArray(values) ? toLiteral(values) : undefined,
    'const' in json ? toLiteral([json['const']]) : undefined,
  ];
  return parts.filter((part) => part !== undefined).reduce(mergeShapes, typed);
}

function toLiteral(values: readonly unknown[]): Shape {
  const different = values.filter((value, index) => !values.slice(0, index).some((before) => isSame(before, value)));
  const literals = different.filter((value) => value !== null);
  return toPlainUnion([
    ...(literals.length === 0 ? [] : [{ kind: 'literal', values: literals } as const]),
    ...(literals.length === different.length ? [] : [{ kind: 'null' } as const]),
  ]);
}

function isSame(one: unknown, other: unknown): boolean {
  return accepts({ kind: 'literal', values: [one] }, other);
}

function toShapeOfTypes(json: SchemaJson, read: ReadSchema): Shape {
  const { type, nullable } = json;
  if (type === undefined) return toLooseShape(json, read);
  if (typeof type === 'string' && nullable !== true) return toShapeOfType(json, type, read);
  const types: readonly unknown[] = [...(Array.isArray(type) ? type : [type]), ...(nullable === true ? ['null'] : [])];
  // Every integer is a number.
  const different = new Set(types.filter((one) => one !== 'integer' || !types.includes('number')));
  return toPlainUnion([...different].map((one) => toShapeOfType(json, one, read)));
}

function toShapeOfType(json: SchemaJson, type: unknown, read: ReadSchema): Shape {
  switch (type) {
    case 'string':
      return isFile(json) ? toFileShape(json) : toStringShape(json, false);
    case 'number':
    case 'integer':
      return toNumberShape(json, { isInteger: type === 'integer', admitsOthers: false });
    case 'array':
      return toArrayShape(json, { read, admitsOthers: false });
    case 'object':
      return toObjectShape(json, { read, admitsOthers: false });
    case 'boolean':
    case 'null':
      return { kind: type };
    default:
      return { kind: 'other', base: { kind: 'any' }, keywords: { type } };
  }
}

/** Limits without a type hold for the values of their type alone. */
function toLooseShape(json: SchemaJson, read: ReadSchema): Shape {
  const kind = json[KIND_KEYWORD];
  if (typeof kind === 'string') return { kind: 'foreign', type: kind };
  return looseShapes
    .filter(({ keywords }) => keywords.some((keyword) => json[keyword] !== undefined))
    .map(({ toLoose }) => toLoose(json, read))
    .reduce(mergeShapes, { kind: 'any' });
}

const looseShapes: readonly {
  readonly keywords: readonly string[];
  readonly toLoose: (json: SchemaJson, read: ReadSchema) => Shape;
}[] = [
  {
    keywords: [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'minProperties',
      'maxProperties',
    ],
    toLoose: (json, read) => toObjectShape(json, { read, admitsOthers: true }),
  },
  {
    keywords: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
    toLoose: (json, read) => toArrayShape(json, { read, admitsOthers: true }),
  },
  {
    keywords: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
    toLoose: (json) => toStringShape(json, true),
  },
  {
    keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    toLoose: (json) => toNumberShape(json, { isInteger: false, admitsOthers: true }),
  },
];

/** zod writes the media types of a file as branches that say nothing else. */
export function isListOfMediaTypes(json: SchemaJson, branches: readonly unknown[]): boolean {
  return (
    isFile(json) &&
    branches.every((branch) => isSchemaObject(branch) && Object.keys(branch).join() === 'contentMediaType')
  );
}
