import type { Readable } from 'node:stream';
import { z } from 'zod';
import { brand } from '../errors/brand.ts';
import { expectInteger } from '../errors/expect-options.ts';
import type { Mistake } from '../errors/mistake.ts';
import {
  type InputOf,
  isSchema,
  type OutputOf,
  type Schema,
  type StandardSchema,
} from '../schema/schema.ts';
import type { Joined } from './capability.ts';
import type { Reply, ServerSentEvent } from './reply.ts';

const CONTENT: unique symbol = Symbol.for('capix.content');
declare const GIVES: unique symbol;
declare const MAKES: unique symbol;
declare const DATA: unique symbol;
export const PAGE: unique symbol = Symbol.for('capix.page');

export type ContentKind = 'data' | 'none' | 'text' | 'bytes' | 'stream' | 'redirect';

export interface AnswerOptions<Status extends number = number> {
  /** 200 to 399. @default 200; 204 for `noContent`, 302 for `redirect` */
  readonly status?: Status | undefined;
  /** Headers of the answer for documents, each with the schema of its text: `{location: z.string()}`. */
  readonly headers?: Readonly<Record<string, Schema>> | undefined;
  /** The media type of JSON data. @default 'application/json; charset=utf-8' */
  readonly contentType?: string | undefined;
  readonly description?: string | undefined;
}

/** A declared answer. A handler returns `Value`, and the caller gets `Made`. */
export interface Content<
  out Value = unknown,
  out Status extends number = number,
  out Made = Value,
> {
  readonly [CONTENT]: true;
  readonly [GIVES]: Value;
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
  /** Explains when a caller gets this answer, for documents. */
  readonly description: string | undefined;
}

export type AnswerLike = Schema | Content;
export type ValueFor<A> =
  A extends Content<infer Value> ? Value : A extends Schema ? InputOf<A> : never;
export type MadeFor<A> =
  A extends Content<unknown, number, infer Made> ? Made : A extends Schema ? OutputOf<A> : never;
export type StatusOf<A> = A extends Content<unknown, infer Status> ? Status : 200;

export type ByteSource = Uint8Array | Readable | ReadableStream | Response;

/** An answer of status 204 without a body. The handler gives nothing, or null. */
export const noContent: Content<void | null, 204> = toContent({ kind: 'none', status: 204 });

/** The place where to go, which the handler gives as text, with status 302 unless another is declared. */
export const redirect: Content<string, 302> = toContent({ kind: 'redirect', status: 302 });

/** A text that is sent as it is. */
export function text(contentType = 'text/plain'): Content<string, 200> {
  return toContent({ kind: 'text', contentTypes: [contentType] });
}

/**
 * Bytes, at once or as a stream, of one of these media types: the first, unless the handler's `reply` names another.
 */
export function bytes(...contentTypes: readonly string[]): Content<ByteSource, 200> {
  const [first = 'application/octet-stream', ...others] = contentTypes;
  return toContent({ kind: 'bytes', contentTypes: [first, ...others] });
}

/**
 * Items one after another, each of which fits the schema. A caller gets server-sent events; one that accepts
 * `application/x-ndjson` gets one line of JSON per item. The handler returns an async iterable, most simply as an
 * `async function*`.
 */
export function stream<Item extends Schema>(
  item: Item,
): Content<
  AsyncIterable<InputOf<Item> | ServerSentEvent<InputOf<Item>>>,
  200,
  AsyncIterable<OutputOf<Item>>
> {
  return toContent({ kind: 'stream', schema: item });
}

// These are not interfaces: a project's declaration files write out the type of a capability, with these fields.
type Page<Item> = {
  readonly items: readonly Item[];
  readonly nextCursor?: string | null | undefined;
};
type PageInput = { readonly cursor?: string | undefined; readonly limit?: number | undefined };

/** The schema of one page of a list: the items, and the cursor of the next page, which is absent on the last page. */
export interface PageSchema<out In = unknown, out Out = unknown>
  extends StandardSchema<Page<In>, Page<Out>> {
  readonly [PAGE]: true;
}

/** The input where this is the answer: that of a page has a cursor and a limit. */
export type PagedInput<S, A> = A extends PageSchema
  ? Joined<S, StandardSchema<PageInput, PageInput>>
  : S;

/** A caller may not ask for a page that fills the memory. */
const limit = z.number().int().min(1).max(1000).optional();
export const pageInput: Schema = z.object({ cursor: z.string().optional(), limit });

/** A page of a list as the answer. Before a handler, it adds `cursor` and `limit` to the input. */
export function pageOf<Item extends Schema>(item: Item): PageSchema<InputOf<Item>, OutputOf<Item>> {
  if (!isSchema(item))
    throw new TypeError(
      'pageOf: expected the schema of an item, such as z.object({ id: z.string() }).',
    );
  const page = z.object({
    items: z.array(item as unknown as z.ZodType),
    nextCursor: z.string().nullish(),
  });
  return Object.assign(page, { [PAGE]: true as const }) as unknown as PageSchema<
    InputOf<Item>,
    OutputOf<Item>
  >;
}

