import type { Deprecation } from '../capability/capability-definition.ts';
import { toDeprecationHeaders } from '../capability/route/to-deprecation-headers.ts';
import type { OperationObject, ResponseObject } from '../http/document/openapi-document.ts';
import type { Envelope } from '../http/envelope.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import type { ErrorResponses } from './error-responses.ts';
import { findOperationErrors } from './find-operation-errors.ts';
import { findDescription, toOperationId, toSummary } from './operation-id.ts';
import { toRequestParts } from './request-parts.ts';
import type { SchemaConverter } from './schemas/schema-converter.ts';
import type { SecuritySchemes } from './security-schemes.ts';
import { type ToEnvelope, toSuccessResponses } from './success-responses.ts';

/** The parts that the operations of one document have in common. */
export interface DocumentParts {
  readonly converter: SchemaConverter;
  readonly errors: ErrorResponses;
  readonly security: SecuritySchemes;
  readonly envelope: Envelope;
  readonly toEnvelope: ToEnvelope;
}

/** One operation, its schemas still with their marks. */
export function toOperationObject(
  route: Route<Operation>,
  { converter, errors, security, envelope, toEnvelope }: DocumentParts,
): OperationObject {
  const { operation } = route;
  const { schema, answers, guards, deprecation } = operation.definition;
  const { parameters, requestBody } = toRequestParts(route, schema && converter.convert(schema), converter.definitions);
  // A body is looked at before anybody knows that no field is taken from it.
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const readsInput = schema !== undefined || parameters.length > 0 || requestBody !== undefined;
  const takesForm = Object.keys(requestBody?.content ?? {}).some((type) => type !== 'application/json');
  const description = findDescription(operation);
  return {
    operationId: toOperationId(operation.key),
    ...(operation.groups.length === 0 ? {} : { tags: [operation.groups.join('.')] }),
    summary: toSummary(operation),
    ...(description === undefined ? {} : { description }),
    ...(deprecation === undefined ? {} : { deprecated: true }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      ...withDeprecation(toSuccessResponses(answers, converter.convert, toEnvelope), deprecation),
      ...errors.add(findOperationErrors(operation, { readsInput, hasBody, takesForm, envelope })),
    },
    security: security.add(guards),
  };
}

/** The responses with the headers that say since when an operation is deprecated, and until when it stays. */
function withDeprecation(
  responses: Record<string, ResponseObject>,
  deprecation: Deprecation | undefined,
): Record<string, ResponseObject> {
  const names = toDeprecationHeaders(deprecation).filter((_text, index) => index % 2 === 0);
  if (names.length === 0) return responses;
  const headers = Object.fromEntries(
    names.map((name) => [name, { ...deprecationHeaders[name], required: true, schema: { type: 'string' } }]),
  );
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, ...headers } },
    ]),
  );
}

const deprecationHeaders: Readonly<Record<string, { readonly description: string }>> = {
  deprecation: { description: 'Since when it is deprecated, as `@` and seconds (RFC 9745).' },
  sunset: { description: 'When it goes away, as an HTTP date (RFC 8594).' },
};
