import type { OwnDocument } from '../files/write-output.ts';
import { escapeJson } from '../terminal/strip-control.ts';

/** The mark by which `capix openapi` knows its own documents. */
export const openApiDocument: OwnDocument = {
  command: 'openapi',
  mark: /^\s*"?x-generator"?: "?capix openapi"?$/m,
};

/** An OpenAPI document as text, with the mark of its writer and a line feed at its end. */
export function toDocumentText(document: object): string {
  return escapeJson(`${JSON.stringify(toMarked(document), undefined, 2)}\n`);
}

/** The same as YAML. */
export async function loadYamlText(document: object): Promise<string> {
  const { default: yaml } = await import('yaml');
  return yaml.stringify(toMarked(document), { aliasDuplicateObjects: false, lineWidth: 0 });
}

function toMarked(document: object): object {
  return { ...document, 'x-generator': 'capix openapi' };
}
