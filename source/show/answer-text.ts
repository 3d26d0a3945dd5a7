import type { ManifestAnswer } from '../manifest/manifest.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { toTypeText } from '../shape/type-text.ts';

/** `201 data, with location`, `204 no content`, `200 bytes of image/png`, `200 items of { id: string }`: one answer on one line. */
export function toAnswerText({ status, kind, contentTypes, schema, headers }: ManifestAnswer): string {
  const names = Object.keys(headers);
  const extra = names.length === 0 ? '' : `, with ${names.join(', ')}`;
  return `${status} ${toContentText(kind, contentTypes, schema && toTypeText(toShape(schema.json)))}${extra}`;
}

function toContentText(kind: ManifestAnswer['kind'], types: readonly string[], type = 'anything'): string {
  switch (kind) {
    case 'data':
      return types.length === 0 ? type : `${type} as ${types.join(', ')}`;
    case 'none':
      return 'no content';
    case 'text':
      return `text of ${types.join(', ')}`;
    case 'bytes':
      return `bytes of ${types.join(', ')}`;
    case 'stream':
      return `items of ${type}`;
    case 'redirect':
      return 'redirect';
  }
}
