import * as z from 'zod';
import {
  commonOptions,
  nodeOption,
  type OptionValues,
  option,
  portNumber,
  secondsNumber,
} from '../cli/common-options.ts';

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
