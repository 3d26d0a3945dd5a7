import { argument, option } from 'pastel';
import * as z from 'zod';

/** An option without a value, by its line of the help. */
export function flagOption(description: string) {
  return z.boolean().default(false).describe(description);
}

/** An option with one value; `value` is the word for it in the help. */
export function textOption(description: string, value: string) {
  return z
    .string()
    .optional()
    .describe(option({ description, valueDescription: value }));
}

/** An option that may be given several times. */
export function listOption(description: string, value: string, alias?: string) {
  return z
    .array(z.string())
    .default([])
    .describe(option({ description, valueDescription: value, ...(alias !== undefined && { alias }) }));
}

export function numberOption(description: string, value: string, schema = z.number()) {
  return schema.optional().describe(option({ description, valueDescription: value }));
}

export function choiceOption<const Names extends readonly [string, ...string[]]>(
  names: Names,
  description: string,
  value: string,
) {
  return z
    .enum(names)
    .optional()
    .describe(option({ description, valueDescription: value }));
}

/** An operand that may be missing. */
export function textOperand(name: string, description: string) {
  return z.string().optional().describe(argument({ name, description }));
}

/** Options that mean the same in every command. A command spreads those it has into its own `z.object({...})`. */
export const commonOptions = {
  config: textOption('Capabilities file (default: src/capabilities.ts)', 'path'),
  envFile: listOption('File with environment variables, once or more (default: .env)', 'path'),
  json: flagOption('Print one JSON document'),
  plain: flagOption('Print text, also in a terminal'),
} as const;

/** The values of `commonOptions`, but for `plain`, which is answered before a command runs. */
export interface CommonValues {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly json: boolean;
}

/** The options of a command that writes a document. */
export const documentOptions = {
  ...commonOptions,
  output: textOption('File to write, replaced where this command wrote it (default: stdout)', 'file'),
  force: flagOption('Replace the file of --output, even if another program wrote it'),
} as const;

/** The values of `documentOptions`. */
export interface DocumentValues extends CommonValues {
  readonly output?: string | undefined;
  readonly force: boolean;
}

/** The options for who calls capabilities without a server. */
export const callerOptions = {
  header: listOption('Header of the request, once or more; ${NAME} is a variable', 'name: value', 'H'),
  context: textOption('Context of a call in this process', 'json'),
} as const;

/** The options for which tools agents see, and what they may cost. */
export const toolOptions = {
  only: listOption('Serve these keys alone, once or more: users.*', 'key'),
  tag: listOption('Serve these groups alone, once or more', 'group'),
  readOnly: flagOption('Serve only what changes nothing'),
  list: flagOption('List the tools with the tokens that they take, the largest first'),
  budget: numberOption(
    'Tokens that the list may take: beyond it --list exits with 1',
    'tokens',
    z.number().int().min(1),
  ),
} as const;

/** The options for how `dev` runs the server. */
export const serverOptions = {
  port: numberOption("Port in place of the server's own; 0 takes a free one", 'port'),
  host: textOption('Address to listen at (default: this machine only)', 'address'),
  open: flagOption('Open the server in the browser'),
  inspect: flagOption('Let a debugger connect, on port 9229'),
  inspectWait: flagOption('Let a debugger connect, and wait for it'),
  inspectBrk: flagOption('Let a debugger connect, wait for it, and pause in the first file'),
  inspectPort: numberOption('Let a debugger connect on this port', 'port'),
  nodeOption: listOption('Option of Node for the server, once or more; also everything after --', 'option'),
  stopFirst: flagOption('Stop the server before its new code starts'),
  stopGrace: numberOption('Seconds that a server has to end (default: 3)', 'seconds'),
  watch: listOption('Files that the server reads without importing them, once or more: a change restarts it', 'glob'),
  noWatch: flagOption('Do not restart on change'),
} as const;

/** The options for how `start` runs the server. */
export const workerOptions = {
  workers: numberOption('Number of processes (default: one for each core)', 'number'),
  port: numberOption('Sets PORT for the server; 0 takes a free one', 'port'),
  host: textOption('Sets HOST for the server', 'address'),
  startTimeout: numberOption('Seconds that a process has to serve (default: 30)', 'seconds'),
  hangTimeout: numberOption('Seconds until a process that hangs is replaced (default: 30)', 'seconds'),
  stopGrace: numberOption('Seconds that a process has to end (default: 15)', 'seconds'),
} as const;
