import { readFile } from 'node:fs/promises';
import { createCliError } from '../cli/cli-error.ts';
import { FACTS_VERSION, findDocumentFacts } from '../document/facts.ts';
import type { SchemaJson } from '../document/schema-json.ts';
import type { CommittedFile } from './git/find-blob.ts';
import { AddressReader } from './references/address-reader.ts';
import {
  type AllowedPlaces,
  createAddressSource,
  createBlobSource,
  createFileSource,
} from './references/document-source.ts';
import {
  type DocumentSource,
  followReferences,
  type WholeDocument,
} from './references/follow-references.ts';
import { type ReadText, readAnyText } from './references/read-any-text.ts';
import { findUnread } from './references/unread.ts';
import { TooDeep } from './references/walk-document.ts';
import type { LoadSideOptions } from './side-options.ts';

type ReadOptions = Pick<LoadSideOptions, 'workingDirectory' | 'allow' | 'maxSize' | 'signal'>;

/**
 * Reads a document of JSON or YAML, with the files that it refers to.
 *
 * @throws CliError `InvalidDocument` where it cannot be read
 */
export async function readDocumentFile(
  file: string,
  label: string,
  options: ReadOptions,
): Promise<WholeDocument> {
  const text = await readAnyText(await readFile(file));
  return readWhole(text, label, createFileSource(file, toPlaces(options)));
}

/** The same of a file of a commit. @throws CliError `InvalidDocument` */
export async function readDocumentBlob(
  { path, bytes, top, readOther }: CommittedFile,
  label: string,
  options: ReadOptions,
): Promise<WholeDocument> {
  const source = createBlobSource({ path, top, readBlob: readOther, ...toPlaces(options) });
  return readWhole(await readAnyText(bytes), label, source);
}

/**
 * Reads the document at a URL, or of the server that runs there, which serves it at `/openapi.json`.
 *
 * @throws CliError `NoDocument` where there is none, `InvalidDocument` where it is one of another kind
 */
export async function readDocumentUrl(url: string, options: ReadOptions): Promise<WholeDocument> {
  const places = toPlaces(options);
  const reasons: string[] = [];
  for (const address of [url, `${url.replace(/\/+$/, '')}/openapi.json`]) {
    const answer = await places.reader.read(address, true);
    if (answer.text.kind === 'invalid') reasons.push(answer.text.reason);
    // Whoever names the URL of a document, also of Swagger, does not mean a server behind it.
    else if ('openapi' in answer.text.document || 'swagger' in answer.text.document)
      return readWhole(answer.text, url, createAddressSource(answer.url, places));
    else reasons.push('the answer is not an OpenAPI document');
  }
  throw createCliError('NoDocument', { url, reason: toReason(reasons) });
}

/**
 * The reason why there is no document. Most servers have nothing at the second address, so a 404 there is no reason.
 */
function toReason([ofUrl = '', ofServer = '']: readonly string[]): string {
  return ofServer === 'the answer is 404' ? ofUrl : ofServer;
}

function toPlaces({ workingDirectory, allow, ...options }: ReadOptions): AllowedPlaces {
  return { workingDirectory, allow, reader: new AddressReader(options) };
}

async function readWhole(
  text: ReadText,
  label: string,
  source: DocumentSource,
): Promise<WholeDocument> {
  const toInvalid = (reason: string, place = '') =>
    createCliError('InvalidDocument', { side: `${label}${place}`, reason });
  if (text.kind === 'invalid') throw toInvalid(text.reason, text.place);
  const problem = findProblem(text.document);
  if (problem !== undefined) throw toInvalid(problem);
  try {
    const { document, unread } = await followReferences(text.document, source);
    return { document, unread: [...unread, ...findUnread(document)] };
  } catch (error) {
    if (error instanceof TooDeep) throw toInvalid(error.message);
    throw error;
  }
}

/** Finds why a document cannot be compared, in words that follow its name; undefined for OpenAPI 3. */
function findProblem(document: SchemaJson): string | undefined {
  const { openapi, swagger } = document;
  const { version } = findDocumentFacts(document) ?? { version: FACTS_VERSION };
  if ('capixLock' in document || version !== FACTS_VERSION)
    return 'is a lock file that another version of capix wrote: run `capix lock` to write it again';
  if (typeof openapi === 'string' && openapi.startsWith('3.')) return undefined;
  if (swagger !== undefined)
    return (
      `is Swagger ${toVersion(swagger)}, which is older than OpenAPI 3: ` +
      '`npx swagger2openapi -o openapi.json <file>` converts it'
    );
  if (openapi !== undefined)
    return `is OpenAPI ${toVersion(openapi)}: versions 3.0 to 3.2 are read`;
  return 'is neither an OpenAPI 3 document nor a lock file';
}

/** YAML makes a number of `2.0` without quotes. */
function toVersion(version: unknown): string {
  return typeof version === 'number' ? version.toFixed(1) : JSON.stringify(version).slice(1, -1);
}
