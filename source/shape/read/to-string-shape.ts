import type { StringShape } from '../shape.ts';
import { type SchemaJson, toNumber, toTexts } from './schema-json.ts';

export function toStringShape(json: SchemaJson, admitsOthers: boolean): StringShape {
  return {
    kind: 'string',
    admitsOthers,
    minLength: toNumber(json['minLength']),
    maxLength: toNumber(json['maxLength']),
    patterns: toTexts(json['pattern']),
    formats: toTexts(json['format']),
    encoding: toTexts(json['contentEncoding'])[0],
    mediaType: toTexts(json['contentMediaType'])[0],
  };
}
