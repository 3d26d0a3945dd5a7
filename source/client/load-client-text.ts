import type { OwnDocument } from '../files/write-output.ts';
import { describeApi } from '../manifest/describe-api.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { renderClient } from './render-client.ts';

/** The first line of `templates/client/client.ts`. */
export const clientDocument: OwnDocument = { command: 'client', mark: /^\/\/ Written by `capix client` / };

/** The typed client of a project as the text of its file. */
export function loadClientText(loaded: LoadedRegistry): Promise<string> {
  return renderClient(describeApi({ ...loaded, jobs: undefined }));
}
