import type { Sending } from './create-client-of.ts';
import type { CallResult } from './read-response.ts';

/** Headers as `fetch` takes them. Of an object, a field that is `undefined` is left out. */
export type HeaderFields =
  | NonNullable<ConstructorParameters<typeof Headers>[0]>
  | Readonly<Record<string, string | undefined>>;

/** The options of a client. */
export interface ClientOptions {
  /** The address of the API: `https://api.example.org`, with or without a path. */
  readonly baseUrl: string | URL;
  /** Sent with every call, for example `authorization`. A function is called for each call. */
  readonly headers?: HeaderFields | (() => HeaderFields | Promise<HeaderFields>) | undefined;
  /** The function that sends a request. @default the global fetch */
  readonly fetch?: typeof fetch | undefined;
  /** Stand around every request, the first outermost: each may change it, respond, or look at the response. */
  readonly intercept?: readonly Interceptor[] | undefined;
  /** Whether cookies travel along: `include` sends them to another origin too. @default the runtime's */
  readonly credentials?:
    | NonNullable<ConstructorParameters<typeof Request>[1]>['credentials']
    | undefined;
  /**
   * How often in a row a stream that was lost is requested again, after a second at first and later after half a
   * minute; `Infinity` for ever. @default 10
   */
  readonly reconnects?: number | undefined;
}

/** The options of a client whose calls travel over a WebSocket. */
export interface SocketClientOptions extends Pick<ClientOptions, 'headers'> {
  /** The connection, made by `webSocket(url)`. */
  readonly transport: SocketTransport;
  /** The options of HTTP requests, which messages of a WebSocket do not have. */
  readonly baseUrl?: undefined;
  /** The same. */
  readonly fetch?: undefined;
  /** The same. */
  readonly intercept?: undefined;
  /** The same: browsers send their cookies with a connection. */
  readonly credentials?: undefined;
  /** The same: those of a connection are an option of `webSocket(url)`. */
  readonly reconnects?: undefined;
}

/** A connection for the calls of one client, made by `webSocket(url)`. */
export interface SocketTransport {
  /** Closes the connection for good. Calls without an answer throw `ConnectionLost`. */
  close(): void;
}

/** Carries calls in place of requests. */
export interface CallLink {
  /** Becomes that of a client. @throws TypeError for a second client whose calls would differ in headers or form */
  belongTo(options: ClientOptions | SocketClientOptions, isByKey: boolean): void;
  call(key: string, sending: Sending, sent: SentCall): Promise<CallResult>;
}

export interface SentCall {
  readonly input: object;
  readonly call: CallOptions;
}

/** Sends a request by `next`, or not. */
export type Interceptor = (
  request: Request,
  next: (request: Request) => Promise<Response>,
) => Promise<Response>;

/** The options of one call. */
export interface CallOptions {
  /** In place of those of the client. */
  readonly intercept?: readonly Interceptor[] | undefined;
  /** Ends the call when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Sent besides the headers of the client, and in place of those of the same name. */
  readonly headers?: HeaderFields | undefined;
  /** Sent as `Idempotency-Key`. @default a new one where the operation has `withIdempotency` */
  readonly idempotencyKey?: string | undefined;
}

/** The arguments of a call; the input may be left out where `{}` fits. */
export type CallArguments<Input> = [Record<never, never>] extends [Input]
  ? [input?: Input | undefined, options?: CallOptions]
  : [input: Input, options?: CallOptions];

/** One operation. `Data` has the type of the data by status, `Errors` the errors that the operation declares. */
// Function types and not call signatures: an editor would offer those as a second definition of each call.
export type Call<Input, Data, Errors extends ApiError<string, unknown> = never> = ((
  ...args: CallArguments<Input>
) => Promise<Data[keyof Data]>) & {
  /** Calls it, and returns the response or the error. It throws the errors of fetch. */
  readonly safe: (...args: CallArguments<Input>) => Promise<Result<Data, Errors>>;
};

/** The result of `.safe`: `ok` tells the data from the error, and `status` tells each of them apart. */
export type Result<Data, Errors extends ApiError<string, unknown> = never> =
  | { [Status in keyof Data]: Got<Status, Data[Status]> }[keyof Data]
  | Refused<Errors | ApiError<OtherError>>;

export interface Got<Status, Data> {
  readonly ok: true;
  readonly status: Status;
  readonly data: Data;
  readonly headers: Headers;
}

export type Refused<Errors extends ApiError<string, unknown>> = Errors extends unknown
  ? { readonly ok: false; readonly status: Errors['status']; readonly error: Errors }
  : never;

/** The errors of these names by status, `{404: 'NotFound'}`, each with its meta where `Metas` has one. */
export type ErrorsAt<Names, Metas = unknown> = {
  [Status in keyof Names]: {
    [Name in Names[Status] & string]: ApiError<
      Name,
      Name extends keyof Metas ? Metas[Name] : ErrorFacts,
      Status & number
    >;
  }[Names[Status] & string];
}[keyof Names];

/** The details of an error besides its name, message and status; of a `BadRequest` the wrong fields. */
export type ErrorFacts = Readonly<Record<string, unknown>> | undefined;

/** The name of an error that the operation does not declare: any text, of a type that no declared name fits. */
export type OtherError = `${string} (not declared)`;

/** An error that the API responded with. `name` is its kind: `Unauthorized`. */
export class ApiError<
  Name extends string = string,
  Facts = ErrorFacts,
  Status extends number = number,
> extends Error {
  /** Which error it is: `NotFound`. */
  declare readonly name: Name;
  /** HTTP status. */
  declare readonly status: Status;
  /** Facts about it, where it has any. */
  declare readonly meta: Facts;
  /** The headers of the response; empty for an error in the middle of a stream. */
  declare readonly headers: Headers;

  constructor(
    name: Name,
    message: string,
    about: { readonly status: Status; readonly meta: Facts; readonly headers?: Headers },
  ) {
    super(message);
    Object.assign(this, { headers: new Headers(), ...about, name });
  }
}

/**
 * Whether a thrown value is an error that the API responded with; with a name, whether it is the error of that name.
 */
export function isApiError<Name extends string>(
  value: unknown,
  name?: Name,
): value is ApiError<Name> {
  return value instanceof ApiError && (name === undefined || value.name === name);
}
