import { toJsonOutput } from '../cli/json-output.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { documentCommand, printsJson } from './document-command.ts';
import { graphqlDocument, loadGraphqlText } from './load-graphql-text.ts';

/**
 * `capix graphql`: the schema of GraphQL, sorted; with `--json` as `{schema, notes}`. What GraphQL cannot say of the
 * capabilities is written to stderr.
 */
export default documentCommand(graphqlDocument, async (loaded, options, terminal) => {
  const { text: schema, notes } = await loadGraphqlText(loaded);
  if (printsJson(options)) return toJsonOutput({ schema, notes });
  for (const { place, text } of notes) terminal.writeError(stripControl(`${place}: ${text}\n`));
  return schema;
});
