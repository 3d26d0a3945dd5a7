import { expectKnownOptions, type OptionNames } from '../errors/expect-known-options.ts';
import type { Failure } from '../errors/failure.ts';
import type { ErrorMeta } from '../errors/framework-error.ts';
import type { Schema } from '../schema/schema.ts';
import type { JsonSchema } from '../schema/to-json-schema.ts';
import { type FieldProblem, toToldMeta } from '../schema/validator.ts';

const ENVELOPE: unique symbol = Symbol.for('capix.envelope') as never;

/** The reason that a call did not succeed, as an envelope writes it. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number;
  /** `NotFound` */
  readonly name: string;
  /** The message, for people. */
  readonly message: string;
  /** Facts about it. */
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
  /** The schema of what `failure` makes, for documents: of zod, or a JSON Schema. */
  readonly failureSchema?: Schema | JsonSchema | undefined;
  /** The media type of a refusal. @default 'application/json' */
  readonly failureType?: string | undefined;
  /** The status of an input that does not fit: 400 or 422. @default 400 */
  readonly validationStatus?: 400 | 422 | undefined;
}

/** The JSON around data and refusals, made by `defineEnvelope`. */
export interface Envelope {
  readonly [ENVELOPE]: true;
  /** Undefined where data is sent bare. */
  readonly dataField: string | undefined;
  /** Makes the body of a refusal. Undefined where that is `{ error, message, meta? }`. */
  readonly failure: ((refusal: Refusal) => unknown) | undefined;
  /** The schema of what `failure` makes. Undefined where `failure` is. */
  readonly failureSchema: Schema | JsonSchema | undefined;
  /** The media type of a refusal. */
  readonly failureType: string;
  /** The status of an input that does not fit. */
  readonly validationStatus: 400 | 422;
}

const optionNames: OptionNames<EnvelopeOptions> = {
  dataField: true,
  failure: true,
  failureSchema: true,
  failureType: true,
  validationStatus: true,
};

/**
 * Defines the wire format of a transport: `restTransport({ envelope: defineEnvelope({ dataField: 'result' }) })`. Every refusal passes through it,
 * the router's too.
 *
 * @throws TypeError for an option that cannot be
 *
 * @example
 * ```ts
 * export const envelope = defineEnvelope({
 *   dataField: false,
 *   failure: ({ message, fields }) => ({ errors: fields.length === 0 ? [message] : fields.map((field) => `${field.path} ${field.message}`) }),
 *   failureSchema: z.object({ errors: z.array(z.string()) }),
 *   validationStatus: 422,
 * });
 * ```
 */
export function defineEnvelope(options: EnvelopeOptions): Envelope {
  expectKnownOptions('defineEnvelope', options, optionNames);
  const {
    dataField = 'data',
    failure,
    failureSchema,
    failureType = 'application/json',
    validationStatus = 400,
  } = options;
  if ((failure === undefined) !== (failureSchema === undefined))
    throw new TypeError('defineEnvelope: `failure` and `failureSchema` belong together; give both.');
  if (validationStatus !== 400 && validationStatus !== 422)
    throw new TypeError(`defineEnvelope validationStatus: expected 400 or 422, got ${String(validationStatus)}.`);
  return Object.freeze({
    [ENVELOPE]: true as const,
    dataField: dataField === false ? undefined : dataField,
    failure,
    failureSchema,
    failureType,
    validationStatus,
  }) as Envelope;
}

/**
 * `{data}` and `{error, message, meta?}`: what capix sends unless an option says otherwise.
 *
 * @example
 * ```ts
 * export const rest = restTransport({ envelope: dataEnvelope });
 * ```
 */
export const dataEnvelope: Envelope = defineEnvelope({});

/**
 * Data is sent as it is, and an error as `{error, message, meta?}`.
 *
 * @example
 * ```ts
 * export const rest = restTransport({ envelope: bareEnvelope });
 * ```
 */
export const bareEnvelope: Envelope = defineEnvelope({ dataField: false });

/** Whether `value` was made by `defineEnvelope`, of this copy of the package or another. */
export function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && ENVELOPE in value;
}

/** @throws TypeError for what `defineEnvelope` did not make */
export function toEnvelope(value: unknown): Envelope {
  if (value === undefined) return dataEnvelope;
  if (isEnvelope(value)) return value;
  throw new TypeError('envelope: expected what defineEnvelope(…) makes, or a preset such as bareEnvelope.');
}

/** The body of a refusal, as JSON holds it. */
export function toFailureBody({ failure: make }: Envelope, { status, name, message, meta }: Failure): unknown {
  if (make === undefined) return { error: name, message, meta };
  return make({ status, name, message, meta, fields: toToldMeta(meta).fields });
}

/** A failure as the envelope answers it: that of an input that does not fit may have a status of its own. */
export function toAnswered({ validationStatus }: Envelope, failure: Failure): Failure {
  if (validationStatus === 400 || failure.status !== 400 || failure.cause !== undefined) return failure;
  const isValidation = Array.isArray(failure.meta?.['fields']);
  return isValidation ? { ...failure, status: validationStatus, name: validationErrorName } : failure;
}

/** The name of the error of an input that does not fit, where it is not a `BadRequest`. */
export const validationErrorName = 'UnprocessableContent';

/** The schema of what is sent for data of a schema. */
export function toSuccessSchema({ dataField }: Envelope, data: JsonSchema): JsonSchema {
  if (dataField === undefined) return data;
  return { type: 'object', properties: { [dataField]: data }, required: [dataField] };
}
