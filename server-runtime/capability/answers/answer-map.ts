import type { Reply } from '../reply.ts';
import type { AnswerLike, GivenFor, MadeFor } from './content.ts';

declare const MAKES: unique symbol;
declare const REPLIES: unique symbol;

/** Declares the data that callers get by status, `{200: User}`, whatever else the handler gives. */
export interface Makes<out Data> {
  readonly [MAKES]: Data;
}

/** Says that the handler replies with a status that is not declared, beside those that are. */
export interface Undeclared<out Status extends number> {
  readonly [REPLIES]: Status;
}

/** The answers of a capability by status: `{200: Done, 202: Accepted}`. */
export interface AnswerMap {
  /** The answer of a status, 200 to 399. */
  readonly [status: number]: AnswerLike;
}

/** The answers with this one of a status, in place of a former one. */
export type WithAnswer<Map, Status extends number, A> = {
  readonly [At in (keyof Map & number) | Status]: At extends Status ? A : At extends keyof Map ? Map[At] : never;
};

/** The values that a handler may give for several: the plain one of the first, or a reply of one of the statuses. */
export type GivableOf<Map extends AnswerMap> =
  | GivenFor<Map[FirstOf<Map>]>
  | Reply<GivenFor<Map[FirstOf<Map>]>, undefined>
  | { [Status in keyof Map & number]: Reply<GivenFor<Map[Status]>, Status> }[keyof Map & number];

/** The values that a caller gets for several, by status. */
export type MadeOf<Map extends AnswerMap> = { readonly [Status in keyof Map & number]: MadeFor<Map[Status]> };

/** The lowest of the statuses that are in use. */
export type FirstOf<Map> = 200 extends keyof Map
  ? 200
  : 201 extends keyof Map
    ? 201
    : 202 extends keyof Map
      ? 202
      : 204 extends keyof Map
        ? 204
        : keyof Map;

/**
 * The values that a handler may give where this answer is declared behind it: the plain one where the status is the
 * lowest so far, a reply of that status, and replies of others, which are declared by themselves.
 */
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

/** The data by status that is declared so far. */
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
