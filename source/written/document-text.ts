import type { OpenApiOptions } from '../../server-runtime/openapi/generate-openapi.ts';
import type { OwnDocument } from '../files/write-output.ts';
import type { OpenApiValues } from '../flags/document-flags.ts';
import { escapeJson } from '../terminal/strip-control.ts';

/** The mark by which `capix openapi` knows its own documents. */
export const openApiDocument: OwnDocument = {
  command: 'openapi',
  mark: /^\s*"?x-generator"?: "?capix openapi"?$/m,
};

/** What the command line says of the document. */
export function toOpenApiOptions(values: Partial<OpenApiValues>): OpenApiOptions {
  const { title, apiVersion, description, server, urlCase } = values;
  const servers = server === undefined ? undefined : [{ url: server }];
  return { title, version: apiVersion, description, servers, urlCase };
}

/** An OpenAPI document as text, with the mark of its writer and a line feed at its end. */
export function toDocumentText(document: object): string {
  return escapeJson(`${JSON.stringify(toMarked(document), undefined, 2)}\n`);
}

/** The same as YAML. */
export async function loadYamlText(document: object): Promise<string> {
  const { default: yaml } = await import('yaml');
  const options = { aliasDuplicateObjects: false, lineWidth: 0 } as const;
  const text = yaml.stringify(toMarked(document), options);
  if (escapeJson(text) === text) return text;
  // A text in quotes takes the escapes of JSON, and no other text of YAML does.
  const quoted = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' } as const;
  return escapeJson(yaml.stringify(toMarked(document), { ...options, ...quoted }));
}

function toMarked(document: object): object {
  return { ...document, 'x-generator': 'capix openapi' };
}
