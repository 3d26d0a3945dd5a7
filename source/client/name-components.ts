import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import type { TypeNames } from './to-type-script.ts';

/** Names that the runtime of the client and its types need for themselves. */
export const reservedNames = [
  'Answer',
  'ApiError',
  'Fields',
  'Interceptor',
  'Outgoing',
  'Reader',
  'Refusal',
  'Revive',
  'BigInt',
  'Date',
  'Sending',
  'StreamPlace',
  'Request',
  'AbortSignal',
  'AbortController',
  'DOMException',
  'Object',
  'RegExp',
  'AsyncGenerator',
  'TextDecoderStream',
  'URLSearchParams',
  'Call',
  'Operation',
  'CallOptions',
  'Client',
  'ClientOptions',
  'ErrorOf',
  'Meta',
  'OtherError',
  'Result',
  'ResultAt',
  'Route',
  'Blob',
  'Array',
  'AsyncIterable',
  'Promise',
  'Readonly',
  'Record',
  'Error',
  'FormData',
  'HeaderFields',
  'Input',
  'Response',
  'Headers',
];

/** Names of values that the runtime of the client needs for itself, and words that cannot be a name. */
export const reservedValues = (
  'accepts ask askAgain createClient findRetryAfterMs inFields inFirst inItems inTurn isApiError isFields readAnswer readBytes readError readItems ' +
  'readNone readRedirect readStream readStreamOf readText retry revived same source stays toBigInt toCall toCookies toDate toForm toFormOrJson toHeaders toKey ' +
  'toJson toJsonText toQuery toText waitFor within fetch crypto encodeURIComponent isNaN setTimeout clearTimeout globalThis undefined arguments await ' +
  'break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import ' +
  'in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'
).split(' ');

/** `users.getUser` gives `usersGetUser`. */
export function toValueName(key: string): string {
  const name = toTypeName(key);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A free name of a type for each component, by the reference to it. */
export function nameComponents({ components }: OpenApiDocument, taken: Set<string>): TypeNames {
  return new Map(
    Object.keys(components.schemas).map((name) => [
      `#/components/schemas/${name}`,
      toFreeName(toTypeName(name), taken),
    ]),
  );
}

/** `'user_list'` gives `'UserList'`. */
export function toTypeName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(joined) ? joined : `T${joined}`;
}

/** The name, or the first with a number that is not taken; it is taken then. */
export function toFreeName(wanted: string, taken: Set<string>): string {
  for (let attempt = 1; ; attempt++) {
    const name = attempt === 1 ? wanted : `${wanted}${attempt}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}
