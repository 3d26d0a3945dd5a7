export const FRAMEWORK_ERROR: unique symbol = Symbol.for('capix.error');

export type ErrorMeta = Readonly<Record<string, unknown>>;

/** A real `Error` whose facts the caller gets: `{error: name, message, meta?}`, with `status`. */
export interface FrameworkError<
  out Name extends string = string,
  out Status extends number = number,
  out Meta = ErrorMeta | undefined,
> extends Error {
  readonly [FRAMEWORK_ERROR]: true;
  /** Which error it is: `NotFound`. */
  readonly name: Name;
  /** HTTP status, 400 to 599. */
  readonly status: Status;
  /** Facts that the caller may see. */
  readonly meta: Meta;
  /** Headers of the HTTP answer; undefined where the error has none. */
  readonly headers?: ErrorHeaders | undefined;
}

/** Headers of the HTTP answer to an error, by names in any case; a list sends a header several times. */
export type ErrorHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The same headers. @throws TypeError that names one that is neither a text nor a list of texts */
export function expectHeaders(owner: string, headers: ErrorHeaders): ErrorHeaders {
  const isText = (value: unknown): boolean => typeof value === 'string';
  for (const name of Object.keys(headers)) {
    const value: unknown = headers[name];
    if (isText(value) || (Array.isArray(value) && value.every(isText))) continue;
    const got = Array.isArray(value) ? 'a list that has others' : typeof value;
    throw new TypeError(
      `${owner}: the header '${name}' must be a text or a list of texts, got ${got}.`,
    );
  }
  return headers;
}

/** The facts of an error besides its message and its meta. */
export interface RaiseOptions extends ErrorOptions {
  /** Headers of the HTTP answer: `{ 'set-cookie': session.clear() }`. Other ways in leave them out. */
  readonly headers?: ErrorHeaders | undefined;
}

export function isErrorStatus(status: unknown): status is number {
  return Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599;
}

/** Whether `value` was made by an error factory, of this copy of the package or another. */
export function isFrameworkError(value: unknown): value is FrameworkError {
  try {
    return typeof value === 'object' && value !== null && FRAMEWORK_ERROR in value;
  } catch {
    return false; // The trap of a proxy has thrown.
  }
}

/** The arguments after the message. The `cause` goes to the log, never to the caller. */
export type ErrorArguments<Meta> = undefined extends Meta
  ? [meta?: Meta, options?: RaiseOptions]
  : [meta: Meta, options?: RaiseOptions];

/** Makes throwable errors of one kind. */
export interface ErrorFactory<
  out Name extends string = string,
  out Status extends number = number,
  // oxlint-disable-next-line typescript/no-explicit-any -- factories take and give meta: only `any` admits each
  in out Meta = any,
> {
  /** An error with a message of its own: `NotFound('No user 7', {id: 7})`. */
  (message: string, ...args: ErrorArguments<Meta>): FrameworkError<Name, Status, Meta>;
  /** An error with the factory's message: `NotFound()`, `NotFound({id})`. */
  (...args: ErrorArguments<Meta>): FrameworkError<Name, Status, Meta>;
  /** HTTP status, 400 to 599. */
  readonly status: Status;
  /** Callers get it as `error`: `NotFound`. */
  readonly errorName: Name;
  /** The message of an error that is thrown without one. */
  readonly defaultMessage: string;
  /** The schema of `meta`, where one is declared: for documents and clients. */
  readonly metaSchema: MetaSchema<Meta> | undefined;
  /** Whether a caught value is an error of this kind, of this copy of the package or another. */
  is(error: unknown): error is FrameworkError<Name, Status, Meta>;
}

/** A schema, of whichever library: its own type is known only higher up. One of zod 3 has a `_def` without `type`. */
export interface MetaSchema<Meta = unknown> {
  readonly '~standard': {
    readonly types?: { readonly input: Meta; readonly output: unknown } | undefined;
  };
  readonly _def?: { readonly type: string } | undefined;
}

export interface DefineErrorOptions<Code extends string = string, Meta = unknown> {
  readonly code?: Code | undefined;
  /** The facts that it carries. Handlers must give them then, and the client knows their types. */
  readonly meta?: MetaSchema<Meta> | undefined;
}

/** Defines a kind of error whose name is `code`: `defineError(500, 'Something broke', 'Internal')`. */
export function defineError<const Status extends number, const Code extends string>(
  status: Status,
  nameOrMessage: string,
  code: Code,
): ErrorFactory<NoInfer<Code>, NoInfer<Status>, ErrorMeta | undefined>;
/**
 * Defines a kind of error. `'NotFound'` and `'Not found'` both give the name `NotFound` and the message `Not found`.
 *
 * @throws TypeError when `status` is not an integer from 400 to 599, or the name has no letter
 */
