import { command } from '../source/app/define-command.ts';
import { clientFlags } from '../source/flags/document-flags.ts';

export default command({
  summary: 'Write a typed client that calls the API with fetch',
  group: 'Generate',
  page: 'client.md',
  examples: [
    'capix client --output src/client.ts',
    'capix client --output web/client.ts --standalone',
  ],
  options: clientFlags,
  plain: () => import('../source/written/client-command.ts'),
});
