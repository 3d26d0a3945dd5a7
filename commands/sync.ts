import { command } from '../source/app/define-command.ts';
import { commonOptions } from '../source/cli/common-options.ts';

export default command({
  summary: 'Write stale files again that capix has written',
  group: 'Generate',
  details:
    'Finds the documents, clients, pages and contexts in the project by the mark that capix leaves in them, and ' +
    'writes those again that `capix check` calls stale. It touches no other file; `capix lock` writes the lock file.',
  page: 'gate.md',
  examples: ['capix sync'],
  options: commonOptions,
  plain: () => import('../source/written/sync-command.ts'),
});
