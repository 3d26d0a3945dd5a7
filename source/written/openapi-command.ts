import type { OpenApiValues } from '../flags/document-flags.ts';
import { describeApi, toPublishedDocument } from '../manifest/describe-api.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { documentCommand } from './document-command.ts';
import {
  loadYamlText,
  openApiDocument,
  toDocumentText,
  toOpenApiOptions,
} from './document-text.ts';

/** `capix openapi`: the document, as JSON or YAML. */
export default documentCommand<OpenApiValues>(openApiDocument, (loaded, options, terminal) => {
  const api = describeApi(loaded, toOpenApiOptions(options));
  const document = toPublishedDocument(api, loaded.restOptions);
  const format = options.format ?? (/\.ya?ml$/i.test(options.output ?? '') ? 'yaml' : 'json');
  if (api.guessedNames.length > 0) terminal.writeError(toGuessedText(api.guessedNames));
  return format === 'yaml' ? loadYamlText(document) : toDocumentText(document);
});

/** Generators name types after components, so that a name which moves breaks the code of callers. */
function toGuessedText(names: readonly string[]): string {
  const [first = ''] = names;
  const hint = `Give their schemas names that stay: .meta({ id: '${first}' }).`;
  return stripControl(`Named after where they occur first: ${names.join(', ')}. ${hint}\n`);
}
