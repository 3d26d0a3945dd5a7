import type { OperationObject, ReferenceObject, ResponseObject } from '../http/document/openapi-document.ts';
import type { Envelope } from '../http/envelope.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import { byStatus } from './by-status.ts';
import { type DocumentNotes, toNoted } from './document-notes.ts';
import type { ErrorResponses } from './error-responses.ts';
import { findOperationErrors } from './find-operation-errors.ts';
import { findDescription, toSummary } from './operation-id.ts';
import { toBinaryFiles, toRequestParts } from './request-parts.ts';
import { type SchemaConverter, toSingular } from './schema-converter.ts';
import type { SecuritySchemes } from './security-schemes.ts';
import { type ToEnvelope, toSuccessResponses } from './responses.ts';
import { type Caching, withStandingHeaders } from './with-standing-headers.ts';

/** The parts that the operations of one document have in common. */
export interface DocumentParts {
  readonly converter: SchemaConverter;
  readonly errors: ErrorResponses;
  readonly security: SecuritySchemes;
  readonly caching: Caching;
  readonly envelope: Envelope;
  readonly toEnvelope: ToEnvelope;
  readonly notes: DocumentNotes | undefined;
}

/** One operation. */
export function toOperationObject(
  route: Route<Operation>,
  operationId: string,
  { converter, errors, security, caching, envelope, toEnvelope }: DocumentParts,
): OperationObject {
  const { operation } = route;
  const { schema, answers, guards, deprecation } = operation.definition;
  const { parameters, requestBody } = toRequestParts(route, converter, toInputName(operation));
  // A body is looked at before anybody knows that no field is taken from it.
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const readsInput = schema !== undefined || parameters.length > 0 || requestBody !== undefined;
  const takesForm = Object.keys(requestBody?.content ?? {}).some((type) => type !== 'application/json');
  const description = findDescription(operation);
  return {
    operationId,
    ...(operation.groups.length === 0 ? {} : { tags: [operation.groups.join('.')] }),
    summary: toSummary(operation),
    ...(description === undefined ? {} : { description }),
    ...(deprecation === undefined ? {} : { deprecated: true }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: byStatus<ResponseObject | ReferenceObject>([
      ...Object.entries(
        withStandingHeaders(
          toSuccessResponses(answers, { convert: converter.convert, toEnvelope, name: toOutputName(operation) }),
          route,
          caching,
        ),
      ),
      ...Object.entries(errors.add(findOperationErrors(operation, { readsInput, hasBody, takesForm, envelope }))),
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

function toInputName({ name }: Operation): string {
  return `${toPascal(name)}Input`;
}

/** `users.getUser` gives a `User`, after its group; outside groups `health` gives a `HealthOutput`. */
function toOutputName({ groups, name }: Operation): string {
  const group = groups.at(-1);
  return group === undefined ? `${toPascal(name)}Output` : toSingular(toPascal(group));
}

function toPascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
