import { generateOpenAPI, type OpenApiOptions } from '../../server-runtime/openapi/generate-openapi.ts';
import type { OpenApiDocument, OperationObject } from '../../server-runtime/openapi/openapi-document.ts';
import { toOperationId } from '../../server-runtime/openapi/operation-id.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import { CliError } from '../cli/cli-error.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { LoadedRegistry } from './loaded-registry.ts';

/** The HTTP API of a project: what documents and clients are written from. */
export interface ApiDescription {
  readonly document: OpenApiDocument;
  /** In the order of declaration. */
  readonly endpoints: readonly Endpoint[];
}

/** One capability, as it was declared and as the document describes it. */
export interface Endpoint {
  readonly operation: Operation;
  readonly method: string;
  /** `/users/{id}` */
  readonly path: string;
  readonly object: OperationObject;
}

/**
 * Describes the API that the project's server has: its `restOptions` count, unless `options` say otherwise.
 *
 * @throws CliError `InvalidRoutes` where the server would not start
 */
export function describeApi(
  { registry, restOptions }: Pick<LoadedRegistry, 'registry' | 'restOptions'>,
  options: OpenApiOptions = {},
): ApiDescription {
  const document = toDocument(() =>
    generateOpenAPI(registry, { ...options, ...restOptions, urlCase: options.urlCase ?? restOptions.urlCase }),
  );
  const places = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, object]) => [object.operationId, { method: method.toUpperCase(), path, object }] as const,
    ),
  );
  const placeOf = new Map(places);
  const endpoints = registry.operations.flatMap((operation): Endpoint[] => {
    const place = placeOf.get(toOperationId(operation.key));
    return place === undefined ? [] : [{ operation, ...place }];
  });
  return { document, endpoints };
}

/** An error that the document lists for an operation. */
export interface ListedError {
  /** HTTP status, as text. */
  readonly status: string;
  readonly name: string;
}

/** The errors of an operation, in the order of their statuses. */
export function findErrors({ responses }: OperationObject, { components }: OpenApiDocument): readonly ListedError[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    if (!('$ref' in response)) return [];
    const target = components.responses[response.$ref.slice('#/components/responses/'.length)];
    const [, own] = (target?.content['application/json']?.schema['allOf'] ?? []) as readonly JsonSchema[];
    const error = (own?.['properties'] as { readonly error?: { readonly enum?: readonly string[] } } | undefined)
      ?.error;
    return (error?.enum ?? []).map((name) => ({ status, name }));
  });
}

function toDocument(generate: () => OpenApiDocument): OpenApiDocument {
  try {
    return generate();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CliError({
      code: 'InvalidRoutes',
      message: stripControl(error.message),
      hint: '`capix check` lists every problem of the routes.',
      cause: error,
    });
  }
}
