import type { PlainProps } from '../cli/command.ts';
import type { DocumentValues } from '../cli/common-options.ts';
import { writeOutput } from '../files/write-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { describeApi, toPublishedDocument } from '../manifest/describe-api.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { loadYamlText, openApiDocument, toDocumentText } from './document-text.ts';

export interface OpenApiCommandOptions extends DocumentValues {
  /** @default that of the file's name, else json */
  readonly format?: 'json' | 'yaml' | undefined;
  readonly title?: string | undefined;
  readonly apiVersion?: string | undefined;
  readonly description?: string | undefined;
  readonly server?: string | undefined;
  readonly urlCase?: 'kebab' | 'camel' | 'snake' | undefined;
}

/** `capix openapi`: the document, to stdout or a file. */
export default async function openapiCommand({
  options,
  terminal,
}: PlainProps<OpenApiCommandOptions>): Promise<void> {
  const { title, apiVersion, description, server, urlCase, output } = options;
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const servers = server === undefined ? undefined : [{ url: server }];
  const api = describeApi(loaded, { title, version: apiVersion, description, servers, urlCase });
  const document = toPublishedDocument(api, loaded.restOptions);
  const format = options.format ?? (/\.ya?ml$/i.test(output ?? '') ? 'yaml' : 'json');
  if (api.guessedNames.length > 0) terminal.writeError(toGuessedText(api.guessedNames));
  const text = format === 'yaml' ? await loadYamlText(document) : toDocumentText(document);
  await writeOutput({
    ...options,
    terminal,
    text,
    root: loaded.project.root,
    document: openApiDocument,
  });
}

/** Generators name types after components, so that a name which moves breaks the code of callers. */
function toGuessedText(names: readonly string[]): string {
  const [first = ''] = names;
  const hint = `Give their schemas names that stay: .meta({ id: '${first}' }).`;
  return stripControl(`Named after where they occur first: ${names.join(', ')}. ${hint}\n`);
}
