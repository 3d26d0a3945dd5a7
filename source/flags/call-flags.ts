import * as z from 'zod';
import { callerOptions, commonOptions, type OptionValues, option } from '../cli/common-options.ts';

/** The options of `capix call`. */
export const callFlags = {
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
  format: option.choice(['junit'], 'Print the results of saved calls as a report for CI', 'format'),
};

export type CallValues = OptionValues<typeof callFlags>;
