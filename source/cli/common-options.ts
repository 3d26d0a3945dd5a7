import { option } from 'pastel';
import * as z from 'zod';

/** Options that mean the same in every command. A command spreads those it has into its own `z.object({...})`. */
export const commonOptions = {
  config: z
    .string()
    .optional()
    .describe(option({ description: 'Capabilities file (default: src/capabilities.ts)', valueDescription: 'path' })),
  envFile: z
    .array(z.string())
    .default([])
    .describe(
      option({
        description: 'File with environment variables, once or more (default: .env)',
        valueDescription: 'path',
      }),
    ),
  json: z.boolean().default(false).describe('Print one JSON document'),
  plain: z.boolean().default(false).describe('Print text, also in a terminal'),
} as const;

/** The values of `commonOptions`, but for `plain`, which is answered before a command runs. */
export interface CommonValues {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly json: boolean;
}

/** The values of the options of a command that writes a document. */
export interface DocumentValues extends CommonValues {
  readonly output?: string | undefined;
  readonly force: boolean;
}

/** The options for who calls capabilities without a server. */
export const callerOptions = {
  header: z
    .array(z.string())
    .default([])
    .describe(
      option({
        description: 'Header of the request, once or more; ${NAME} is a variable',
        alias: 'H',
        valueDescription: 'name: value',
      }),
    ),
  context: z
    .string()
    .optional()
    .describe(option({ description: 'Context of a call in this process', valueDescription: 'json' })),
} as const;

/** The options for which tools agents see, and what they may cost. */
export const toolOptions = {
  only: z
    .array(z.string())
    .default([])
    .describe(option({ description: 'Serve these keys alone, once or more: users.*', valueDescription: 'key' })),
  tag: z
    .array(z.string())
    .default([])
    .describe(option({ description: 'Serve these groups alone, once or more', valueDescription: 'group' })),
  readOnly: z.boolean().default(false).describe('Serve only what changes nothing'),
  list: z.boolean().default(false).describe('List the tools with the tokens that they take, the largest first'),
  budget: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      option({
        description: 'Tokens that the list may take: beyond it --list exits with 1',
        valueDescription: 'tokens',
      }),
    ),
} as const;

/** The options for how `dev` runs the server. */
export const serverOptions = {
  port: z
    .number()
    .optional()
    .describe(
      option({ description: "Port in place of the server's own; 0 takes a free one", valueDescription: 'port' }),
    ),
  host: z
    .string()
    .optional()
    .describe(
      option({ description: 'Address to listen at (default: this machine only)', valueDescription: 'address' }),
    ),
  open: z.boolean().default(false).describe('Open the server in the browser'),
  inspect: z.boolean().default(false).describe('Let a debugger connect, on port 9229'),
  inspectWait: z.boolean().default(false).describe('Let a debugger connect, and wait for it'),
  inspectBrk: z.boolean().default(false).describe('Let a debugger connect, wait for it, and pause in the first file'),
  inspectPort: z
    .number()
    .optional()
    .describe(option({ description: 'Let a debugger connect on this port', valueDescription: 'port' })),
  nodeOption: z
    .array(z.string())
    .default([])
    .describe(
      option({
        description: 'Option of Node for the server, once or more; also everything after --',
        valueDescription: 'option',
      }),
    ),
  stopFirst: z.boolean().default(false).describe('Stop the server before its new code starts'),
  stopGrace: z
    .number()
    .optional()
    .describe(option({ description: 'Seconds that a server has to end (default: 3)', valueDescription: 'seconds' })),
  watch: z
    .array(z.string())
    .default([])
    .describe(
      option({
        description: 'Files that the server reads without importing them, once or more: a change restarts it',
        valueDescription: 'glob',
      }),
    ),
  noWatch: z.boolean().default(false).describe('Do not restart on change'),
} as const;

/** The options for how `start` runs the server. */
export const workerOptions = {
  workers: z
    .number()
    .optional()
    .describe(option({ description: 'Number of processes (default: one for each core)', valueDescription: 'number' })),
  port: z
    .number()
    .optional()
    .describe(option({ description: 'Sets PORT for the server; 0 takes a free one', valueDescription: 'port' })),
  host: z
    .string()
    .optional()
    .describe(option({ description: 'Sets HOST for the server', valueDescription: 'address' })),
  startTimeout: z
    .number()
    .optional()
    .describe(
      option({ description: 'Seconds that a process has to serve (default: 30)', valueDescription: 'seconds' }),
    ),
  hangTimeout: z
    .number()
    .optional()
    .describe(
      option({
        description: 'Seconds until a process that hangs is replaced (default: 30)',
        valueDescription: 'seconds',
      }),
    ),
  stopGrace: z
    .number()
    .optional()
    .describe(option({ description: 'Seconds that a process has to end (default: 15)', valueDescription: 'seconds' })),
} as const;

/** `--output` of a command that writes a document. */
export const outputOption = z
  .string()
  .optional()
  .describe(
    option({
      description: 'File to write, replaced where this command wrote it (default: stdout)',
      valueDescription: 'file',
    }),
  );

/** `--force` of a command that writes a document. */
export const forceOption = z
  .boolean()
  .default(false)
  .describe('Replace the file of --output, even if another program wrote it');
