import { argument } from 'pastel';
import * as z from 'zod';
import { command } from '../source/app/define-command.ts';

const shells = z.enum(['bash', 'zsh', 'fish', 'words']);

export default command({
  summary: 'Teach a shell to complete commands, capabilities, fields and saved calls',
  group: 'Project',
  details:
    'Prints a script for the shell. It asks capix for every completion: of commands and their options, of the ' +
    'capabilities of the project, of the fields of their inputs as flags, of the values of enums, and of saved calls.',
  usage: '<bash | zsh | fish>',
  page: 'commands.md',
  examples: [
    'capix completion bash >> ~/.bashrc',
    'capix completion zsh >> ~/.zshrc',
    'capix completion fish > ~/.config/fish/completions/capix.fish',
  ],
  args: [shells.describe(argument({ name: 'shell', description: 'bash, zsh or fish' }))],
  plain: () => import('../source/completion/completion-command.ts'),
});
