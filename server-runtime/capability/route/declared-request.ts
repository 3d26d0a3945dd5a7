import { findObjectFields } from '../../schema/object-fields.ts';
import type { Schema } from '../../schema/schema.ts';

/** The places of fields of the input that are not in the path, the query or the body of a request. `Field` are the names of the input's fields. */
export interface TakesOptions<Field extends string = string> {
  /** The header of each field: `{ ifMatch: 'if-match' }`. Not `accept`, `authorization` or `content-type`, which have a meaning of their own. */
  readonly headers?: { readonly [Name in Field]?: string } | undefined;
  /** The cookie of each field: `{ session: 'sid' }`. */
  readonly cookies?: { readonly [Name in Field]?: string } | undefined;
  /**
   * Whether the body may be `application/x-www-form-urlencoded` too. A browser sends such a form from any page without asking, so that those of
   * other sites are refused with 403.
   * @default false
   */
  readonly form?: boolean | undefined;
}

/** A field of the input that a header or a cookie carries. */
export interface SentField {
  /** The name of the field. */
  readonly field: string;
  /** The part of the request. */
  readonly in: 'header' | 'cookie';
  /** The name of the header, in lower case, or of the cookie. */
  readonly name: string;
}

/** The parts of a request that a capability declares beside its route. */
export interface DeclaredRequest {
  /** The fields that headers and cookies carry. */
  readonly sent: readonly SentField[];
  /** Whether a body may be `application/x-www-form-urlencoded`. */
  readonly form: boolean;
}

export const noRequest: DeclaredRequest = { sent: [], form: false };

/** @throws TypeError for a name that cannot be, and for a field that the input has not */
export function toDeclaredRequest(
  { headers = {}, cookies = {}, form = false }: TakesOptions,
  schema: Schema | undefined,
): DeclaredRequest {
  const inHeaders = Object.entries(headers).map(([field, name = '']): SentField => {
    if (!TOKEN.test(name) || ownHeaders.has(name.toLowerCase()))
      throw new TypeError(`.takes: the field '${field}' cannot come in the header '${name}'.`);
    return { field, in: 'header', name: name.toLowerCase() };
  });
  const inCookies = Object.entries(cookies).map(([field, name = '']): SentField => {
    if (!TOKEN.test(name)) throw new TypeError(`.takes: the field '${field}' cannot come in the cookie '${name}'.`);
    return { field, in: 'cookie', name };
  });
  const sent = [...inHeaders, ...inCookies];
  const fields = findObjectFields(schema);
  for (const { field } of fields === undefined ? [] : sent)
    if (!fields?.has(field)) throw new TypeError(`.takes: the input has no field '${field}'.`);
  return { sent, form };
}

/** The characters of the names of headers and cookies. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const ownHeaders: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'content-type',
  'content-length',
  'cookie',
  'host',
  'connection',
  'transfer-encoding',
]);
