import type { Readable } from 'node:stream';
import type { InputOf, OutputOf, Schema } from '../schema/schema.ts';
import type { Reply, ServerSentEvent } from './reply.ts';

const CONTENT: unique symbol = Symbol.for('capix.content') as never;
declare const GIVES: unique symbol;
declare const MAKES: unique symbol;

/** Data in the envelope, nothing, a text, bytes, items one after another, or the place to go to. */
export type ContentKind = 'data' | 'none' | 'text' | 'bytes' | 'stream' | 'redirect';

export interface AnswerOptions<Status extends number = number> {
  /** 200 to 399. @default 200; 204 for `noContent`, 302 for `redirect` */
  readonly status?: Status | undefined;
  /** Headers of the answer, each with the schema of its text: `{location: z.string()}`. */
  readonly headers?: Readonly<Record<string, Schema>> | undefined;
  /** The media type of JSON data. @default 'application/json; charset=utf-8' */
  readonly contentType?: string | undefined;
  /** When it is given, for documents. @default what the schema says of itself */
  readonly description?: string | undefined;
}

/** A declared answer. `Given` is what a handler gives for it, `Made` what a caller gets of that. */
export interface Content<out Given = unknown, out Status extends number = number, out Made = Given> {
  readonly [CONTENT]: true;
  readonly [GIVES]: Given;
  readonly [MAKES]: Made;
  /** The content of the answer. */
  readonly kind: ContentKind;
  /** The schema of the data, or of each item. */
  readonly schema: Schema | undefined;
  /** Media types; empty for those of `kind`. */
  readonly contentTypes: readonly string[];
  /** Status of the HTTP answer. */
  readonly status: Status;
  /** Schemas of the texts of its headers, by name. */
  readonly headers: Readonly<Record<string, Schema>>;
  /** When it is given, for documents. */
  readonly description: string | undefined;
}

export type AnswerLike = Schema | Content;

export type GivenFor<A> = A extends Content<infer Given> ? Given : A extends Schema ? InputOf<A> : never;

export type MadeFor<A> = A extends Content<unknown, number, infer Made> ? Made : A extends Schema ? OutputOf<A> : never;

export type StatusOf<A> = A extends Content<unknown, infer Status> ? Status : 200;

/** The values that are sent as bytes. */
export type ByteSource = Uint8Array | Readable | ReadableStream | Response;

/**
 * An answer of status 204 without a body. The handler gives nothing, or null.
 *
 * @example
 * ```ts
 * export const deleteUser = capability(z.object({ id: z.string() }), () => {}).output(noContent);
 * ```
 */
export const noContent: Content<void | null, 204> = toContent({ kind: 'none', status: 204 });

/**
 * The place where to go, which the handler gives as text, with status 302 unless another is declared.
 *
 * @example
 * ```ts
 * export const signIn = capability(() => 'https://id.example.org/', 'query').output(redirect, { status: 303 });
 * ```
 */
export const redirect: Content<string, 302> = toContent({ kind: 'redirect', status: 302 });

/**
 * A text that is sent as it is.
 *
 * @example
 * ```ts
 * export const exportOrders = capability(() => 'id,total\n1,9.50\n', 'query').output(text('text/csv'));
 * ```
 */
export function text(contentType = 'text/plain'): Content<string, 200> {
  expectMediaType('text', contentType);
  return toContent({ kind: 'text', status: 200, contentTypes: [contentType] });
}

/**
 * Bytes, at once or as a stream, of one of these media types: the first, unless the handler's `reply` says which.
 *
 * @example
 * ```ts
 * export const getPixel = capability(() => new Uint8Array([71, 73, 70]), 'query').output(bytes('image/gif'));
 * ```
 */
export function bytes(...contentTypes: readonly string[]): Content<ByteSource, 200> {
  for (const type of contentTypes) expectMediaType('bytes', type);
  return toContent({
    kind: 'bytes',
    status: 200,
    contentTypes: contentTypes.length === 0 ? ['application/octet-stream'] : contentTypes,
  });
}

/**
 * Items one after another, each of which fits the schema: server-sent events for who asks for `text/event-stream`, else
 * a line of JSON an item. The handler gives an async iterable, most simply as an `async function*`.
 *
 * @example
 * ```ts
 * const Order = z.object({ id: z.string() });
 * export const watchOrders = capability(async function* () { yield { id: '1' }; }, 'query').output(stream(Order));
 * ```
 */
export function stream<Item extends Schema>(
  item: Item,
): Content<AsyncIterable<InputOf<Item> | ServerSentEvent<InputOf<Item>>>, 200, AsyncIterable<OutputOf<Item>>> {
  return toContent({ kind: 'stream', status: 200, schema: item });
}

