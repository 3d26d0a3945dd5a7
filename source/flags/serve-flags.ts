import * as z from 'zod';
import {
  commonOptions,
  nodeOption,
  type OptionValues,
  option,
  portNumber,
  secondsNumber,
} from '../cli/common-options.ts';

/** The options of `capix dev`. */
export const devFlags = {
  port: option.number("Port in place of the server's own; 0 takes a free one", 'port', portNumber),
  host: option.text('Address to listen at (default: this machine only)', 'address'),
  open: option.flag('Open the server in the browser'),
  inspect: option.flag('Let a debugger connect, on port 9229'),
  inspectWait: option.flag('Let a debugger connect, and wait for it'),
  inspectBrk: option.flag('Let a debugger connect, wait for it, and pause in the first file'),
  inspectPort: option.number('Let a debugger connect on this port', 'port', portNumber),
  nodeOption,
  stopFirst: option.flag('Stop the server before its new code starts'),
  stopGrace: option.number(
    'Seconds that a server has to end (default: 3)',
    'seconds',
    secondsNumber,
  ),
  watch: option.list(
    'Files that the server reads without importing them, once or more: a change restarts it',
    'glob',
  ),
  noWatch: option.flag('Do not restart on change'),
  requests: z.boolean().default(true).describe('Do not write a line for each request'),
  config: commonOptions.config,
  envFile: commonOptions.envFile,
  json: option.flag('Print one JSON document per line'),
  plain: commonOptions.plain,
};

export type DevValues = OptionValues<typeof devFlags>;

/** The options of `capix start`. */
export const startFlags = {
  workers: option.number(
    'Number of processes (default: one for each core)',
    'number',
    z.number().int().min(1).max(1024),
  ),
  port: option.number('Sets PORT for the server; 0 takes a free one', 'port', portNumber),
  host: option.text('Sets HOST for the server', 'address'),
  startTimeout: option.number(
    'Seconds that a process has to serve (default: 30)',
    'seconds',
    secondsNumber,
  ),
  hangTimeout: option.number(
    'Seconds until a process that hangs is replaced (default: 30)',
    'seconds',
    secondsNumber,
  ),
  stopGrace: option.number(
    'Seconds that a process has to end (default: 15)',
    'seconds',
    secondsNumber,
  ),
  nodeOption,
  envFile: commonOptions.envFile,
  json: option.flag('Print one JSON document per line'),
};

export type StartValues = OptionValues<typeof startFlags>;
