import type { PlainProps } from '../cli/command.ts';
import { writeOutput } from '../files/write-output.ts';
import type { DocumentValues } from '../flags/document-flags.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { aiContextDocument, loadAiContextText } from './load-ai-context-text.ts';

/** `capix ai-context`: what an AI assistant should know of the project, as JSON, to stdout or a file. */
export default async function aiContextCommand({
  options,
  terminal,
}: PlainProps<DocumentValues>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const text = await loadAiContextText(loaded);
  await writeOutput({
    ...options,
    terminal,
    text,
    root: loaded.project.root,
    document: aiContextDocument,
  });
}