export function defineError<
  const Status extends number,
  const NameOrMessage extends string,
  const Code extends string = ErrorNameOf<NameOrMessage>,
  Meta = ErrorMeta | undefined,
>(
  status: Status,
  nameOrMessage: NameOrMessage,
  options?: DefineErrorOptions<Code, Meta>,
): Uninferred<ErrorFactory<NoInfer<Code>, NoInfer<Status>, Meta>, Code>;
export function defineError(
  status: number,
  nameOrMessage: string,
  options?: string | DefineErrorOptions,
): unknown {
  if (!isErrorStatus(status))
    throw new TypeError(
      `defineError: the status must be an integer from 400 to 599, got ${String(status)}. It stands first: ` +
        "defineError(404, 'NotFound').",
    );
  const { code, meta: metaSchema }: DefineErrorOptions =
    typeof options === 'object' ? options : { code: options };
  const errorName = code ?? toErrorName(nameOrMessage);
  if (!/[a-z]/i.test(errorName))
    throw new TypeError(
      `defineError: expected a name such as 'NotFound' or 'Not found', got '${nameOrMessage}'.`,
    );
  const defaultMessage = toErrorMessage(nameOrMessage);
  const make = (...args: readonly unknown[]): Error => {
    const own = typeof args[0] === 'string' ? args[0] : undefined;
    const [meta, raised] = (own === undefined ? args : args.slice(1)) as [
      ErrorMeta?,
      RaiseOptions?,
    ];
    const error = new Error(own ?? defaultMessage, raised);
    Error.captureStackTrace(error, make);
    Object.defineProperty(error, 'name', { value: errorName, configurable: true, writable: true });
    Object.defineProperty(error, FRAMEWORK_ERROR, { value: true });
    const headers = raised?.headers && expectHeaders(`The headers of ${errorName}`, raised.headers);
    return Object.assign(error, { status }, meta && { meta }, headers && { headers });
  };
  const is = (error: unknown): boolean =>
    isFrameworkError(error) && error.name === errorName && error.status === status;
  return Object.assign(make, { status, errorName, defaultMessage, metaSchema, is });
}

/** `'Not found'` and `'NotFound'` give `'NotFound'`; `'e-mail taken'` gives `'EMailTaken'`. */
function toErrorName(nameOrMessage: string): string {
  if (isName(nameOrMessage)) return nameOrMessage;
  const words = nameOrMessage.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The result of `toErrorName`, for the compiler; `string` for a text with letters other than those of English. */
export type ErrorNameOf<
  NameOrMessage extends string,
  Rest extends string = Capitalize<NameOrMessage>,
  Name extends string = '',
> = string extends NameOrMessage
  ? string
  : Rest extends `${infer First}${infer More}`
    ? 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789' extends `${string}${First}${string}`
      ? ErrorNameOf<NameOrMessage, More, `${Name}${First}`>
      : ' -_.,:;!?\'"/\\()[]{}&+*=<>|#%$@^~`' extends `${string}${First}${string}`
        ? ErrorNameOf<NameOrMessage, Capitalize<More>, Name>
        : string
    : Capitalize<NameOrMessage> extends Name
      ? NameOrMessage
      : Name;

/** `'NotFound'` gives `'Not found'`, `'APIKeyMissing'` gives `'API key missing'`; a message stays as it is. */
function toErrorMessage(nameOrMessage: string): string {
  if (!isName(nameOrMessage)) return nameOrMessage;
  const words = nameOrMessage.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+/g) ?? [nameOrMessage];
  const sentence = words
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function isName(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9]*$/.test(text);
}

/** `T`, of which nothing is inferred backwards. `NoInfer` does the same, and is seen in every message. */
export type Uninferred<T, By> = { readonly is: T }[By extends unknown ? 'is' : never];

/** The catalogue of errors that the framework itself answers with; free for handlers and guards to use. */
export const defaultErrors = {
  BadRequest: defineError(400, 'BadRequest'),
  Unauthorized: defineError(401, 'Unauthorized'),
  Forbidden: defineError(403, 'Forbidden'),
  NotFound: defineError(404, 'NotFound'),
  MethodNotAllowed: defineError(405, 'MethodNotAllowed'),
  Conflict: defineError(409, 'Conflict'),
  PayloadTooLarge: defineError(413, 'PayloadTooLarge'),
  UnsupportedMediaType: defineError(415, 'UnsupportedMediaType'),
  TooManyRequests: defineError(429, 'TooManyRequests'),
  Internal: defineError(500, 'Internal server error', 'Internal'),
  ServiceUnavailable: defineError(503, 'ServiceUnavailable'),
  Timeout: defineError(504, 'Timeout'),
} as const;
