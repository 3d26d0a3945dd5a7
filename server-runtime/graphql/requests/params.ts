import { defaultErrors } from '../../errors/define-error.ts';
import { failure, type Outcome } from '../../errors/failure.ts';
import { parseJson, toTypeWords } from '../../input/safe-input.ts';

/** What a request asks for. */
export interface GraphqlParams {
  readonly query: string | undefined;
  /** The id of a document that the server knows. */
  readonly id: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
}

/** The params of a body. */
export function parseParams(body: Buffer): Outcome<GraphqlParams> {
  const parsed = parseJson(body, 'The request body');
  return parsed.ok ? toParams(parsed.value) : parsed;
}

/** The params of a URL, in which `variables` and `extensions` are JSON. */
export function parseUrlParams(url: string): Outcome<GraphqlParams> {
  const query = new URLSearchParams(url.split('?')[1]);
  const params: Record<string, unknown> = {};
  for (const [name, text] of query) {
    const isJson = name === 'variables' || name === 'extensions';
    const parsed: Outcome = isJson
      ? parseJson(Buffer.from(text), `\`${name}\``)
      : { ok: true, value: text };
    if (!parsed.ok) return parsed;
    params[name] = parsed.value;
  }
  return toParams(params);
}

/** Reads the params of a message. */
export function toParams(value: unknown): Outcome<GraphqlParams> {
  if (Array.isArray(value)) return refuse('Send one operation a request, and not a list');
  if (!isObject(value)) return refuse(`Expected a JSON object, got ${toTypeWords(value)}`);
  const fault = findFault(value);
  if (fault !== undefined) return refuse(fault);
  const { query, operationName, documentId, variables, extensions } = value;
  const { persistedQuery } = Object(extensions) as { readonly persistedQuery?: unknown };
  const { sha256Hash } = Object(persistedQuery) as { readonly sha256Hash?: unknown };
  const id = toText(documentId ?? sha256Hash);
  if (!isThere(query) && id === undefined)
    return refuse('The request names no document: it has no `query`');
  return {
    ok: true,
    value: {
      query: toText(query),
      id,
      operationName: toText(operationName),
      variables: (variables ?? undefined) as GraphqlParams['variables'],
    },
  };
}

function findFault(params: Readonly<Record<string, unknown>>): string | undefined {
  const texts = ['query', 'operationName', 'documentId'];
  const wrong = [...texts, 'variables', 'extensions'].find((name) => {
    const value = params[name];
    return isThere(value) && !(texts.includes(name) ? typeof value === 'string' : isObject(value));
  });
  if (wrong === undefined) return undefined;
  const wanted = texts.includes(wrong) ? 'a text' : 'an object';
  return `\`${wrong}\` must be ${wanted}, got ${toTypeWords(params[wrong])}`;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function refuse(message: string): Outcome<never> {
  return { ok: false, failure: failure(defaultErrors.BadRequest, message) };
}
