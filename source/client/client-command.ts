import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PlainProps } from '../cli/command.ts';
import type { DocumentValues } from '../cli/common-options.ts';
import { usageError } from '../cli/errors/cli-error.ts';
import { toFreshCheck } from '../files/expect-fresh.ts';
import { readTemplate } from '../files/read-template.ts';
import { writeOutput } from '../files/write-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { findTypesModule, isFileModule, toSpecifier, toTypesWords } from './find-types-module.ts';
import { clientDocument, loadClientText, loadFileText } from './load-client-text.ts';

export interface ClientCommandOptions extends DocumentValues {
  /** The file for the options of TanStack Query, beside the client. */
  readonly queries?: string | undefined;
  /** The module whose types stand for answers that are not declared: a file, or the name by which the client imports it. */
  readonly typesFrom?: string | undefined;
}

/** `capix client`: a typed client in one file, without dependencies unless it takes the types of the project. */
export default async function clientCommand({ options, terminal }: PlainProps<ClientCommandOptions>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const { output, force, json } = options;
  const typesModule = await loadTypesModule(options);
  const text = await loadClientText(loaded, { file: output, typesModule });
  const to = { terminal, root: loaded.project.root, document: clientDocument, force, asJson: json };
  const fresh = toFreshCheck('src/client.ts', 'client', options);
  const words = toTypesWords(output ?? 'src/client.ts', typesModule);
  const check = fresh && { ...fresh, command: [...fresh.command, ...words] };
  if (options.queries !== undefined) {
    const queries = await readTemplate('client/queries.ts', { client: toClientSpecifier(options.queries, output) });
    const queriesText = await loadFileText(queries, options.queries);
    await writeOutput({ ...to, output: options.queries, text: queriesText, check, asJson: false });
  }
  await writeOutput({ ...to, output, text, check });
}

/** The module of the client as the other file imports it: `./client.js`. */
function toClientSpecifier(from: string, client: string | undefined): string {
  if (client === undefined) throw usageError('--queries needs --output, the file of the client.');
  return toSpecifier(from, client);
}

/** The module as the client imports it. A client that is only looked at says itself which it is. */
async function loadTypesModule({ typesFrom, output, check }: ClientCommandOptions): Promise<string | undefined> {
  if (typesFrom === undefined) {
    const before = check ? readFile(resolve(output ?? 'src/client.ts'), 'utf8') : Promise.resolve('');
    return findTypesModule(await before.catch(() => ''));
  }
  if (!isFileModule(typesFrom)) return typesFrom;
  if (output === undefined)
    throw usageError('--types-from needs --output, the file of the client, to lead from there to a file.');
  return toSpecifier(output, typesFrom);
}
