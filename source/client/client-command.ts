import { dirname, relative, resolve } from 'node:path';
import type { PlainProps } from '../cli/command.ts';
import type { DocumentValues } from '../cli/common-options.ts';
import { usageError } from '../cli/errors/cli-error.ts';
import { toFreshCheck } from '../files/expect-fresh.ts';
import { readTemplate } from '../files/read-template.ts';
import { writeOutput } from '../files/write-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { clientDocument, loadClientText, loadFileText } from './load-client-text.ts';

export interface ClientCommandOptions extends DocumentValues {
  /** The file for the options of TanStack Query, beside the client. */
  readonly queries?: string | undefined;
}

/** `capix client`: a typed client in one file without dependencies. */
export default async function clientCommand({ options, terminal }: PlainProps<ClientCommandOptions>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const text = await loadClientText(loaded, options.output);
  const { output, force, json } = options;
  const to = { terminal, root: loaded.project.root, document: clientDocument, force, asJson: json };
  const check = toFreshCheck('src/client.ts', 'client', options);
  if (options.queries !== undefined) {
    const queries = await readTemplate('client/queries.ts', { client: toSpecifier(options.queries, output) });
    const queriesText = await loadFileText(queries, options.queries);
    await writeOutput({ ...to, output: options.queries, text: queriesText, check, asJson: false });
  }
  await writeOutput({ ...to, output, text, check });
}

/** The module of the client as the other file imports it: `./client.js`. */
function toSpecifier(from: string, client: string | undefined): string {
  if (client === undefined) throw usageError('--queries needs --output, the file of the client.');
  const path = relative(dirname(resolve(from)), resolve(client))
    .replaceAll('\\', '/')
    .replace(/\.([cm]?)ts$/, '.$1js');
  return path.startsWith('.') ? path : `./${path}`;
}
