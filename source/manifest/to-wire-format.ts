import { toEnvelope } from '../../server-runtime/http/envelope.ts';
import { isSchema } from '../../server-runtime/schema/schema.ts';
import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import type { SharedRestOptions } from '../document/parse-rest-options.ts';
import { toSchemaView } from '../shape/schema-view.ts';
import type { WireFormat } from './manifest.ts';

/** The options of a project that hold for every call, as data. */
export function toWireFormat({ prefix = '', envelope, etag, cacheControl }: SharedRestOptions): WireFormat {
  const { dataPath, successSchema, failureSchema, failureType, validationStatus } = toEnvelope(envelope);
  return {
    prefix,
    dataField: dataPath.length === 0 ? null : dataPath.join('.'),
    success: successSchema({}),
    failure: toFailure(failureSchema),
    failureType,
    validationStatus,
    ...(etag === undefined ? {} : { etag: true }),
    ...(cacheControl === undefined ? {} : { cacheControl }),
  };
}

function toFailure(schema: ReturnType<typeof toEnvelope>['failureSchema']): JsonSchema {
  if (schema === undefined) return plainFailure;
  return isSchema(schema) ? (toSchemaView(schema, 'output')?.json ?? {}) : (schema as JsonSchema);
}

/** The body that an envelope without a format of its own sends. */
const plainFailure: JsonSchema = {
  type: 'object',
  properties: { error: { type: 'string' }, message: { type: 'string' }, meta: { type: 'object' } },
  required: ['error', 'message'],
};
