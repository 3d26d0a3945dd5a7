import type { OwnDocument } from '../files/write-output.ts';
import { escapeJson } from '../terminal/control/escape-json.ts';

/** The mark by which `capix openapi` knows its own documents. */
export const openApiDocument: OwnDocument = { command: 'openapi', mark: /"x-generator": "capix openapi"/ };

/** An OpenAPI document as text, with the mark of who wrote it and a line feed at its end. */
export function toDocumentText(document: object): string {
  return escapeJson(`${JSON.stringify({ ...document, 'x-generator': 'capix openapi' }, undefined, 2)}\n`);
}
