import { defaultErrors } from '../errors/default-errors.ts';
import { defineError, type ErrorFactory } from '../errors/define-error.ts';
import { type Envelope, validationErrorName } from '../http/envelope.ts';
import type { ReferenceObject, ResponseObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import { describe, isOptionalSchema } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { mapSubschemas, withoutMarks } from '../schema/json-schema.ts';
import { isSchema, type Schema } from '../schema/schema.ts';
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
    add: (errors) => {
      const statuses = [...new Set(errors.map(({ status }) => status))];
      return statuses.map((status): [string, ReferenceObject] => {
        const same = errors.filter((error) => error.status === status);
        const wanted = same.map(({ errorName }) => errorName.replace(/[^\w.-]/g, '_')).join('Or');
        const parts = same.map((error) => ({ error, meta: toMeta(error, convert) }));
        return [String(status), { $ref: `#/components/responses/${nameOf(wanted, toResponse(parts, envelope))}` }];
      });
    },
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The schema of every error answer. */
export function toErrorSchema({ failureSchema }: Envelope): JsonSchema {
  if (failureSchema === undefined) return ownErrorSchema;
  return isSchema(failureSchema) ? toComponent(describe(failureSchema).output) : failureSchema;
}

/** A named schema stands in its definitions. What refers into it refers into the component that it becomes. */
function toComponent(json: JsonSchema): JsonSchema {
  const { $defs, $ref: reference } = json as { readonly $defs?: Record<string, JsonSchema>; readonly $ref?: string };
  const root = $defs?.[reference?.slice('#/$defs/'.length) ?? ''];
  if (root === undefined) return toInside(json);
  return toInside(JSON.stringify(root).includes('"#/$defs/') ? { ...root, $defs } : root);
}

function toInside(json: JsonSchema): JsonSchema {
  const { $ref: reference, ...rest } = mapSubschemas(withoutMarks(json), toInside);
  return typeof reference === 'string' ? { ...rest, $ref: `#/components/schemas/Error${reference.slice(1)}` } : rest;
}

const ownErrorSchema: JsonSchema = {
  type: 'object',
  description: 'Why the call did not succeed.',
  properties: {
    error: { type: 'string', description: 'Name of the error.' },
    message: { type: 'string', description: 'What went wrong, for people.' },
    meta: { type: 'object', description: 'Facts about this error.' },
  },
  required: ['error', 'message'],
};

/** One of the errors of a response. */
interface ErrorPart {
  readonly error: ErrorFactory;
  /** The schema of its meta, as far as it is known. */
  readonly meta: Meta | undefined;
}

interface Meta {
  readonly schema: JsonSchema;
  /** Whether the error always carries one. */
  readonly isRequired: boolean;
}

/** The meta that an error declares; a `BadRequest` may carry the wrong fields. */
function toMeta(error: ErrorFactory, convert: SchemaConverter['convert']): Meta | undefined {
  const { metaSchema } = error;
  if (metaSchema !== undefined)
    return {
      schema: convert({ schema: metaSchema as Schema, name: error.errorName }),
      isRequired: !isOptionalSchema(metaSchema as Schema),
    };
  return isSame(error, defaultErrors.BadRequest) || error.errorName === validationErrorName
    ? { schema: validationMeta, isRequired: false }
    : undefined;
}

function toResponse(parts: readonly ErrorPart[], envelope: Envelope): ResponseObject {
  const errorSchema = { $ref: '#/components/schemas/Error' };
  const isOwn = envelope.failure === undefined;
  const names = parts.map(({ error }) => error.errorName);
  const isTemporary = parts.some(({ error: { status } }) => status === 429 || status === 503);
  return {
    description: [...new Set(parts.map(({ error }) => error.defaultMessage))].join(', or '),
    ...(isTemporary
      ? {
          headers: {
            'Retry-After': { description: 'Seconds to wait, where they are known.', schema: { type: 'integer' } },
          },
        }
      : {}),
    content: {
      [envelope.failureType]: { schema: isOwn ? { allOf: [errorSchema, toPartSchema(parts)] } : errorSchema },
    },
    ...(isOwn ? {} : { 'x-error-names': names }),
  };
}

/** Which errors a response may be: told apart by name where one of them declares its meta. */
function toPartSchema(parts: readonly ErrorPart[]): JsonSchema {
  const [first, ...others] = parts;
  const metas = parts.filter(({ meta }) => meta !== undefined);
  if (others.length === 0 || metas.every(({ meta }) => meta?.isRequired === false)) {
    const names = parts.map(({ error }) => error.errorName);
    return toObject(names, first?.meta ?? metas[0]?.meta, []);
  }
  return { anyOf: parts.map(({ error, meta }) => toObject([error.errorName], meta, ['error'])) };
}

function toObject(names: readonly string[], meta: Meta | undefined, required: readonly string[]): JsonSchema {
  const all = [...required, ...(meta?.isRequired === true ? ['meta'] : [])];
  return {
    type: 'object',
    properties: { error: { enum: names }, ...(meta === undefined ? {} : { meta: meta.schema }) },
    ...(all.length === 0 ? {} : { required: all }),
  };
}

function isSame(one: ErrorFactory, other: ErrorFactory): boolean {
  return one.status === other.status && one.errorName === other.errorName;
}

const validationMeta: JsonSchema = {
  type: 'object',
  properties: {
    issues: { type: 'array', items: { type: 'string' }, maxItems: 50, examples: [['email: Invalid email']] },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          path: {
            type: 'string',
            description: 'Names from the outside in, joined by dots; empty for the whole input.',
          },
          message: { type: 'string' },
          code: { type: 'string' },
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

export interface HttpShape {
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
  const errors = [
    ...(readsInput ? [defaultErrors.BadRequest] : []),
    ...(readsInput && envelope.validationStatus !== 400 ? [Unprocessable] : []),
    ...guards.flatMap((guard) => [
      ...(guard.security === undefined ? [] : [defaultErrors.Unauthorized]),
      ...(guard.errors.length > 0 ? guard.errors : [defaultErrors.Unauthorized, defaultErrors.Forbidden]),
    ]),
    ...inputGuards.flatMap((guard) => (guard.errors.length > 0 ? guard.errors : [defaultErrors.Forbidden])),
    ...(hasBody ? [defaultErrors.PayloadTooLarge, defaultErrors.UnsupportedMediaType] : []),
    ...(takesForm ? [defaultErrors.Forbidden] : []),
    ...enhancers.flatMap((enhancer) => enhancer.errors),
    ...declared,
    defaultErrors.Internal,
    defaultErrors.Timeout,
  ];
  const different = new Map(errors.map((error) => [`${error.status} ${error.errorName}`, error]));
  return [...different.values()].sort((one, other) => one.status - other.status);
}
