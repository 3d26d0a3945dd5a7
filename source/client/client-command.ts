import type { PlainProps } from '../cli/command.ts';
import type { DocumentValues } from '../cli/common-options.ts';
import { writeOutput } from '../files/write-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { clientDocument, loadClientText } from './load-client-text.ts';

export interface ClientCommandOptions extends DocumentValues {
  readonly standalone?: boolean | undefined;
}

/** `capix client`: a typed client in one file. */
export default async function clientCommand({
  options,
  terminal,
}: PlainProps<ClientCommandOptions>): Promise<void> {
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
