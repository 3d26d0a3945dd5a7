import type { Reply } from '../reply.ts';
import { type AnswerLike, type AnswerOptions, answer, type Content, type GivenFor, type MadeFor } from './content.ts';

/** The answers of a capability by status: `{200: Done, 202: Accepted}`. */
export interface AnswerMap {
  /** The answer of a status, 200 to 399. */
  readonly [status: number]: AnswerLike;
}

/** The values that a handler may give for one answer: the plain one, or a reply of its status. */
export type Givable<A, Status extends number> = Status extends 200
  ? GivenFor<A>
  : GivenFor<A> | Reply<GivenFor<A>, Status>;

/** The values that a handler may give for several: the plain one of the first, or a reply of one of the statuses. */
export type GivableOf<Map extends AnswerMap> =
  | GivenFor<Map[FirstOf<Map>]>
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

/** The declared answers of one call of `.output`. */
export function toOneAnswer(what: AnswerLike, options?: AnswerOptions): readonly Content[] {
  return [answer(what, options)];
}

/** The declared answers of one call of `.answers`, the lowest status first. @throws RangeError for a status from 200 to 399 that is none */
export function toAnswerList(map: AnswerMap): readonly Content[] {
  return Object.entries(map)
    .map(([status, what]) => answer(what as AnswerLike, { status: Number(status) }))
    .toSorted((one, other) => one.status - other.status);
}
