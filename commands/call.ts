import * as z from 'zod';
import { command } from '../source/app/define-command.ts';
import { callerOptions, commonOptions, option } from '../source/cli/common-options.ts';

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
  options: {
    ...commonOptions,
    header: callerOptions.header,
    url: option.text('Server to call over HTTP', 'url'),
    server: option.flag('Call the server of capix dev that runs in this project'),
    ws: option.flag('Call that server over its WebSocket'),
    timeout: option.number(
      'Longest silence of a call (of a server: 60)',
      'seconds',
      z.number().positive(),
    ),
    context: callerOptions.context,
    answer: option.list(
      'Answer to what the capability asks its user, once or more',
      'json | decline | cancel',
    ),
    fields: option.flag('List the fields of the capability, which are flags'),
    all: option.flag('Make every saved call, and exit with 1 where one is not as expected'),
    environment: option.text('Environment of the settings that saved calls go to', 'name'),
    format: option.choice(
      ['junit'],
      'Print the results of saved calls as a report for CI',
      'format',
    ),
  },
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
