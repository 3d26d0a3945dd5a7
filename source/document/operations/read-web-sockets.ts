import type { OpenApiDocument } from '../../../server-runtime/openapi/openapi-document.ts';
import type { WebSocketObject } from '../../../server-runtime/server/guests.ts';
import { isSchemaObject } from '../schema-json.ts';

/** The connections that a document names in `x-websockets`; of one of others only what has their form. */
export function readWebSockets(document: object): readonly WebSocketObject[] {
  const { 'x-websockets': named } = document as Partial<OpenApiDocument>;
  return Array.isArray(named) ? named.filter(isWebSocket) : [];
}

function isWebSocket(value: unknown): value is WebSocketObject {
  if (!isSchemaObject(value)) return false;
  const { path, protocols, security, limits } = value;
  const areLists = Array.isArray(protocols) && Array.isArray(security);
  return typeof path === 'string' && areLists && isSchemaObject(limits);
}
