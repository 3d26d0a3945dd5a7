import {
  type AnyCapability,
  generateOpenAPI,
  type OpenApiDocument,
} from '../../server-runtime/index.ts';
import type { OperationObject } from '../../server-runtime/openapi/openapi-document.ts';

/** The document of one capability `things.<name>`. */
export function documentOf(name: string, capability: AnyCapability): OpenApiDocument {
  return generateOpenAPI({ things: { [name]: capability } });
}

/** How the document describes one capability `things.<name>`. */
export function operationOf(name: string, capability: AnyCapability): OperationObject {
  const [item] = Object.values(documentOf(name, capability).paths);
  const [operation] = Object.values(item ?? {});
  if (operation === undefined) throw new Error('The document has no operation.');
  return operation;
}

/** The schema of an operation's JSON body. */
export function bodyOf(operation: OperationObject | undefined): unknown {
  return operation?.requestBody?.content['application/json']?.schema;
}

/** The schema of what an operation answers with, inside the envelope. */
export function dataOf(operation: OperationObject | undefined): unknown {
  const success = operation?.responses['200'];
  if (success === undefined || !('content' in success)) return undefined;
  const properties = success.content['application/json']?.schema['properties'] as
    | { readonly data: unknown }
    | undefined;
  return properties?.data;
}
