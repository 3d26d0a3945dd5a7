import * as z from 'zod';
import { command, describeCommand } from '../source/cli/command.ts';
import { commonOptions } from '../source/cli/common-options.ts';

export const description = describeCommand({
  summary: 'Write stale files again that capix has written',
  group: 'Generate',
  details:
    'Finds the documents, clients, pages and contexts in the project by the mark that capix leaves in them, and ' +
    'writes those again that ' +
    '`capix check` calls stale. It touches no other file; `capix lock` writes the lock file.',
  examples: ['capix sync'],
});

export const options = z.object(commonOptions);

export default command({ options, plain: () => import('../source/app/sync-command.ts') });
