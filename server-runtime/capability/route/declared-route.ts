import type { Mistake } from '../../errors/mistake.ts';
import type { InputOf, Schema } from '../../schema/schema.ts';
import type { HttpMethod } from './http-method.ts';

/** A route that is stated instead of inferred. */
export interface DeclaredRoute {
  /** The HTTP method. */
  readonly method: HttpMethod | Lowercase<HttpMethod>;
  /**
   * A path with `:param` segments, whose values are merged into the input: `/projects/:projectId/tasks`. `*param` as
   * the last one takes the rest of the path: `/files/*path`.
   */
  readonly path: `/${string}`;
}

/** The parameters of a path: `'slug' | 'id'` of `/articles/:slug/comments/:id`. */
export type ParamsIn<Path extends string> = Path extends `${string}/${':' | '*'}${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamsIn<`/${More}`>
    : Rest
  : never;

/** `unknown` for a path whose parameters are fields of the input; else a `Mistake`. */
export type PathFor<S, Path extends string> = S extends Schema
  ? Exclude<ParamsIn<Path>, FieldsIn<InputOf<S>>> extends infer Missing extends string
    ? [Missing] extends [never]
      ? unknown
      : Mistake<`The input has no field ${Missing}. Add it: z.object({ ${Missing}: z.string() })`>
    : unknown
  : unknown;

/** The keys of a union are those of every member. */
export type FieldsIn<Input> = Input extends unknown ? keyof Input & string : never;
