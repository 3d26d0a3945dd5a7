import { expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import type { Mistake } from '../errors/mistake.ts';
import { findAllFieldNames } from '../schema/find-field-names.ts';
import type { InputOf, Schema } from '../schema/schema.ts';
import type { Deprecation } from './definition.ts';

/** A method that a route can have. HEAD and OPTIONS are answered for every path by the transport. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly HttpMethod[];

export function isHttpMethod(value: unknown): value is HttpMethod {
  return (httpMethods as readonly unknown[]).includes(value);
}

export interface DeclaredRoute {
  readonly method: HttpMethod | Lowercase<HttpMethod>;
  /** `/projects/:projectId/tasks`: parameters are merged into the input. `/files/*path` takes the rest of the path. */
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

/** The places of fields of the input outside path, query and body. `Field` are the names of the input's fields. */
export interface TakesOptions<Field extends string = string> {
  /** The header of each field: `{ ifMatch: 'if-match' }`. Not `accept`, `authorization` or `content-type`. */
  readonly headers?: { readonly [Name in Field]?: string } | undefined;
  readonly cookies?: { readonly [Name in Field]?: string } | undefined;
  /**
   * Whether the body may be `application/x-www-form-urlencoded` too. A browser sends such a form from any page without
   * asking, so that those of other sites are refused with 403.
   * @default false
   */
  readonly form?: boolean | undefined;
}

export interface SentField {
  readonly field: string;
  readonly in: 'header' | 'cookie';
  /** The name of the header, in lower case, or of the cookie. */
  readonly name: string;
}

export interface DeclaredRequest {
  readonly sent: readonly SentField[];
  /** Whether a body may be `application/x-www-form-urlencoded`; undefined leaves it to the group, and is no. */
  readonly form: boolean | undefined;
}

export const noRequest: DeclaredRequest = { sent: [], form: undefined };

const optionNames: OptionNames<TakesOptions> = { headers: true, cookies: true, form: true };

/** `owner` says it: `.takes`. @throws TypeError for a name that cannot be */
export function toDeclaredRequest(owner: string, options: TakesOptions): DeclaredRequest {
  expectKnownOptions(owner, options, optionNames);
  const { headers = {}, cookies = {}, form } = options;
  const toSent = (place: 'header' | 'cookie', names: object): SentField[] =>
    Object.entries(names).map(([field, given]) => {
      const name = place === 'header' ? String(given).toLowerCase() : String(given);
      if (!TOKEN.test(name) || (place === 'header' && ownHeaders.has(name)))
        throw new TypeError(`${owner}: the field '${field}' cannot come in the ${place} '${String(given)}'.`);
      return { field, in: place, name };
    });
  return { sent: [...toSent('header', headers), ...toSent('cookie', cookies)], form };
}

/** Both, where `inner` wins over `outer`, field by field. */
export function joinRequests(outer: DeclaredRequest, inner: DeclaredRequest): DeclaredRequest {
  if (inner === noRequest || outer === noRequest) return inner === noRequest ? outer : inner;
  const stated = new Set(inner.sent.map(({ field }) => field));
  return {
    sent: [...outer.sent.filter(({ field }) => !stated.has(field)), ...inner.sent],
    form: inner.form ?? outer.form,
  };
}

/** The part that concerns an input: of the fields those that it has. */
export function toRequestOf(schema: Schema | undefined, request: DeclaredRequest): DeclaredRequest {
  const names = findAllFieldNames(schema);
  const sent = request.sent.filter(({ field }) => names.has(field));
  return sent.length === request.sent.length ? request : { ...request, sent };
}

/** @throws TypeError for a field that the input has not; an input whose fields have no names takes each */
export function expectFieldsOf(schema: Schema | undefined, { sent }: DeclaredRequest): void {
  const names = findAllFieldNames(schema);
  for (const { field } of names.size === 0 ? [] : sent)
    if (!names.has(field)) throw new TypeError(`.takes: the input has no field '${field}'.`);
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const ownHeaders: ReadonlySet<string> = new Set(
  'accept authorization content-type content-length cookie host connection transfer-encoding'.split(' '),
);

/** Directives with commas between them. @throws TypeError that names the option */
export function expectCacheControl(option: string, value: unknown): string {
  if (typeof value === 'string' && DIRECTIVES.test(value)) return value;
  const got = typeof value === 'string' ? `'${value}'` : typeof value;
  throw new TypeError(`${option}: expected directives such as 'private, max-age=60', got ${got}.`);
}

const DIRECTIVES = /^[\w-]+(=("[\w-]+(, *[\w-]+)*"|[\w-]+))?(, *[\w-]+(=("[\w-]+(, *[\w-]+)*"|[\w-]+))?)*$/;

/** The headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) of every answer; what is not a date is left out. */
export function toDeprecationHeaders({ since, sunset }: Deprecation = {}): readonly string[] {
  const [from, until] = [since, sunset].map((date) => (date === undefined ? Number.NaN : Date.parse(date)));
  return [
    ...(from === undefined || Number.isNaN(from) ? [] : ['deprecation', `@${Math.floor(from / 1000)}`]),
    ...(until === undefined || Number.isNaN(until) ? [] : ['sunset', new Date(until).toUTCString()]),
  ];
}
