import { recordOf, type SchemaJson } from '../shape/read/schema-json.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { once } from '../shape/shape.ts';
import type { ApiContent, FieldEncoding } from './api-operation.ts';

/** The bodies of a request or a response, by media type. */
export function toApiContents({ content }: SchemaJson, document: SchemaJson): readonly ApiContent[] {
  return Object.entries(recordOf(content)).map(([mediaType, given]) => {
    const { schema, encoding, itemSchema } = recordOf(given);
    const items = itemSchema ?? recordOf(schema)['contentSchema'];
    return {
      mediaType,
      shape: once(() => toShape(schema ?? {}, document)),
      items: items === undefined ? undefined : once(() => toShape(items, document)),
      encoding: recordOf(encoding) as Readonly<Record<string, FieldEncoding>>,
    };
  });
}

/** The schema of a parameter or a header, also where it stands below a media type. */
export function toParameterSchema({ schema, content }: SchemaJson): unknown {
  return schema ?? recordOf(Object.values(recordOf(content))[0])['schema'] ?? {};
}
