import { defaultErrors } from '../errors/default-errors.ts';
import { defineError, type ErrorFactory } from '../errors/define-error.ts';
import { type Envelope, validationErrorName } from '../http/envelope.ts';
import type { ReferenceObject, ResponseObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import { describe } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { mapSubschemas, withoutMarks } from '../schema/json-schema.ts';
import { isSchema, type Schema } from '../schema/schema.ts';
import { isOptionalSchema } from '../schema/to-json-schema.ts';
import type { SchemaConverter } from './schema-converter.ts';
import { createNames } from './security-schemes.ts';

/** The responses of a document that several operations give. */
export interface ErrorResponses {
  /** Answers by status for these errors; each is a reference to a component. */
  readonly add: (errors: readonly ErrorFactory[]) => readonly (readonly [string, ReferenceObject])[];
  readonly components: () => Record<string, ResponseObject>;
}

/** Each refers to the component `Error`, the envelope of errors. */
export function createErrorResponses(envelope: Envelope, { convert }: SchemaConverter): ErrorResponses {
  const { nameOf, named } = createNames<ResponseObject>();
  return {
    add: (errors) =>
      [...new Set(errors.map(({ status }) => status))].map((status) => {
        const same = errors.filter((error) => error.status === status);
        const wanted = same.map(({ errorName }) => errorName.replace(/[^\w.-]/g, '_')).join('Or');
        const name = nameOf(wanted, toResponse(same, toPartSchema(same, convert), envelope));
        return [String(status), { $ref: `#/components/responses/${name}` }];
      }),
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The schema of every error answer. */
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

const text: JsonSchema = { type: 'string' };

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

function toResponse(errors: readonly ErrorFactory[], part: JsonSchema, envelope: Envelope): ResponseObject {
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

/** The schema of the meta of an error, as far as it is known. */
interface Meta {
  readonly schema: JsonSchema;
  /** Whether the error always carries one. */
  readonly isRequired: boolean;
}

/** Which errors a response may be: told apart by name where one of them always has its meta. */
function toPartSchema(errors: readonly ErrorFactory[], convert: SchemaConverter['convert']): JsonSchema {
  const parts = errors.map((error) => ({ name: error.errorName, meta: toMeta(error, convert) }));
  const metas = parts.flatMap(({ meta }) => meta ?? []);
  const names = parts.map(({ name }) => name);
  if (parts.length === 1 || metas.every(({ isRequired }) => !isRequired)) return toPart(names, metas[0], []);
  return { anyOf: parts.map(({ name, meta }) => toPart([name], meta, ['error'])) };
}

/** The meta that an error declares; a `BadRequest` may carry the wrong fields. */
function toMeta(error: ErrorFactory, convert: SchemaConverter['convert']): Meta | undefined {
  const { status, errorName } = error;
  const schema = error.metaSchema as Schema | undefined;
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

const validationMeta: JsonSchema = {
  type: 'object',
  properties: {
    issues: { type: 'array', items: text, maxItems: 50, examples: [['email: Invalid email']] },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          path: { ...text, description: 'Names from the outside in, joined by dots; empty for the whole input.' },
          message: text,
          code: text,
          received: { description: 'What was sent, at most 200 characters; absent for secrets.' },
        },
        required: ['path', 'message', 'code'],
      },
      maxItems: 50,
    },
    omitted: { type: 'integer', description: 'How many problems there are besides; absent where all are told.' },
  },
};

const Unprocessable = defineError(422, 'Unprocessable content');

interface HttpShape {
  /** Whether a request can carry anything that is read: fields of a path, a query or a body. */
  readonly readsInput: boolean;
  readonly hasBody: boolean;
  /** Whether the body may be a form, which a page of another site can send. */
  readonly takesForm: boolean;
  readonly envelope: Envelope;
}

/**
 * Every error that calling an operation over HTTP can be answered with, as far as anybody has declared it, by status. A
 * guard that declares nothing may refuse with 401 or 403, an input guard with 403.
 */
export function findOperationErrors(
  { definition }: Operation,
  { readsInput, hasBody, takesForm, envelope }: HttpShape,
): readonly ErrorFactory[] {
  const { guards, inputGuards, enhancers, errors: declared } = definition;
  const { BadRequest, Forbidden, Internal, PayloadTooLarge, Timeout, Unauthorized, UnsupportedMediaType } =
    defaultErrors;
  const errors = [
    ...(readsInput ? [BadRequest] : []),
    ...(readsInput && envelope.validationStatus !== 400 ? [Unprocessable] : []),
    ...guards.flatMap((guard) => [
      ...(guard.security === undefined ? [] : [Unauthorized]),
      ...(guard.errors.length > 0 ? guard.errors : [Unauthorized, Forbidden]),
    ]),
    ...inputGuards.flatMap((guard) => (guard.errors.length > 0 ? guard.errors : [Forbidden])),
    ...(hasBody ? [PayloadTooLarge, UnsupportedMediaType] : []),
    ...(takesForm ? [Forbidden] : []),
    ...enhancers.flatMap((enhancer) => enhancer.errors),
    ...declared,
    Internal,
    Timeout,
  ];
  const different = new Map(errors.map((error) => [`${error.status} ${error.errorName}`, error]));
  return [...different.values()].sort((one, other) => one.status - other.status);
}
