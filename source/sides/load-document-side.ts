import { createCliError } from '../cli/errors/cli-error.ts';
import { toDocumentContract } from './document/document-contract.ts';
import { isOpenApi, readDocumentFile, readDocumentUrl } from './document/read-document-file.ts';
import { expectCapabilities } from './expect-capabilities.ts';
import type { ContractSide } from './load-side.ts';
import { isLock, parseLock } from './lock-state.ts';
import type { SideSource } from './side-source.ts';

/** A side that runs no code of a project: a document, a running server or a lock file. */
export type DocumentSource = Extract<SideSource, { readonly kind: 'file' | 'url' }>;

/**
 * Loads a side that is read and not run.
 *
 * @throws CliError `InvalidDocument`, `NoDocument`, `EmptySide`
 */
export async function loadDocumentSide(source: DocumentSource): Promise<ContractSide> {
  const side = source.kind === 'file' ? await loadFile(source.label, source.file) : await loadUrl(source);
  expectCapabilities(side.manifest, source.label);
  return side;
}

async function loadUrl({ label, url }: Extract<DocumentSource, { readonly kind: 'url' }>): Promise<ContractSide> {
  return { label, manifest: toDocumentContract(await readDocumentUrl(url), label), isDocument: true };
}

async function loadFile(label: string, file: string): Promise<ContractSide> {
  const document = await readDocumentFile(file, label);
  if (isLock(document)) {
    const manifest = parseLock(document, label);
    if (manifest !== undefined) return { label, manifest, isDocument: false };
    throw createCliError('InvalidDocument', { side: label, reason: 'is a lock file of another version of capix' });
  }
  if (isOpenApi(document)) return { label, manifest: toDocumentContract(document, label), isDocument: true };
  const reason = 'is neither an OpenAPI 3 document nor a lock file';
  throw createCliError('InvalidDocument', { side: label, reason });
}
