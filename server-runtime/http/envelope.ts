import type { ErrorMeta } from '../errors/define-error.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import type { Failure } from '../errors/failure.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type FieldProblem, toShownMeta } from '../schema/received.ts';
import type { Schema } from '../schema/schema.ts';
import type { Call } from '../server/call.ts';
import { toJsonText } from '../server/to-json-text.ts';
import type { RawHeaders } from './exchange.ts';
import { JSON_TYPE } from './http-response.ts';

const ENVELOPE: unique symbol = Symbol.for('capix.envelope');

/** The reason that a call did not succeed, as an envelope writes it. */
export interface Refusal extends Pick<Failure, 'status' | 'name' | 'message'> {
  readonly meta: ErrorMeta | undefined;
  /** The wrong fields of an input; empty where it was not that. */
  readonly fields: readonly FieldProblem[];
}

/** The JSON around data and errors. */
export interface EnvelopeOptions {
  /** The field that holds the data; `false` sends it bare. @default 'data' */
  readonly dataField?: string | false | undefined;
  /** Makes the body of a refusal; needs `failureSchema`. @default { error, message, meta? } */
  readonly failure?: ((refusal: Refusal) => unknown) | undefined;
  /** The schema of the body that `failure` makes, for documents: of zod, or a JSON Schema. */
  readonly failureSchema?: Schema | JsonSchema | undefined;
  /** The media type of a refusal. @default 'application/json' */
  readonly failureType?: string | undefined;
  /** The status of an input that does not fit: 400 or 422. @default 400 */
  readonly validationStatus?: 400 | 422 | undefined;
}

const envelopeOptionNames: OptionNames<EnvelopeOptions> = {
  dataField: true,
  failure: true,
  failureSchema: true,
  failureType: true,
  validationStatus: true,
};

/** The JSON around data and refusals, made by `defineEnvelope`. */
export interface Envelope extends Pick<EnvelopeOptions, 'failure' | 'failureSchema'> {
  readonly [ENVELOPE]: true;
  /** The field that holds the data; `false` sends it bare. */
  readonly dataField: string | false;
  /** The media type of a refusal. */
  readonly failureType: string;
  /** The status of an input that does not fit. */
  readonly validationStatus: 400 | 422;
}

/**
 * Defines the wire format of a transport: `restTransport({ envelope: defineEnvelope({ dataField: 'result' }) })`. Every
 * refusal passes through it, the router's too. @throws TypeError for options that do not fit together
 */
export function defineEnvelope(options: EnvelopeOptions): Envelope {
  expectKnownOptions('defineEnvelope', options, envelopeOptionNames);
  const { dataField = 'data', failure, failureSchema } = options;
  const { failureType = 'application/json', validationStatus = 400 } = options;
  if ((failure === undefined) !== (failureSchema === undefined))
    throw new TypeError(
      'defineEnvelope: `failure` and `failureSchema` belong together; give both.',
    );
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\t\x20-\x7e]*)?$/.test(failureType))
    throw new TypeError(
      "defineEnvelope failureType: expected a media type such as 'application/problem+json', " +
        `got ${JSON.stringify(failureType)}.`,
    );
  return { [ENVELOPE]: true, dataField, failure, failureSchema, failureType, validationStatus };
}

/** `{data}` and `{error, message, meta?}`: the format that capix uses by default. */
export const dataEnvelope: Envelope = defineEnvelope({});

/** Data as it is, and an error as `{error, message, meta?}`. */
export const bareEnvelope: Envelope = defineEnvelope({ dataField: false });

/** @throws TypeError for a value that no `defineEnvelope` made, in this copy of the package or another */
export function toEnvelope(value: Envelope = dataEnvelope): Envelope {
  if (typeof value === 'object' && ENVELOPE in value) return value;
  throw new TypeError(
    'envelope: expected what defineEnvelope(…) makes, or a preset such as bareEnvelope.',
  );
}

/** The body of a refusal, as JSON holds it. */
export function toFailureBody(
  { failure: make }: Envelope,
  { status, name, message, meta }: Failure,
): unknown {
  if (make === undefined) return { error: name, message, meta };
  return make({ status, name, message, meta, fields: toShownMeta(meta).fields });
}

/**
 * The text of a failure's body. The application makes both the envelope and the `meta` in it: each may throw, or hold a
 * value that JSON cannot.
 */
export function toRefusalText(
  envelope: Envelope,
  reason: Failure,
  { app: { logger }, requestId }: Pick<Call, 'app' | 'requestId'>,
): string {
  const { name } = reason;
  let body: unknown;
  try {
    body = toFailureBody(envelope, reason);
  } catch (error) {
    const text = `[capix] The envelope threw for ${name}; its name and message were sent alone.`;
    logger.error(text, { requestId, error });
    return JSON.stringify(toPlainBody(reason));
  }
  try {
    return toJsonText(body) ?? 'null';
  } catch (error) {
    const text = `[capix] The meta of ${name} cannot be written as JSON; it was left out.`;
    logger.error(text, { requestId, error });
    return JSON.stringify(toPlainBody(reason));
  }
}

/** What is always JSON. */
export function toPlainBody({ name, message }: Failure): object {
  return { error: name, message };
}

/** How data and errors are written into the bodies of one kind of call. */
export interface BodyFormat {
  readonly envelope: Envelope;
  /** The text of data. `key` names the capability in errors. */
  readonly toText: (value: unknown, key?: string) => string;
  /** The text around data, and its length, bytes. */
  readonly frame: readonly [head: string, tail: string];
  readonly frameBytes: number;
  readonly failureHeaders: RawHeaders;
}

export function toBodyFormat(envelope: Envelope, toText: BodyFormat['toText']): BodyFormat {
  const { dataField, failureType } = envelope;
  const frame =
    dataField === false ? (['', ''] as const) : ([`{${JSON.stringify(dataField)}:`, '}'] as const);
  const failureHeaders =
    failureType === 'application/json' ? JSON_TYPE : ['content-type', failureType];
  return { envelope, toText, frame, frameBytes: Buffer.byteLength(frame.join('')), failureHeaders };
}

/** A failure as the envelope answers it: for an input that does not fit, the envelope may choose the status. */
export function toAnswered({ validationStatus }: Envelope, failure: Failure): Failure {
  if (validationStatus === 400 || failure.status !== 400 || failure.cause !== undefined)
    return failure;
  const isValidation = Array.isArray(failure.meta?.['fields']);
  return isValidation
    ? { ...failure, status: validationStatus, name: validationErrorName }
    : failure;
}

/** The name of the error of an input that does not fit, where it is not a `BadRequest`. */
export const validationErrorName = 'UnprocessableContent';

/** Data as it is, and refusals as problem details of RFC 9457: the wrong fields are `errors`, other facts `meta`. */
export const problemDetails: Envelope = defineEnvelope({
  dataField: false,
  failureType: 'application/problem+json',
  failure: ({ status, name, message, meta, fields }) => ({
    type: 'about:blank',
    title: name,
    status,
    detail: message,
    ...(fields.length > 0
      ? { errors: fields.map(({ path, message: detail }) => ({ path, detail })) }
      : { meta }),
  }),
  failureSchema: {
    type: 'object',
    description: 'Problem details of RFC 9457.',
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string', description: 'Name of the error.' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'What went wrong, for people.' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, detail: { type: 'string' } },
          required: ['path', 'detail'],
        },
      },
      meta: { type: 'object', description: 'Facts about this error.' },
    },
    required: ['type', 'title', 'status', 'detail'],
  },
});
