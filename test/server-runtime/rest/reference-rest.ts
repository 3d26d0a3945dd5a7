import { z } from 'zod';
import { type ReferenceField, readReferenceQuery } from '../input/reference-input.ts';

/** A capability as the reference knows it: where it is, what it takes and whether it asks who calls. */
export interface ReferenceOperation {
  readonly method: string;
  /** `/items/:id` */
  readonly path: string;
  readonly fields: ReadonlyMap<string, ReferenceField>;
  readonly isGuarded: boolean;
}

export interface ReferenceRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string | undefined;
  readonly body: string;
  readonly isUser: boolean;
}

export interface ReferenceAnswer {
  readonly status: number;
  readonly data?: unknown;
  readonly error?: string;
}

export const MAX_BODY_SIZE = 60;

/** The contract of one request, read from top to bottom; the handler gives back its input. */
export function answerByTheContract(
  operations: readonly ReferenceOperation[],
  request: ReferenceRequest,
): ReferenceAnswer {
  const fitting = operations.filter((operation) => matchPath(operation.path, request.path) !== undefined);
  const best = Math.min(...fitting.map(({ path }) => path.split(':').length));
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const forMethod = fitting.filter((operation) => operation.method === method);
  const operation = forMethod.find(({ path }) => path.split(':').length === best) ?? forMethod[0];
  if (fitting.length === 0) return { status: 404, error: 'NotFound' };
  if (operation === undefined) return { status: 405, error: 'MethodNotAllowed' };
  const params = matchPath(operation.path, request.path) ?? {};

  const takesBody = ['POST', 'PATCH', 'PUT'].includes(method);
  const length = new TextEncoder().encode(request.body).length;
  if (takesBody && length > 0 && !isJsonType(request.contentType))
    return { status: 415, error: 'UnsupportedMediaType' };
  if (takesBody && length > MAX_BODY_SIZE) return { status: 413, error: 'PayloadTooLarge' };
  if (operation.isGuarded && !request.isUser) return { status: 401, error: 'Unauthorized' };

  const input = takesBody
    ? readBody(request.body, params, operation)
    : readReferenceQuery(request.query, params, operation.fields);
  if (input === undefined) return { status: 400, error: 'BadRequest' };
  const shape = Object.fromEntries([...operation.fields].map(([name, { schema }]) => [name, schema]));
  const valid = z.object(shape).safeParse(input);
  if (!valid.success) return { status: 400, error: 'BadRequest' };
  return { status: 200, data: JSON.parse(JSON.stringify(valid.data)) as unknown };
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
  if (type === undefined) return true;
  const [name, charset] = type.split('; charset=');
  return (
    (name === 'application/json' || (name?.startsWith('application/') === true && name.endsWith('+json'))) &&
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
  return { ...(withoutUnsafeKeys(value) as Record<string, unknown>), ...readReferenceQuery('', params, fields) };
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
