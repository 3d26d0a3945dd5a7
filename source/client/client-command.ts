import type { PlainProps } from '../cli/command.ts';
import { toFreshCheck } from '../files/expect-fresh.ts';
import { readTemplate } from '../files/read-template.ts';
import { type OwnDocument, writeOutput } from '../files/write-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { describeApi } from '../manifest/describe-api.ts';
import { escapeJson } from '../terminal/control/escape-json.ts';
import { generateClient } from './generate-client.ts';
import { indent } from './to-type-script.ts';

export interface ClientCommandOptions {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly output?: string | undefined;
  readonly force: boolean;
  readonly check: boolean;
  readonly json: boolean;
}

/** The first line of `templates/client/client.ts`. */
const clientDocument: OwnDocument = { command: 'client', mark: /^\/\/ Written by `capix client` / };

/** `capix client`: a typed client in one file without dependencies. */
export default async function clientCommand({ options, terminal }: PlainProps<ClientCommandOptions>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const { types, methods, dataField } = generateClient(describeApi(loaded));
  const text = await readTemplate('client/client.ts', { types, dataField, methods: indent(methods, '    ') });
  const { output, force, json } = options;
  await writeOutput({
    terminal,
    output,
    text: escapeJson(text),
    root: loaded.project.root,
    document: clientDocument,
    force,
    check: toFreshCheck('src/client.ts', 'client', options),
    asJson: json,
  });
}
