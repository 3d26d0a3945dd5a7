import type { PlainProps } from '../cli/command.ts';
import { writeOutput } from '../files/write-output.ts';
import type { OpenApiValues } from '../flags/document-flags.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { describeApi, toPublishedDocument } from '../manifest/describe-api.ts';
import { stripControl } from '../terminal/strip-control.ts';
import {
  loadYamlText,
  openApiDocument,
  toDocumentText,
  toOpenApiOptions,
} from './document-text.ts';

/** `capix openapi`: the document, to stdout or a file. */
export default async function openapiCommand({
  options,
  terminal,
}: PlainProps<OpenApiValues>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const api = describeApi(loaded, toOpenApiOptions(options));
  const document = toPublishedDocument(api, loaded.restOptions);
  const format = options.format ?? (/\.ya?ml$/i.test(options.output ?? '') ? 'yaml' : 'json');
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
