import type { Content } from '../capability/content.ts';
import { defaultErrors, defineError, type ErrorFactory } from '../errors/define-error.ts';
import { validationErrorName } from '../http/envelope.ts';
import { RangeNotSatisfiable } from '../http/ranges.ts';
import type { Operation } from '../registry/compile-registry.ts';
import { isOptionalSchema } from '../schema/correct-zod-json.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isSchema, type Schema } from '../schema/schema.ts';
import { addNamed } from './document-parts.ts';
import type { DocumentParts } from './generate-openapi.ts';
import type { OperationObject, ResponseObject } from './openapi-document.ts';
import { toPart } from './schema-converter.ts';

const text: JsonSchema = { type: 'string' };

/** The responses of errors, by status. Errors of one status share a component of the document. */
export function toErrorResponses(
  refusals: readonly Refusal[],
  parts: DocumentParts,
): OperationObject['responses'] {
  const all = refusals.flatMap(({ errors }) => errors);
  const possible =
    parts.envelope.validationStatus === 400 ? all.filter((error) => error !== Unprocessable) : all;
  const errors = [
    ...new Map(possible.map((error) => [`${error.status} ${error.errorName}`, error])).values(),
  ];
  const responses: Record<string, { readonly $ref: string }> = {};
  for (const status of new Set(
    errors.map((error) => error.status).sort((one, other) => one - other),
  )) {
    const same = errors.filter((error) => error.status === status);
    const wanted = same.map(({ errorName }) => errorName.replace(/[^\w.-]/g, '_')).join('Or');
    const name = addNamed(parts.errors, wanted, toErrorResponse(same, parts));
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

const Unprocessable = defineError(422, 'Unprocessable content');

/** A step of a call that may refuse it, and the errors that it gives. */
export interface Refusal {
  readonly step: RefusingStep;
  /** The name of a guard or an enhancer; other steps have none. */
  readonly name?: string;
  readonly errors: readonly ErrorFactory[];
}

type RefusingStep =
  | 'input'
  | 'guard'
  | 'size'
  | 'type'
  | 'form'
  | 'enhancer'
  | 'handler'
  | 'range'
  | 'failure'
  | 'timeout';

/**
 * The parts that may refuse a call. A guard that declares no errors may refuse with 401 or 403, an input guard with
 * 403.
 */
export function findRefusals(
  { definition }: Operation,
  method: string,
  request: Pick<OperationObject, 'parameters' | 'requestBody'>,
): readonly Refusal[] {
  const {
    BadRequest,
    Forbidden,
    Internal,
    PayloadTooLarge,
    Timeout,
    Unauthorized,
    UnsupportedMediaType,
  } = defaultErrors;
  const { schema, guards, inputGuards, enhancers, errors, answers } = definition;
  const isReadInParts = method === 'GET' && answers.some(isInParts);
  const readsInput =
    schema !== undefined || request.parameters !== undefined || request.requestBody !== undefined;
  // A body is looked at before anybody knows that no field is taken from it.
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const takesForms = Object.keys(request.requestBody?.content ?? {}).some(
    (type) => type !== 'application/json',
  );
  const ofGuards = guards.map(({ name, security, errors: own }): Refusal => {
    const all = own.length > 0 ? own : [Unauthorized, Forbidden];
    return { step: 'guard', name, errors: security.length > 0 ? [Unauthorized, ...all] : all };
  });
  const ofInputGuards = inputGuards.map(({ name, errors: own }): Refusal => {
    return { step: 'guard', name, errors: own.length > 0 ? own : [Forbidden] };
  });
  const ofEnhancers = enhancers.map(({ name, errors: own }): Refusal => {
    return { step: 'enhancer', name, errors: own };
  });
  return [
    { step: 'input', errors: readsInput ? [BadRequest, Unprocessable] : [] },
    ...ofGuards,
    ...ofInputGuards,
    { step: 'size', errors: hasBody ? [PayloadTooLarge] : [] },
    { step: 'type', errors: hasBody ? [UnsupportedMediaType] : [] },
    { step: 'form', errors: takesForms ? [Forbidden] : [] },
    ...ofEnhancers,
    { step: 'handler', errors },
    { step: 'range', errors: isReadInParts ? [RangeNotSatisfiable] : [] },
    { step: 'failure', errors: [Internal] },
    { step: 'timeout', errors: [Timeout] },
  ];
}

function toErrorResponse(errors: readonly ErrorFactory[], parts: DocumentParts): ResponseObject {
  const { failure, failureType } = parts.envelope;
  const base = { $ref: '#/components/schemas/Error' };
  const isTemporary = errors.some(({ status }) => status === 429 || status === 503);
  const retryAfter = {
    description: 'Seconds to wait, where they are known.',
    schema: { type: 'integer' },
  };
  return {
    description: [...new Set(errors.map(({ defaultMessage }) => defaultMessage))].join(', or '),
    ...(isTemporary && { headers: { 'Retry-After': retryAfter } }),
    content: {
      [failureType]: { schema: failure ? base : { allOf: [base, toErrorPart(errors, parts)] } },
    },
    ...(failure && { 'x-error-names': errors.map(({ errorName }) => errorName) }),
  };
}

/** The errors that a response may hold, distinguished by name where one of them always has its meta. */
function toErrorPart(errors: readonly ErrorFactory[], { converter }: DocumentParts): JsonSchema {
  const all = errors.map(({ status, errorName: name, metaSchema }) => {
    const schema = metaSchema as Schema | undefined;
    const isInvalid = name === validationErrorName || (status === 400 && name === 'BadRequest');
    const usualMeta = isInvalid ? validationMeta : undefined;
    const meta = schema ? converter.convert({ schema, name }) : usualMeta;
    return { name, meta, required: schema && !isOptionalSchema(schema) ? ['meta'] : [] };
  });
  const toPart = (
    names: readonly string[],
    meta: JsonSchema | undefined,
    required: readonly string[],
  ): JsonSchema => toObject({ error: { enum: names }, ...(meta && { meta }) }, required);
  const required = all.flatMap((each) => each.required);
  if (all.length > 1 && required.length > 0)
    return {
      anyOf: all.map(({ name, meta, required: own }) => toPart([name], meta, ['error', ...own])),
    };
  const names = all.map(({ name }) => name);
  return toPart(names, all.find(({ meta }) => meta !== undefined)?.meta, required);
}

export function toObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

const wrongField = toObject(
  {
    path: {
      ...text,
      description: 'Names from the outside in, joined by dots; empty for the whole input.',
    },
    message: text,
    code: text,
    received: { description: 'What was sent, at most 200 characters; absent for secrets.' },
  },
  ['path', 'message', 'code'],
);

const validationMeta = toObject({
  issues: { type: 'array', items: text, maxItems: 50, examples: [['email: Invalid email']] },
  fields: { type: 'array', items: wrongField, maxItems: 50 },
  omitted: {
    type: 'integer',
    description: 'How many problems there are besides; absent where all are told.',
  },
});

/** The schema of every error response, the component `Error`. */
export function toErrorSchema({
  envelope: { failureSchema },
  converter,
}: DocumentParts): JsonSchema {
  if (failureSchema === undefined) return ownErrorSchema;
  if (!isSchema(failureSchema)) return failureSchema;
  const json = toPart(converter.describe(failureSchema, 'output'));
  return converter.write(json, { schema: failureSchema, io: 'output', name: 'Error' });
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

/** Whether a caller may read the answer in parts, by `Range`. */
export function isInParts({ kind, status }: Partial<Content>): boolean {
  return kind === 'bytes' && status === 200;
}
