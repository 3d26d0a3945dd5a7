import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { writeOutput } from '../files/write-output.ts';
import type { DocumentValues } from '../flags/document-flags.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { graphqlDocument, loadGraphqlText } from './load-graphql-text.ts';

/**
 * `capix graphql`: the schema of GraphQL, sorted, to stdout or a file; with `--json` as `{schema, notes}`. What GraphQL
 * cannot say of the capabilities is written to stderr.
 */
export default async function graphqlCommand({
  options,
  terminal,
}: PlainProps<DocumentValues>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const { text: schema, notes } = await loadGraphqlText(loaded);
  const isDocument = options.json && options.output === undefined;
  if (!isDocument)
    for (const { place, text } of notes) terminal.writeError(stripControl(`${place}: ${text}\n`));
  await writeOutput({
    ...options,
    terminal,
    text: isDocument ? toJsonOutput({ schema, notes }) : schema,
    root: loaded.project.root,
    document: graphqlDocument,
  });
}
