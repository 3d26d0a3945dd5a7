import { expectKnownOptions } from '../errors/expect-options.ts';
import type { Mistake } from '../errors/mistake.ts';
import { findFieldNames } from '../schema/describe.ts';
import type { InputOf, Schema } from '../schema/schema.ts';
import type { Deprecation } from './definition.ts';

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof httpMethods)[number];

export function isHttpMethod(value: unknown): value is HttpMethod {
  return (httpMethods as readonly unknown[]).includes(value);
}

export interface DeclaredRoute {
  readonly method: HttpMethod | Lowercase<HttpMethod>;
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
  ? MissingCheck<Exclude<ParamsIn<Path>, FieldsIn<InputOf<S>>>>
  : unknown;
type MissingCheck<Field extends string> = [Field] extends [never]
  ? unknown
  : Mistake<`The input has no field ${Field}. Add it: z.object({ ${Field}: z.string() })`>;

export type FieldsIn<Input> = Input extends unknown ? keyof Input & string : never;

export interface TakesOptions<Field extends string = string> {
  /** The header of each field: `{ ifMatch: 'if-match' }`. Not `accept`, `authorization` or `content-type`. */
  readonly headers?: { readonly [Name in Field]?: string } | undefined;
  readonly cookies?: { readonly [Name in Field]?: string } | undefined;
  /** Whether a body may be `application/x-www-form-urlencoded`; of another site it is refused. @default false */
  readonly form?: boolean | undefined;
}

export interface SentField {
  readonly field: string;
  readonly in: 'header' | 'cookie';
  readonly name: string;
}

/**
 * The fields that `.takes` declares. @throws TypeError for a name that cannot be used, or a field that the input lacks
 */
export function toSentFields(
  schema: Schema | undefined,
  options: TakesOptions,
): readonly SentField[] {
  expectKnownOptions('.takes', options, { headers: true, cookies: true, form: true });
  const fields = findFieldNames(schema).names;
  return (['header', 'cookie'] as const).flatMap((place) =>
    Object.entries(options[`${place}s`] ?? {}).map(([field, header]) => {
      const name = place === 'header' ? String(header).toLowerCase() : String(header);
      if (
        !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) ||
        (place === 'header' && ownHeaders.includes(name))
      )
        throw new TypeError(
          `.takes: the field '${field}' cannot come in the ${place} '${String(header)}'.`,
        );
      if (fields.size > 0 && !fields.has(field))
        throw new TypeError(`.takes: the input has no field '${field}'.`);
      return { field, in: place, name };
    }),
  );
}

const ownHeaders =
  'accept authorization content-type content-length cookie host connection transfer-encoding'.split(
    ' ',
  );

export function isDirectives(value: unknown): value is string {
  const DIRECTIVES =
    /^[\w-]+(=("[\w-]+(, *[\w-]+)*"|[\w-]+))?(, *[\w-]+(=("[\w-]+(, *[\w-]+)*"|[\w-]+))?)*$/;
  return typeof value === 'string' && DIRECTIVES.test(value);
}

/**
 * The headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) of every answer; a text that is not a date is left out.
 */
export function toDeprecationHeaders({
  since = '',
  sunset = '',
}: Deprecation = {}): readonly string[] {
  const [from, until] = [Date.parse(since), Date.parse(sunset)];
  return [
    ...(Number.isNaN(from) ? [] : ['deprecation', `@${Math.floor(from / 1000)}`]),
    ...(Number.isNaN(until) ? [] : ['sunset', new Date(until).toUTCString()]),
  ];
}
