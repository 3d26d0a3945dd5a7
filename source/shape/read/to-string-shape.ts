import type { StringShape } from '../shape.ts';
import { type SchemaJson, toNumber, toTexts } from './schema-json.ts';

function toTextKind(json: SchemaJson): StringShape['standsFor'] {
  const kind = json['x-capix-kind'];
  return kind === 'date' || kind === 'bigint' ? kind : undefined;
}

export function toStringShape(json: SchemaJson, admitsOthers: boolean): StringShape {
  return {
    kind: 'string',
    admitsOthers,
    minLength: toNumber(json['minLength']),
    maxLength: toNumber(json['maxLength']),
    patterns: toTexts(json['pattern']),
    formats: toTexts(json['format']),
    standsFor: toTextKind(json),
    encoding: toTexts(json['contentEncoding'])[0],
    mediaType: toTexts(json['contentMediaType'])[0],
  };
}
