import { once } from '../once.ts';
import type { LazyShape, ObjectShape, RecordShape, Shape, ShapeField } from '../shape.ts';
import { toRegExp } from '../to-reg-exp.ts';
import { isSchemaObject, type SchemaJson, toNumber, toTexts } from './schema-json.ts';

export interface ReadObject {
  readonly read: (json: unknown) => Shape;
  readonly admitsOthers: boolean;
}

/** Reads the keywords for objects. */
export function toObjectShape(json: SchemaJson, { read, admitsOthers }: ReadObject): ObjectShape | RecordShape {
  const { properties, patternProperties, additionalProperties, propertyNames } = json;
  const limits = {
    admitsOthers,
    minFields: toNumber(json['minProperties']),
    maxFields: toNumber(json['maxProperties']),
  };
  const names = propertyNames === undefined ? undefined : once(() => read(propertyNames));
  const isSilent = additionalProperties === undefined && !takesAnyFields(json);
  const additional = isSilent ? undefined : once(() => read(additionalProperties));
  const required = new Set(toTexts(json['required']));
  const isExhaustive = required.size > 0 && isEachKey(required, names?.());
  const isUniform = names !== undefined || isSchemaObject(additionalProperties);
  if (isUniform && properties === undefined && patternProperties === undefined && (isExhaustive || required.size === 0))
    return { kind: 'record', ...limits, keys: names ?? toAny, values: additional ?? toAny, isExhaustive };
  const patterns = Object.entries(isSchemaObject(patternProperties) ? patternProperties : {}).map(
    ([pattern, schema]) => ({ pattern, shape: once(() => read(schema)) }),
  );
  const fields = Object.entries(isSchemaObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    isRequired: required.delete(name),
    shape: once(() => read(schema)),
  }));
  const unnamed = [...required].map((name): ShapeField => {
    const isMatched = patterns.some(({ pattern }) => toRegExp(pattern)?.test(name));
    return { name, isRequired: true, shape: isMatched ? toAny : (additional ?? toAny) };
  });
  return { kind: 'object', ...limits, fields: [...fields, ...unnamed], patterns, additional, names };
}

const toAny: LazyShape = () => ({ kind: 'any' });

/** Whether nothing but `type` is said of an object: it is not one without fields. */
function takesAnyFields(json: SchemaJson): boolean {
  return ['properties', 'patternProperties', 'required', '$ref', 'allOf', 'anyOf', 'oneOf'].every(
    (keyword) => json[keyword] === undefined,
  );
}

function isEachKey(required: ReadonlySet<string>, keys: Shape | undefined): boolean {
  return (
    keys?.kind === 'literal' &&
    keys.values.length === required.size &&
    keys.values.every((key) => typeof key === 'string' && required.has(key))
  );
}