export function answer(what: AnswerLike, options: AnswerOptions = {}): Content {
  const content: Content = isContent(what)
    ? what
    : toContent({ kind: 'data', schema: what as Schema });
  const {
    status = content.status,
    headers = content.headers,
    description = content.description,
  } = options;
  const contentTypes =
    options.contentType === undefined ? content.contentTypes : [options.contentType];
  return toContent({ ...content, status, headers, description, contentTypes });
}

export function isContent(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && CONTENT in value;
}

function toContent<Value, Status extends number, Made>(
  parts: Pick<Content, 'kind'> & Partial<Content>,
): Content<Value, Status, Made> {
  const { kind, status = 200, schema, contentTypes = [], headers = {}, description } = parts;
  expectInteger('The status of an answer', status, { min: 200, max: 399 });
  const wrong = contentTypes.find((type) => !/^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+(\s*;.*)?$/.test(type));
  if (wrong !== undefined)
    throw new TypeError(`Expected a media type such as 'text/csv', got ${JSON.stringify(wrong)}.`);
  return brand<Content<Value, Status, Made>>({
    [CONTENT]: true,
    kind,
    schema,
    contentTypes,
    status: status as Status,
    headers,
    description,
  });
}

/** Declares the data that callers get by status, `{200: User}`, whatever else the handler gives. */
export interface Makes<out Data> {
  readonly [DATA]: Data;
}

/** The answers of a capability by status: `{200: Done, 202: Accepted}`. */
export type AnswerMap = { readonly [status: number]: AnswerLike };

/** The answers with this one of a status, in place of a former one. */
export type WithAnswer<Map, Status extends number, A> = {
  readonly [At in StatusesOf<Map> | Status]: At extends Status ? A : Map[At & keyof Map];
};

type StatusesOf<Map> = Map extends unknown ? keyof Map & number : never;

/** The plain value that a handler may give for several: that of the first. */
export type PlainOf<Map extends AnswerMap> = ValueFor<Map[FirstOf<keyof Map>]>;

/** The values that a handler may give for several: the plain one, or a reply. */
export type GivableOf<Map extends AnswerMap> =
  | PlainOf<Map>
  | Reply<PlainOf<Map>, undefined | (number & Mistake<Undeclared>)>
  | ListMistake<Map[FirstOf<keyof Map>]>
  | { [Status in keyof Map & number]: Reply<ValueFor<Map[Status]>, Status> }[keyof Map & number];

type Undeclared =
  'This status is not declared. Declare it before the handler: .output(schema, { status: 202 })';

/** What the compiler says of a list where a page or a stream is declared. */
type ListMistake<A> = A extends PageSchema
  ? readonly unknown[] &
      Mistake<'An answer of pageOf(…) is an object: return { items, nextCursor }'>
  : A extends Content<AsyncIterable<unknown>>
    ? readonly unknown[] &
        Mistake<'An answer of stream(…) comes one by one: async function* () { yield* items; }'>
    : never;

/** The values that a caller gets for several, by status. */
export type MadeOf<Map extends AnswerMap> = {
  readonly [Status in keyof Map & number]: MadeFor<Map[Status]>;
};

/** The status of a plain value. */
export type FirstOf<Statuses, Lowest = [200, 201, 202, 204]> = Lowest extends [
  infer First,
  ...infer Rest,
]
  ? First extends Statuses
    ? First
    : FirstOf<Statuses, Rest>
  : Statuses;

/** The values that a handler may give where this answer is declared behind it: plain, if its status is the lowest. */
export type Fitting<Output, Declared, A, Status extends number> =
  Output extends Reply<unknown, infer Other>
    ? [Other] extends [Status]
      ? Reply<ValueFor<A>, Other>
      : [Other] extends [number]
        ? Output
        : FirstFitting<Output, Declared, Reply<ValueFor<A>>, Status>
    : FirstFitting<Output, Declared, ValueFor<A>, Status>;
type FirstFitting<Output, Declared, Value, Status> =
  Status extends FirstOf<StatusesOf<DataIn<Declared>> | Status> ? Value : Output;

/** The data that is declared by status; `never` where none is. */
export type DataIn<Declared> = Declared extends Makes<infer Data extends AnswerData> ? Data : never;
type AnswerData = { readonly [status: number]: unknown };

/** The declarations of a capability with this one of its answers, in place of a former one of its status. */
export type WithMade<Declared, Status extends number, A> = [
  Extract<Declared, Makes<unknown>>,
] extends [never]
  ? Declared | Makes<{ readonly [At in Status]: MadeFor<A> }>
  : Exclude<Declared, Makes<unknown>> | Makes<WithAnswer<DataIn<Declared>, Status, MadeFor<A>>>;
