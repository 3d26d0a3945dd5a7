import { z } from 'zod';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { type ReferenceField, readReferenceQuery } from '../input/reference-input.ts';

/** A capability as the reference knows it: where it is, what it takes, whether it asks who calls, and what comes of it. */
export interface ReferenceOperation {
  readonly method: string;
  /** `/items/:id` */
  readonly path: string;
  readonly fields: ReadonlyMap<string, ReferenceField>;
  readonly isGuarded: boolean;
  readonly ending: Ending;
}

/** How a handler ends: with its input, with something else, or by throwing. */
export type Ending = 'input' | 'nothing' | 'reply' | 'refusal' | 'fault' | 'thrown text';

export interface ReferenceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string | undefined;
  readonly body: string;
  readonly isUser: boolean;
  /** As it is sent; undefined for none. */
  readonly requestId: string | undefined;
}

/** What a caller sees, but for the words in which a body is refused. */
export interface ReferenceAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly allow?: string;
  readonly made?: string;
}

export const MAX_BODY_SIZE = 60;

/** The contract of one request, read from top to bottom. */
export async function answerByTheContract(
  operations: readonly ReferenceOperation[],
  request: ReferenceRequest,
): Promise<ReferenceAnswer> {
  const fitting = operations.filter(
    (operation) => matchPath(operation.path, request.path) !== undefined,
  );
  const best = Math.min(...fitting.map(({ path }) => path.split(':').length));
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const forMethod = fitting.filter((operation) => operation.method === method);
  const operation = forMethod.find(({ path }) => path.split(':').length === best) ?? forMethod[0];
  const allow = toAllow(fitting.map((each) => each.method));
  if (method === 'OPTIONS')
    return { status: 204, body: undefined, ...(fitting.length === 0 ? {} : { allow }) };
  if (fitting.length === 0) return refuse(404, 'NotFound', { message: 'Not found' });
  if (operation === undefined)
    return { ...refuse(405, 'MethodNotAllowed', { message: 'Method not allowed' }), allow };
  const params = matchPath(operation.path, request.path) ?? {};

  const takesBody = ['POST', 'PATCH', 'PUT'].includes(method);
  const length = new TextEncoder().encode(request.body).length;
  if (takesBody && length > 0 && !isJsonType(request.contentType))
    return refuse(415, 'UnsupportedMediaType');
  if (takesBody && length > MAX_BODY_SIZE) return refuse(413, 'PayloadTooLarge');
  if (operation.isGuarded && !request.isUser)
    return refuse(401, 'Unauthorized', { message: 'Unauthorized' });

  const input = takesBody
    ? readBody(request.body, params, operation)
    : readReferenceQuery(request.query, params, operation.fields);
  if (input === undefined) return refuse(400, 'BadRequest');
  const shape = Object.fromEntries(
    [...operation.fields].map(([name, { schema }]) => [name, schema]),
  );
  const valid = await z.object(shape).safeParseAsync(structuredClone(input));
  if (!valid.success)
    return refuse(
      400,
      'BadRequest',
      toProblems(valid.error.issues, input, [...operation.fields.keys()]),
    );
  return end(operation.ending, valid.data);
}

/** What a caller sees of an answer that was sent, to be compared with the reference. */
export function toComparable(
  status: number,
  headers: ReadonlyMap<string, string>,
  text: string,
): ReferenceAnswer {
  const body = text === '' ? undefined : (JSON.parse(text) as { error?: string; message?: string });
  const [allow, made] = [headers.get('allow'), headers.get('x-made')];
  const isReworded =
    body?.message !== undefined && /^(The request body|Charset|Content type)/.test(body.message);
  return {
    status,
    body: isReworded ? { error: body.error } : body,
    ...(allow === undefined ? {} : { allow: toSorted(allow) }),
    ...(made === undefined ? {} : { made }),
  };
}

function end(ending: Ending, input: unknown): ReferenceAnswer {
  const answer = (data: unknown): ReferenceAnswer => ({
    status: 200,
    body: JSON.parse(JSON.stringify({ data })) as unknown,
  });
  switch (ending) {
    case 'input':
      return answer(input);
    case 'nothing':
      return answer(null);
    case 'reply':
      return { ...answer(input), status: 201, made: 'yes' };
    case 'refusal':
      return refuse(418, 'Teapot', { message: 'Short and stout', meta: { handle: 'left' } });
    case 'fault':
    case 'thrown text':
      return refuse(500, 'Internal', { message: 'Internal server error' });
  }
}

function refuse(status: number, error: string, more: object = {}): ReferenceAnswer {
  return { status, body: { error, ...more } };
}

function toAllow(methods: readonly string[]): string {
  return toSorted(
    `${[...new Set(methods)].join(', ')}, OPTIONS${methods.includes('GET') ? ', HEAD' : ''}`,
  );
}

/** The order of methods in a list says nothing. */
function toSorted(list: string): string {
  return list.split(', ').sort().join(', ');
}

function toProblems(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  names: readonly string[],
): object {
  const wrong = issues.map(({ path, message, code }) => {
    const received = path.reduce(
      (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
      input,
    );
    return { path: path.join('.'), message, code, ...toReceived(received) };
  });
  const isMissing = issues.some(
    ({ path: [name], path }) => path.length === 1 && !Object.hasOwn(Object(input), name!),
  );
  const fields: readonly { readonly path: string; readonly message: string }[] = [
    ...wrong,
    ...(isMissing ? toStrangers(input as Record<string, unknown>, names) : []),
  ];
  return {
    message: 'Input validation failed',
    meta: { issues: fields.map(({ path, message }) => `${path}: ${message}`), fields },
  };
}

/** Fields that nobody asked for, beside one that is missing. */
function toStrangers(input: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const strangers = Object.entries(input).filter(([name]) => !names.includes(name));
  return strangers.slice(0, 5).map(([path, received]) => {
    const nearest = findNearest(path, names);
    const advice =
      nearest === undefined ? `The fields are ${names.join(', ')}.` : `Did you mean ${nearest}?`;
    return {
      path,
      message: `There is no such field. ${advice}`,
      code: 'unknown_key',
      ...toReceived(received),
    };
  });
}

/** Objects and lists are not repeated. */
function toReceived(received: unknown): object {
  return received === undefined || (typeof received === 'object' && received !== null)
    ? {}
    : { received };
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/').filter((segment) => segment !== '');
  const given = path.split('/').filter((segment) => segment !== '');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    const text = decodeURIComponent(given[at] ?? '');
    if (segment.startsWith(':')) params[segment.slice(1)] = text;
    else if (segment !== text) return undefined;
  }
  return params;
}

function isJsonType(type: string | undefined): boolean {
  if (type === undefined) return false;
  const [name, charset] = type.split('; charset=');
  return (
    (name === 'application/json' ||
      (name?.startsWith('application/') === true && name.endsWith('+json'))) &&
    (charset === undefined || charset === 'utf-8')
  );
}

function readBody(
  body: string,
  params: Record<string, string>,
  { fields }: ReferenceOperation,
): Record<string, unknown> | undefined {
  let value: unknown = {};
  try {
    if (body !== '') value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return {
    ...(withoutUnsafeKeys(value) as Record<string, unknown>),
    ...readReferenceQuery('', params, fields),
  };
}

function withoutUnsafeKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutUnsafeKeys);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !['__proto__', 'constructor', 'prototype'].includes(key))
      .map(([key, inner]) => [key, withoutUnsafeKeys(inner)]),
  );
}
