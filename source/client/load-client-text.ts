import { readTemplate } from '../files/read-template.ts';
import type { OwnDocument } from '../files/write-output.ts';
import { describeApi } from '../manifest/describe-api.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { escapeJson } from '../terminal/control/escape-json.ts';
import { generateClient } from './generate-client.ts';
import { indent } from './to-type-script.ts';

/** The first line of `templates/client/client.ts`. */
export const clientDocument: OwnDocument = { command: 'client', mark: /^\/\/ Written by `capix client` / };

/** The typed client of a project as the text of its file. */
export async function loadClientText(loaded: LoadedRegistry): Promise<string> {
  const { types, methods, dataField } = generateClient(describeApi(loaded));
  return escapeJson(await readTemplate('client/client.ts', { types, dataField, methods: indent(methods, '    ') }));
}
