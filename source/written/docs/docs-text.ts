import type { OpenApiDocument } from '../../../server-runtime/openapi/openapi-document.ts';
import type { Operation } from '../../../server-runtime/registry/compile-registry.ts';
import type { OwnDocument } from '../../files/write-output.ts';
import { describeApi, toPublishedDocument } from '../../manifest/describe-api.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { toReference } from './to-reference.ts';

const DOCS_MARK =
  '<!-- Written by `capix docs`. Write it again when the API changes; do not edit it. -->';

/** The mark by which `capix docs` knows its own documents. */
export const docsDocument: OwnDocument = {
  command: 'docs',
  mark: /^<!-- Written by `capix docs`\. .*-->$/m,
};

/** The page of a project, under its own title or its name. */
export function toProjectDocsText(loaded: LoadedRegistry): string {
  const title = loaded.restOptions.docs?.title ?? loaded.project.name;
  const document = toPublishedDocument(describeApi(loaded, { title }), loaded.restOptions);
  return toDocsText(document, loaded.registry.operations);
}

/** The API as one page of Markdown. */
export function toDocsText(document: OpenApiDocument, operations: readonly Operation[]): string {
  return stripControl(`${toReference(document, operations).join('\n\n')}\n\n${DOCS_MARK}\n`);
}
