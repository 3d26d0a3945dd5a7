import type { ClientValues } from '../flags/document-flags.ts';
import { clientDocument, loadClientText } from './client/load-client-text.ts';
import { documentCommand } from './document-command.ts';

/** `capix client`: a typed client in one file. */
export default documentCommand<ClientValues>(clientDocument, (loaded, { output, standalone }) =>
  loadClientText(loaded, { file: output, isStandalone: standalone }),
);
