import { readFile } from 'node:fs/promises';
import { createCliError } from '../cli/cli-error.ts';
import type { SchemaJson } from '../document/schema-json.ts';
import { readAnyText } from './read-any-text.ts';

/**
 * Reads a file of JSON or YAML.
 *
 * @throws CliError `InvalidDocument` where it cannot be read
 */
export async function readDocumentFile(file: string, label: string): Promise<SchemaJson> {
  return readDocument(await readFile(file), label);
}

/** @throws CliError `InvalidDocument` of what is neither JSON nor YAML */
export async function readDocument(bytes: Uint8Array, label: string): Promise<SchemaJson> {
  const parsed = await readAnyText(bytes);
  if (parsed.kind === 'document') return parsed.document;
  throw createCliError('InvalidDocument', {
    side: `${label}${parsed.place}`,
    reason: parsed.reason,
  });
}

/** Milliseconds. */
const TIMEOUT_MS = 20_000;
const BYTES_IN_MIB = 1024 * 1024;
const DEFAULT_MAX_MIB = 64;

/**
 * Reads the document at a URL, or of the server that runs there, which serves it at `/openapi.json`. `maxSize` is in
 * MiB.
 *
 * @throws CliError `NoDocument` where there is none, `InvalidDocument` where it is one of another kind
 */
export async function readDocumentUrl(
  url: string,
  { maxSize = DEFAULT_MAX_MIB }: { readonly maxSize?: number | undefined } = {},
): Promise<SchemaJson> {
  const reasons: string[] = [];
  for (const place of [url, `${url.replace(/\/+$/, '')}/openapi.json`]) {
    const found = await fetchDocument(place, maxSize);
    if (found.kind === 'document') {
      const problem = findProblem(found.document);
      if (problem === undefined) return found.document;
      // Who wrote `swagger` or `openapi` meant this document, and no server around it.
      if ('swagger' in found.document || 'openapi' in found.document)
        throw createCliError('InvalidDocument', { side: url, reason: problem });
      reasons.push('the answer is not an OpenAPI document');
    } else reasons.push(found.reason);
  }
  throw createCliError('NoDocument', { url, reason: toReason(reasons) });
}

/** Most servers have nothing at the second place, which says nothing of the one that was named. */
function toReason([ofUrl = '', ofServer = '']: readonly string[]): string {
  return ofServer === 'the answer is 404' ? ofUrl : ofServer;
}

type Fetched =
  | { readonly kind: 'document'; readonly document: SchemaJson }
  | { readonly kind: 'none'; readonly reason: string };

async function fetchDocument(url: string, maxSize: number): Promise<Fetched> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json, application/yaml' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { kind: 'none', reason: `the answer is ${response.status}` };
    }
    const bytes = await readWithin(response, maxSize * BYTES_IN_MIB);
    if (bytes === undefined)
      return {
        kind: 'none',
        reason: `the answer is larger than ${maxSize} MiB, which --max-size allows`,
      };
    const parsed = await readAnyText(bytes);
    if (parsed.kind === 'document') return parsed;
    const reason = `the answer is not an OpenAPI document (${parsed.place.replace(/^:/, '')} ${parsed.reason})`;
    return { kind: 'none', reason };
  } catch (error) {
    const { message, cause } = error as Error;
    const isTold = cause instanceof Error && cause.message !== '';
    return { kind: 'none', reason: isTold ? cause.message : message };
  }
}

/** The bytes of an answer; undefined of one that has more than `maxBytes`, whose rest is not read. */
async function readWithin(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the answer.
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Why a document cannot be compared, to follow its name; undefined of OpenAPI 3. */
export function findProblem({ openapi, swagger }: SchemaJson): string | undefined {
  if (typeof openapi === 'string' && openapi.startsWith('3.')) return undefined;
  if (swagger !== undefined)
    return `is Swagger ${toVersion(swagger)}, which is older than OpenAPI 3: \`npx swagger2openapi -o openapi.json <file>\` converts it`;
  if (openapi !== undefined)
    return `is OpenAPI ${toVersion(openapi)}: versions 3.0 to 3.2 are read`;
  return 'is neither an OpenAPI 3 document nor a lock file';
}

/** YAML makes a number of `2.0` without quotes. */
function toVersion(version: unknown): string {
  return typeof version === 'number' ? version.toFixed(1) : JSON.stringify(version).slice(1, -1);
}
