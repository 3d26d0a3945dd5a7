import type { OpenApiDocument } from '../http/document/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import { toHtmlPage } from './html-page.ts';
import { toReference } from './to-reference.ts';

/** A page or a file of it, to be served at a path. */
export interface DocsFile {
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** The reference of an API where no renderer is installed. */
export function toPlainPages(document: OpenApiDocument, operations: readonly Operation[]): readonly DocsFile[] {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const headers = ['content-type', 'text/html; charset=utf-8', 'content-security-policy', policy];
  return [{ path: 'docs', headers, body: toHtmlPage(document.info.title, toReference(document, operations)) }];
}
