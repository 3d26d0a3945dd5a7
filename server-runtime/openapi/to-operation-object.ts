import type { SecurityScheme } from '../capability/guard.ts';
import type { Envelope } from '../http/envelope.ts';
import type { OperationObject, ReferenceObject, ResponseObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaNode } from '../schema/to-json-schema.ts';
import { type ErrorResponses, findOperationErrors } from './error-responses.ts';
import { findDescription, toInputName, toPascal, toSummary } from './operation-id.ts';
import { toBinaryFiles, toRequestParts } from './request-parts.ts';
import { type Caching, type ResponseParts, toResponses } from './responses.ts';
import { type SchemaConverter, toSingular } from './schema-converter.ts';
import type { SecuritySchemes } from './security-schemes.ts';

/** The parts that the operations of one document have in common. */
export interface DocumentParts {
  readonly converter: SchemaConverter;
  readonly errors: ErrorResponses;
  readonly security: SecuritySchemes;
  readonly caching: Caching;
  readonly envelope: Envelope;
  readonly toEnvelope: ResponseParts['toEnvelope'];
  readonly notes: DocumentNotes | undefined;
}

/** One operation. */
export function toOperationObject(
  route: Route<Operation>,
  operationId: string,
  { converter, errors, security, caching, envelope, toEnvelope }: DocumentParts,
): OperationObject {
  const { operation } = route;
  const { schema, guards, deprecation } = operation.definition;
  const { parameters, requestBody } = toRequestParts(route, converter, toInputName(operation));
  // A body is looked at before anybody knows that no field is taken from it.
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const readsInput = schema !== undefined || parameters.length > 0 || requestBody !== undefined;
  const takesForm = Object.keys(requestBody?.content ?? {}).some((type) => type !== 'application/json');
  const description = findDescription(operation);
  return {
    operationId,
    ...(operation.groups.length > 0 && { tags: [operation.groups.join('.')] }),
    summary: toSummary(operation),
    ...(description !== undefined && { description }),
    ...(deprecation !== undefined && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: Object.fromEntries<ResponseObject | ReferenceObject>([
      ...toResponses(route, { convert: converter.convert, toEnvelope, caching, name: toOutputName(operation) }),
      ...errors.add(findOperationErrors(operation, { readsInput, hasBody, takesForm, envelope })),
    ]),
    security: security.add(guards),
  };
}

/** The operation with what its notes say, and its whole input. */
export function withNotes(
  operation: OperationObject,
  route: Route<Operation>,
  { converter, notes, security }: DocumentParts,
): OperationObject {
  if (notes === undefined) return operation;
  const { schema } = route.operation.definition;
  const { $defs: _parts, ...input } = schema === undefined ? {} : toBinaryFiles(converter.describe(schema));
  const place = schema && { schema, name: toInputName(route.operation), isNote: true };
  return {
    ...operation,
    ...toNoted(notes.ofRoute(route, security.nameOf), place && converter.write(input, place)),
  };
}

/** `users.getUser` gives a `User`, after its group; outside groups `health` gives a `HealthOutput`. */
function toOutputName({ groups, name }: Operation): string {
  const group = groups.at(-1);
  return group === undefined ? `${toPascal(name)}Output` : toSingular(toPascal(group));
}

/** Facts that a document has besides, for readers that are not callers. */
export interface DocumentNotes {
  /** Told of every schema. Keywords that begin with `x-capix-` and that it adds to `json` stay in the document. */
  readonly onNode: (node: SchemaNode) => void;
  /** Stands under `x-capix` of the operation at a route, with its whole input; undefined for nothing. */
  readonly ofRoute: (route: Route<Operation>, nameOf: (scheme: SecurityScheme) => string) => object | undefined;
  /** Stands under `x-capix` of a job. */
  readonly ofJob: (operation: Operation) => object;
}

const NOTES = 'x-capix';

/** The notes as a part of the object that they are about. `input` is the schema of the whole input. */
export function toNoted(notes: object | undefined, input?: JsonSchema): object {
  return notes === undefined ? {} : { [NOTES]: { ...notes, ...(input === undefined ? {} : { input }) } };
}
