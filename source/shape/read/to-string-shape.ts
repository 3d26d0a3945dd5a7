import type { StringShape } from '../shape.ts';
import { type SchemaJson, toNumber, toTexts } from './schema-json.ts';

/** Left by the writer of documents on schemas as objects; their JSON does not have it. */
const TEXT_KIND = Symbol.for('capix.text-kind');

function toTextKind(json: SchemaJson): StringShape['standsFor'] {
  const kind: unknown = Reflect.get(json, TEXT_KIND);
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
