import { command } from '../source/app/define-command.ts';
import { documentOptions, option } from '../source/cli/common-options.ts';

export default command({
  summary: 'Write a typed client that calls the API with fetch',
  group: 'Generate',
  page: 'client.md',
  examples: [
    'capix client --output src/client.ts',
    'capix client --output web/client.ts --standalone',
  ],
  options: {
    ...documentOptions,
    standalone: option.flag(
      "Carry the runtime in the file, in place of importing it from 'capix/client'",
    ),
  },
  plain: () => import('../source/client/client-command.ts'),
});
