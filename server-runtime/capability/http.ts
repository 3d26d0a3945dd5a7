import { expectInteger, expectKnownOptions } from '../errors/expect-options.ts';
import type { Mistake } from '../errors/mistake.ts';
import { describe, findFieldNames } from '../schema/describe.ts';
import type { FileRules } from '../schema/find-file-rules.ts';
import { isObject, isRaw, toChoices } from '../schema/lens.ts';
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
  : unknown; /** The same for the fields that are missing. */
export type MissingCheck<Field extends string> = [Field] extends [never]
  ? unknown
  : Mistake<`The input has no field ${Field}. Add it: z.object({ ${Field}: z.string() })`>;

export type FieldsIn<Input> = Input extends unknown ? keyof Input & string : never;

export interface TakesOptions<Field extends string = string> {
  /** The header of each field: `{ ifMatch: 'if-match' }`. Not `accept`, `authorization` or `content-type`. */
  readonly headers?: { readonly [Name in Field]?: string } | undefined;
  readonly cookies?: { readonly [Name in Field]?: string } | undefined;
  /** Whether a body may be `application/x-www-form-urlencoded`; of another site it is refused. @default false */
  readonly form?: boolean | undefined;
  /**
   * The field that is the whole body, where that is not a JSON object: `'events'` for a list of JSON, or with the media
   * types that are taken: `{ field: 'order', types: ['application/xml'] }`. The other fields are in path and query.
   */
  readonly body?: Field | WholeBodyOptions<Field> | undefined;
  /** The longest body, bytes, of forms with their files, too. @default that of the transport */
  readonly maxBodySize?: number | undefined;
}

/** A field of an input that is the whole body. */
export interface WholeBodyOptions<Field extends string = string> {
  readonly field: Field;
  /**
   * Media types: of JSON, of lines of JSON (`application/x-ndjson`), and any other one as text, or as bytes for a field
   * of `uploadedFile()`. @default JSON; for a file what its `accept` says, else `application/octet-stream`
   */
  readonly types?: readonly [string, ...string[]] | undefined;
}

/** A field of an input that is the whole body, and the media types in which it comes. */
export interface WholeBody {
  readonly field: string;
  readonly types: readonly string[];
  /** The rules of a field that takes a file. */
  readonly file: FileRules | undefined;
}

/** The declared field that is the whole body; undefined where the input has no such field, as that of a factory. */
export function findWholeBody(
  schema: Schema | undefined,
  body: WholeBodyOptions | undefined,
): WholeBody | undefined {
  if (schema === undefined || body === undefined) return undefined;
  const field = describe(schema).lens.inside(body.field);
  if (field === undefined && !findFieldNames(schema).names.has(body.field)) return undefined;
  const file = field?.reading.file;
  const usual = file === undefined ? ['application/json'] : file.accept;
  const types = body.types ?? (usual?.length ? usual : ['application/octet-stream']);
  return { field: body.field, types, file };
}

/**
 * Why no request can carry an input, whose fields all have names, and what to write; undefined where one can. A list
 * beside an object is refused too: a document would offer it. What a function makes of anything sent is not known.
 */
export function findNameless(
  key: string,
  schema: Schema,
): { readonly message: string; readonly hint: string } | undefined {
  const { branches } = describe(schema).lens;
  const others = branches.filter((branch) => !isObject(branch) && !isRaw(branch));
  const typed = others.filter((other) => other.type !== undefined || toChoices(other).length > 0);
  const [first] = typed.length === branches.length ? typed : [];
  const nameless = typed.find(({ type }) => type === 'array') ?? first;
  if (nameless === undefined) return undefined;
  const { type = 'literal' } = nameless;
  return {
    message: `\`${key}\` takes a \`${type}\` as its input, but input is always an object: nobody can send it.`,
    hint: "Give it a name: z.object({ value: … }), with .takes({ body: 'value' }) where it is the whole body.",
  };
}

/** The whole body that `.takes` says. @throws TypeError for what is not a media type, and beside a form */
export function toWholeBodyOptions({ body, form }: TakesOptions): WholeBodyOptions | undefined {
  if (body === undefined) return undefined;
  const whole = typeof body === 'string' ? { field: body } : body;
  expectKnownOptions('.takes({ body })', whole, { field: true, types: true });
  if (form === true)
    throw new TypeError(
      '.takes: a body is a form, with a field for each name, or one field; not both.',
    );
  const isType = (type: unknown): boolean =>
    typeof type === 'string' && /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+$/.test(type);
  const { types } = whole;
  if (types !== undefined && !(Array.isArray(types) && types.length > 0 && types.every(isType)))
    throw new TypeError(
      ".takes({ body }): `types` are media types such as ['application/xml'], without parameters.",
    );
  return whole;
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
  const names = { headers: true, cookies: true, form: true, body: true, maxBodySize: true };
  expectKnownOptions('.takes', options, names);
  expectInteger('.takes maxBodySize', options.maxBodySize ?? 0, { min: 0 });
  const fields = findFieldNames(schema).names;
  const whole = toWholeBodyOptions(options)?.field;
  if (whole !== undefined && fields.size > 0 && !fields.has(whole))
    throw new TypeError(`.takes: the input has no field '${whole}'.`);
  return (['header', 'cookie'] as const).flatMap((place) =>
    Object.entries(options[`${place}s`] ?? {}).map(([field, header]) => {
      const name = place === 'header' ? String(header).toLowerCase() : String(header);
      if (
        !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) ||
        (place === 'header' && OWN_HEADERS.test(name))
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

const OWN_HEADERS =
  /^(accept|authorization|content-(type|length)|cookie|host|connection|transfer-encoding)$/;

export function isDirectives(value: unknown): value is string {
  const DIRECTIVES =
    /^[\w-]+(=("[\w-]+(, *[\w-]+)*"|[\w-]+))?(, *[\w-]+(=("[\w-]+(, *[\w-]+)*"|[\w-]+))?)*$/;
  return typeof value === 'string' && DIRECTIVES.test(value);
}

/**
 * The headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) of every answer; a text that is not a date is left out.
 */
export function toDeprecationHeaders(deprecation?: Deprecation): readonly string[] {
  if (deprecation === undefined) return [];
  const { since = '', sunset = '' } = deprecation;
  const [from, until] = [Date.parse(since), Date.parse(sunset)];
  return [
    ...(Number.isNaN(from) ? [] : ['deprecation', `@${Math.floor(from / 1000)}`]),
    ...(Number.isNaN(until) ? [] : ['sunset', new Date(until).toUTCString()]),
  ];
}
