import type { SecurityScheme } from '../capability/guard.ts';
import type { Envelope } from '../http/envelope.ts';
import type { OperationObject, ReferenceObject, ResponseObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { OnNode } from '../schema/to-json-schema.ts';
import { toErrorResponses } from './error-responses.ts';
import { toInputName, toOperationTexts } from './operation-id.ts';
import { toBinaryFiles, toRequestParts } from './request-parts.ts';
import { toResponses } from './responses.ts';
import type { SchemaConverter } from './schema-converter.ts';
import { type Names, toSchemeName, toSecurity } from './security-schemes.ts';

/** The parts that the operations of one document have in common. */
export interface DocumentParts {
  readonly converter: SchemaConverter;
  readonly envelope: Envelope;
  readonly errors: Names<ResponseObject>;
  readonly schemes: Names<SecurityScheme>;
  /** Whether answers to GET have an entity tag. */
  readonly hasEtag: boolean;
  /** The `Cache-Control` of answers to GET that declare none. */
  readonly notes: DocumentNotes | undefined;
}

/** One operation. */
export function toOperationObject(route: Route<Operation>, operationId: string, parts: DocumentParts): OperationObject {
  const { groups, definition } = route.operation;
  const request = toRequestParts(route, parts.converter);
  return {
    operationId,
    ...(groups.length > 0 && { tags: [groups.join('.')] }),
    ...toOperationTexts(route.operation),
    ...(definition.deprecation !== undefined && { deprecated: true }),
    ...request,
    responses: Object.fromEntries<ResponseObject | ReferenceObject>([
      ...toResponses(route, parts),
      ...toErrorResponses(route, request, parts),
    ]),
    security: toSecurity(definition.guards, parts.schemes),
  };
}

/** The operation with what its notes say, and its whole input. */
export function withNotes(operation: OperationObject, route: Route<Operation>, parts: DocumentParts): OperationObject {
  const { converter, notes, schemes } = parts;
  if (notes === undefined) return operation;
  const { schema } = route.operation.definition;
  const { $defs: _parts, ...input } = schema === undefined ? {} : toBinaryFiles(converter.describe(schema));
  const written = schema && converter.write(input, { schema, name: toInputName(route.operation), isNote: true });
  return {
    ...operation,
    ...toNoted(
      notes.ofRoute(route, (scheme) => toSchemeName(scheme, schemes)),
      written,
    ),
  };
}

/** Facts that a document has besides, for readers that are not callers. */
export interface DocumentNotes {
  /** Told of every schema. Keywords that begin with `x-capix-` and that it adds to `json` stay in the document. */
  readonly onNode: OnNode;
  /** Stands under `x-capix` of the operation at a route, with its whole input; undefined for nothing. */
  readonly ofRoute: (route: Route<Operation>, nameOf: (scheme: SecurityScheme) => string) => object | undefined;
  /** Stands under `x-capix` of a job. */
  readonly ofJob: (operation: Operation) => object;
}

/** The notes as a part of the object that they are about. `input` is the schema of the whole input. */
export function toNoted(notes: object | undefined, input?: JsonSchema): object {
  return notes === undefined ? {} : { 'x-capix': { ...notes, ...(input === undefined ? {} : { input }) } };
}
