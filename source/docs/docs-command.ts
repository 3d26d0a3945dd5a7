import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { writeOutput } from '../files/write-output.ts';
import type { DocumentValues } from '../flags/document-flags.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { docsDocument, toProjectDocsText } from './docs-text.ts';

/** `capix docs`: Markdown, to stdout or a file; with `--json` as `{markdown}`. */
export default async function docsCommand({
  options,
  terminal,
}: PlainProps<DocumentValues>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const markdown = toProjectDocsText(loaded);
  const isDocument = options.json && options.output === undefined;
  const text = isDocument ? toJsonOutput({ markdown }) : markdown;
  await writeOutput({
    ...options,
    terminal,
    text,
    root: loaded.project.root,
    document: docsDocument,
  });
}
