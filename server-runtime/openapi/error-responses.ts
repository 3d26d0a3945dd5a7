import { defaultErrors } from '../errors/default-errors.ts';
import { defineError, type ErrorFactory } from '../errors/define-error.ts';
import { type Envelope, validationErrorName } from '../http/envelope.ts';
import type { OperationObject, ReferenceObject, ResponseObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route } from '../routing/route.ts';
import { describe } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { mapSubschemas, withoutMarks } from '../schema/json-schema.ts';
import { isSchema, type Schema } from '../schema/schema.ts';
import { isOptionalSchema } from '../schema/to-json-schema.ts';
import type { SchemaConverter } from './schema-converter.ts';
import type { DocumentParts } from './to-operation-object.ts';

type Request = Pick<OperationObject, 'parameters' | 'requestBody'>;

/** The refusals of an operation by status, for each a reference to a component. */
export function toErrorResponses(
  route: Route<Operation>,
  request: Request,
  parts: DocumentParts,
): readonly (readonly [string, ReferenceObject])[] {
  const errors = findErrors(route, request, parts.envelope);
  return [...new Set(errors.map(({ status }) => status))].map((status) => {
    const same = errors.filter((error) => error.status === status);
    const wanted = same.map(({ errorName }) => errorName.replace(/[^\w.-]/g, '_')).join('Or');
    const name = parts.errors.nameOf(wanted, toResponse(same, parts));
    return [String(status), { $ref: `#/components/responses/${name}` }];
  });
}

const Unprocessable = defineError(422, 'Unprocessable content');

/**
 * Every error that calling an operation over HTTP can be answered with, as far as anybody has declared it, by status. A
 * guard that declares nothing may refuse with 401 or 403, an input guard with 403.
 */
function findErrors(
  { operation: { definition }, method }: Route<Operation>,
  { parameters, requestBody }: Request,
  { validationStatus }: Envelope,
): readonly ErrorFactory[] {
  const { guards, inputGuards, enhancers, errors: declared } = definition;
  const { BadRequest, Forbidden, Internal, PayloadTooLarge, Timeout, Unauthorized, UnsupportedMediaType } =
    defaultErrors;
  const readsInput = definition.schema !== undefined || parameters !== undefined || requestBody !== undefined;
  const errors = [
    ...(readsInput ? [BadRequest] : []),
    ...(readsInput && validationStatus !== 400 ? [Unprocessable] : []),
    ...guards.flatMap((guard) => [
      ...(guard.security === undefined ? [] : [Unauthorized]),
      ...(guard.errors.length > 0 ? guard.errors : [Unauthorized, Forbidden]),
    ]),
    ...inputGuards.flatMap((guard) => (guard.errors.length > 0 ? guard.errors : [Forbidden])),
    // A body is looked at before anybody knows that no field is taken from it.
    ...(method === 'GET' || method === 'DELETE' ? [] : [PayloadTooLarge, UnsupportedMediaType]),
    // A page of another site can send a form.
    ...(Object.keys(requestBody?.content ?? {}).some((type) => type !== 'application/json') ? [Forbidden] : []),
    ...enhancers.flatMap((enhancer) => enhancer.errors),
    ...declared,
    Internal,
    Timeout,
  ];
  const different = new Map(errors.map((error) => [`${error.status} ${error.errorName}`, error]));
  return [...different.values()].sort((one, other) => one.status - other.status);
}

function toResponse(errors: readonly ErrorFactory[], { converter, envelope }: DocumentParts): ResponseObject {
  const part = toPartSchema(errors, converter.convert);
  const errorSchema = { $ref: '#/components/schemas/Error' };
  const isOwn = envelope.failure === undefined;
  const isTemporary = errors.some(({ status }) => status === 429 || status === 503);
  const retryAfter = { description: 'Seconds to wait, where they are known.', schema: { type: 'integer' } };
  return {
    description: [...new Set(errors.map(({ defaultMessage }) => defaultMessage))].join(', or '),
    ...(isTemporary && { headers: { 'Retry-After': retryAfter } }),
    content: { [envelope.failureType]: { schema: isOwn ? { allOf: [errorSchema, part] } : errorSchema } },
    ...(!isOwn && { 'x-error-names': errors.map(({ errorName }) => errorName) }),
  };
}

