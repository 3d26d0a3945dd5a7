import { definitionOf, type Schema } from '../schema/schema.ts';
import type { JsonSchema } from '../schema/to-json-schema.ts';
import { toWireSchema } from '../schema/to-wire-schema.ts';
import { isFileSchema } from './is-file-schema.ts';
import { findFileRules } from './uploaded-file.ts';

/** The JSON Schema of an input; of one that has none the one that takes anything, so that its texts stay as they were sent. */
export function describeInput(schema: Schema): JsonSchema {
  try {
    return toMarkedSchema(schema);
  } catch {
    return {};
  }
}

function toMarkedSchema(schema: Schema): JsonSchema {
  return toWireSchema(schema, {
    io: 'input',
    onNode: ({ schema: part, type, json }) => {
      if ((type === 'custom' || type === 'file') && isFileSchema(part))
        json['x-capix-file'] = findFileRules(part) ?? {};
      const { in: from } = definitionOf(part);
      if (type === 'pipe' && from !== undefined && definitionOf(from).type === 'transform') json['x-capix-raw'] = true;
      if (type === 'undefined' || type === 'void') json['not'] = {};
    },
  });
}