/** A declared answer with what is said of it. @throws RangeError for a status that is not an integer from 200 to 399 */
export function answer(what: AnswerLike, options: AnswerOptions = {}): Content {
  const content: Content = isContent(what) ? what : toContent({ kind: 'data', status: 200, schema: what as Schema });
  const { status = content.status, headers = content.headers, description = content.description } = options;
  if (!Number.isInteger(status) || status < 200 || status > 399)
    throw new RangeError(`The status of an answer must be an integer from 200 to 399, got ${String(status)}.`);
  if (options.contentType !== undefined) expectMediaType('contentType', options.contentType);
  const contentTypes = options.contentType === undefined ? content.contentTypes : [options.contentType];
  return toContent({ ...content, status, headers, description, contentTypes });
}

export function isContent(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && CONTENT in value;
}

type Parts = Pick<Content, 'kind' | 'status'> & Partial<Omit<Content, 'kind' | 'status'>>;

function toContent<Given, Status extends number, Made>(parts: Parts): Content<Given, Status, Made> {
  const { kind, status, schema, contentTypes = [], headers = {}, description } = parts;
  return Object.freeze({ [CONTENT]: true, kind, schema, contentTypes, status, headers, description }) as never;
}

function expectMediaType(option: string, value: string): void {
  if (/^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+(\s*;.*)?$/.test(value)) return;
  throw new TypeError(`${option}: expected a media type such as 'text/csv', got ${JSON.stringify(value)}.`);
}

declare const DATA: unique symbol;
declare const REPLIES: unique symbol;

/** Declares the data that callers get by status, `{200: User}`, whatever else the handler gives. */
export interface Makes<out Data> {
  readonly [DATA]: Data;
}

/** Says that the handler replies with a status that is not declared, beside those that are. */
export interface Undeclared<out Status extends number> {
  readonly [REPLIES]: Status;
}

/** The answers of a capability by status: `{200: Done, 202: Accepted}`. */
export interface AnswerMap {
  readonly [status: number]: AnswerLike;
}

/** The answers with this one of a status, in place of a former one. */
export type WithAnswer<Map, Status extends number, A> = {
  readonly [At in (keyof Map & number) | Status]: At extends Status ? A : At extends keyof Map ? Map[At] : never;
};

/** The values that a handler may give for several: the plain one of the first, or a reply. */
export type GivableOf<Map extends AnswerMap> =
  | GivenFor<Map[FirstOf<Map>]>
  | Reply<GivenFor<Map[FirstOf<Map>]>, undefined>
  | { [Status in keyof Map & number]: Reply<GivenFor<Map[Status]>, Status> }[keyof Map & number];

/** The values that a caller gets for several, by status. */
export type MadeOf<Map extends AnswerMap> = { readonly [Status in keyof Map & number]: MadeFor<Map[Status]> };

export type FirstOf<Map> = LowestOf<[200, 201, 202, 204], Map>;

type LowestOf<Statuses, Map> = Statuses extends [infer First, ...infer Rest]
  ? First extends keyof Map
    ? First
    : LowestOf<Rest, Map>
  : keyof Map;

/** The values that a handler may give where this answer is declared behind it: plain, if its status is the lowest. */
export type Fitting<Output, Declared, A, Status extends number> =
  | (IsFirst<Declared, Status> extends true ? GivenFor<A> : Exclude<Output, Reply>)
  | (Status extends 200 ? never : Reply<GivenFor<A>, Status>)
  | ReplyBeside<Output, Status>;

type IsFirst<Declared, Status extends number> = [Extract<Declared, Makes<unknown>>] extends [never]
  ? true
  : Status extends FirstOf<DataIn<Declared> & Record<Status, unknown>>
    ? true
    : false;

type ReplyBeside<Output, Status> =
  Output extends Reply<unknown, infer Other> ? (Other extends Status | 200 | undefined ? never : Output) : never;

type DataIn<Declared> = Extract<Declared, Makes<unknown>> extends Makes<infer Data> ? Data : never;

/** The declarations of a capability with this one of its answers, in place of a former one of its status. */
export type WithMade<Declared, Output, Status extends number, A> = [Extract<Declared, Makes<unknown>>] extends [never]
  ? Declared | Makes<{ readonly [At in Status]: MadeFor<A> }> | UndeclaredOf<Output, Status>
  :
      | Exclude<Declared, Makes<unknown> | Undeclared<number>>
      | Makes<Omit<DataIn<Declared>, Status> & { readonly [At in Status]: MadeFor<A> }>
      | UndeclaredOf<Output, Status | keyof DataIn<Declared>>;

type UndeclaredOf<Output, Status> =
  Output extends Reply<unknown, infer Other extends number>
    ? Other extends Status
      ? never
      : Undeclared<Other>
    : never;