/** The schema of the meta of an error, as far as it is known, and whether the error always carries one. */
interface Meta {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Which errors a response may be: told apart by name where one of them always has its meta. */
function toPartSchema(errors: readonly ErrorFactory[], convert: SchemaConverter['convert']): JsonSchema {
  const metas = errors.map((error) => toMeta(error, convert));
  const names = errors.map(({ errorName }) => errorName);
  if (errors.length === 1 || metas.every((meta) => meta?.isRequired !== true))
    return toPart(
      names,
      metas.find((meta) => meta !== undefined),
      [],
    );
  return { anyOf: names.map((name, index) => toPart([name], metas[index], ['error'])) };
}

/** The meta that an error declares; a `BadRequest` may carry the wrong fields. */
function toMeta(
  { status, errorName, metaSchema }: ErrorFactory,
  convert: SchemaConverter['convert'],
): Meta | undefined {
  const schema = metaSchema as Schema | undefined;
  if (schema !== undefined)
    return { schema: convert({ schema, name: errorName }), isRequired: !isOptionalSchema(schema) };
  const isInvalid = status === 400 && errorName === defaultErrors.BadRequest.errorName;
  return isInvalid || errorName === validationErrorName ? { schema: validationMeta, isRequired: false } : undefined;
}

function toPart(names: readonly string[], meta: Meta | undefined, required: readonly string[]): JsonSchema {
  const all = [...required, ...(meta?.isRequired === true ? ['meta'] : [])];
  return {
    type: 'object',
    properties: { error: { enum: names }, ...(meta && { meta: meta.schema }) },
    ...(all.length > 0 && { required: all }),
  };
}

const text: JsonSchema = { type: 'string' };

const wrongField: JsonSchema = {
  type: 'object',
  properties: {
    path: { ...text, description: 'Names from the outside in, joined by dots; empty for the whole input.' },
    message: text,
    code: text,
    received: { description: 'What was sent, at most 200 characters; absent for secrets.' },
  },
  required: ['path', 'message', 'code'],
};

const validationMeta: JsonSchema = {
  type: 'object',
  properties: {
    issues: { type: 'array', items: text, maxItems: 50, examples: [['email: Invalid email']] },
    fields: { type: 'array', items: wrongField, maxItems: 50 },
    omitted: { type: 'integer', description: 'How many problems there are besides; absent where all are told.' },
  },
};

/** The schema of every error answer, the component `Error`. */
export function toErrorSchema({ failureSchema }: Envelope): JsonSchema {
  if (failureSchema === undefined) return ownErrorSchema;
  if (!isSchema(failureSchema)) return failureSchema;
  // A named schema stands in its definitions.
  const json = describe(failureSchema).output;
  const { $defs, $ref: reference = '' } = json as { readonly $defs?: Record<string, JsonSchema>; $ref?: string };
  const root = $defs?.[reference.slice('#/$defs/'.length)] ?? json;
  return toInside(root !== json && JSON.stringify(root).includes('"#/$defs/') ? { ...root, $defs } : root);
}

/** References into a schema that becomes a component lead into the component. */
function toInside(json: JsonSchema): JsonSchema {
  const { $ref: reference, ...rest } = mapSubschemas(withoutMarks(json), toInside);
  return typeof reference === 'string' ? { ...rest, $ref: `#/components/schemas/Error${reference.slice(1)}` } : rest;
}

const ownErrorSchema: JsonSchema = {
  type: 'object',
  description: 'Why the call did not succeed.',
  properties: {
    error: { ...text, description: 'Name of the error.' },
    message: { ...text, description: 'What went wrong, for people.' },
    meta: { type: 'object', description: 'Facts about this error.' },
  },
  required: ['error', 'message'],
};
