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
export const forceOption = z.boolean().default(false).describe('Replace the file of --output, whoever wrote it');
