import * as z from 'zod';
import {
  callerOptions,
  commonOptions,
  type OptionValues,
  option,
  portNumber,
} from '../cli/common-options.ts';

/** The options of `capix mcp`. */
export const mcpFlags = {
  ...commonOptions,
  port: option.number('Serve Streamable HTTP at this port in place of stdio', 'port', portNumber),
  name: option.filled('Name of the server', 'name', 'capix'),
  ...callerOptions,
  only: option.list('Serve these keys alone, once or more: users.*', 'key'),
  readOnly: option.flag('Serve only what changes nothing'),
  list: option.flag('List the tools with the tokens that they take, the largest first'),
  budget: option.number(
    'Tokens that the list may take: beyond it --list exits with 1',
    'tokens',
    z.number().int().min(1),
  ),
  printConfig: option.choice(
    ['claude', 'cursor', 'vscode', 'codex'],
    'Print the settings with which claude, cursor, vscode or codex starts this command',
    'host',
  ),
  apiVersion: option.filled('Version of the server', 'version', '0.1.0'),
};

export type McpValues = OptionValues<typeof mcpFlags>;
