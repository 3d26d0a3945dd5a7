import type { PlainProps } from '../cli/command.ts';
import { writeOutput } from '../files/write-output.ts';
import type { ClientValues } from '../flags/document-flags.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { clientDocument, loadClientText } from './load-client-text.ts';

/** `capix client`: a typed client in one file. */
export default async function clientCommand({
  options,
  terminal,
}: PlainProps<ClientValues>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const text = await loadClientText(loaded, {
    file: options.output,
    isStandalone: options.standalone,
  });
  await writeOutput({
    ...options,
    terminal,
    text,
    root: loaded.project.root,
    document: clientDocument,
  });
}
