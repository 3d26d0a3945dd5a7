import { command } from '../source/app/define-command.ts';
import { option } from '../source/cli/common-options.ts';
import { callFlags } from '../source/flags/call-flags.ts';

export default command({
  summary: 'Call a capability without a server',
  group: 'Inspect',
  details:
    'Runs guards, validation and handler in this process, with a stub context. Fields of the input are flags: ' +
    '--id 1, --tag a --tag b, --address.city Rome; a value @file is the text of a file, - that of stdin. ' +
    '@name makes the call of calls/name.json, --all makes all of them: docs/saved-calls.md.',
  usage: '<capability | @saved> [input] [--field value ...]',
  takesFlags: true,
  page: 'saved-calls.md',
  examples: [
    'capix call items.createItem --name Pen --tag new --tag blue',
    "capix call items.getItem --id 1 --server -H 'authorization: Bearer abc'",
    'capix call --all --environment staging --format junit > report.xml',
  ],
  options: callFlags,
  args: [
    option.operand('capability', 'Key, such as `items.getItem`, or @name of a saved call'),
    option.operand('input', 'JSON, @file, or - for stdin (default: {})'),
  ],
  plain: () => import('../source/call/call-command.ts'),
  // A user who names fields, headers or a server has nothing to fill in.
  isComplete: ({ options: { config, envFile, json, plain, ...others }, words }) =>
    Object.values(others).flat().some(Boolean) ||
    (words[0] ?? '@').startsWith('@') ||
    words.slice(1).some((word) => /^(--|@)/.test(word)),
  // Paths on the command line are from where it is typed.
  opens: ([key = '', input]) => ({ screen: 'call', key, input, folder: process.cwd() }),
});
