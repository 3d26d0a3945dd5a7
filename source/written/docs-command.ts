import { toJsonOutput } from '../cli/json-output.ts';
import { docsDocument, toProjectDocsText } from './docs/docs-text.ts';
import { documentCommand, printsJson } from './document-command.ts';

/** `capix docs`: Markdown; with `--json` as `{markdown}`. */
export default documentCommand(docsDocument, (loaded, options) => {
  const markdown = toProjectDocsText(loaded);
  return printsJson(options) ? toJsonOutput({ markdown }) : markdown;
});
