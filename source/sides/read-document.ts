import { readFile } from 'node:fs/promises';
import { createCliError } from '../cli/cli-error.ts';
import { isSchemaObject, type SchemaJson } from '../document/schema-json.ts';

/**
 * Reads a file of JSON or YAML.
 *
 * @throws CliError `InvalidDocument` where it cannot be read
 */
export async function readDocumentFile(file: string, label: string): Promise<SchemaJson> {
  const text = await readFile(file, 'utf8');
  const document = await parseText(text);
  if (document !== undefined) return document;
  const isMerge = /^(<<<<<<<|>>>>>>>) /m.test(text);
  const reason = isMerge
    ? 'has the marks of a merge: `capix lock` writes a lock file anew'
    : 'is neither JSON nor YAML';
  throw createCliError('InvalidDocument', { side: label, reason });
}

/** Milliseconds. */
const TIMEOUT_MS = 20_000;

/**
 * Reads the document at a URL, or of the server that runs there, which serves it at `/openapi.json`.
 *
 * @throws CliError `NoDocument` where there is none
 */
export async function readDocumentUrl(url: string): Promise<SchemaJson> {
  let reason = 'the answer is not an OpenAPI document';
  for (const place of [url, `${url.replace(/\/+$/, '')}/openapi.json`]) {
    try {
      const response = await fetch(place, {
        headers: { accept: 'application/json, application/yaml' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const document = response.ok ? await parseText(await response.text()) : undefined;
      if (document !== undefined && isOpenApi(document)) return document;
      if (!response.ok) reason = `the answer is ${response.status}`;
    } catch (error) {
      const { message, cause } = error as Error;
      reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
    }
  }
  throw createCliError('NoDocument', { url, reason });
}

export function isOpenApi({ openapi }: SchemaJson): boolean {
  return typeof openapi === 'string' && openapi.startsWith('3.');
}

/** An object of JSON or YAML; undefined where it is none. */
async function parseText(text: string): Promise<SchemaJson | undefined> {
  try {
    const value: unknown = /^\s*\{/.test(text)
      ? JSON.parse(text)
      : (await import('yaml')).default.parse(text);
    return isSchemaObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
