import type { FileShape } from '../shape.ts';
import { isSchemaObject, type SchemaJson, toNumber, toTexts } from './schema-json.ts';

/** The keyword for rules of a file that JSON Schema has no word for, `{"maxSize": 1000, "accept": ["image/png"]}`. */
export const FILE_KEYWORD = 'x-file';

/** Whether a text stands for the bytes of a file. */
export function isFile({ format, pattern }: SchemaJson): boolean {
  return format === 'binary' && pattern === undefined;
}

/** In documents of our own they stand under another keyword. */
function toRules(json: SchemaJson): SchemaJson {
  const rules = json[FILE_KEYWORD] ?? json['x-capix-file'];
  return isSchemaObject(rules) ? rules : {};
}

export function toFileShape({ minLength, maxLength, contentMediaType, anyOf, ...json }: SchemaJson): FileShape {
  const { maxSize, accept = [] } = toRules(json);
  const branches = Array.isArray(anyOf) ? anyOf.filter(isSchemaObject) : [];
  return {
    kind: 'file',
    minSize: toNumber(minLength),
    maxSize: toNumber(maxLength) ?? toNumber(maxSize),
    mediaTypes: toTexts([contentMediaType, ...branches.map((branch) => branch['contentMediaType']), accept].flat()),
  };
}
