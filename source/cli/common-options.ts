import { argument, option } from 'pastel';
import * as z from 'zod';

/** An option without a value, by its line of the help. */
export function flagOption(description: string) {
  return z.boolean().default(false).describe(description);
}

/** An option with one value; `value` is the word for it in the help. */
export function textOption(description: string, value: string) {
  return z.string().optional().describe(toValueWords(description, value));
}

/** An option that may be given several times. */
export function listOption(description: string, value: string, alias?: string) {
  return z
    .array(z.string())
    .default([])
    .describe(toValueWords(description, value, alias));
}

export function numberOption(description: string, value: string, schema = z.number()) {
  return schema.optional().describe(toValueWords(description, value));
}

export function choiceOption<const Names extends readonly [string, ...string[]]>(
  names: Names,
  description: string,
  value: string,
) {
  return z.enum(names).optional().describe(toValueWords(description, value));
}

/** The numbers that options have: ports, and times in seconds. */
export const portNumber = z.number().int().min(0).max(65_535);
export const secondsNumber = z.number().min(0).max(3600);

/** The words of an option in the form in which Pastel takes them. */
export function toValueWords(description: string, valueDescription: string, alias?: string): string {
  return option({ description, valueDescription, ...(alias !== undefined && { alias }) });
}

/** An operand that may be missing. */
export function textOperand(name: string, description: string) {
  return z.string().optional().describe(argument({ name, description }));
}

/** Options that mean the same in every command. */
export const commonOptions = {
  config: textOption('Capabilities file (default: src/capabilities.ts)', 'path'),
  envFile: listOption('File with environment variables, once or more (default: .env)', 'path'),
  json: flagOption('Print one JSON document'),
  plain: flagOption('Print text, also in a terminal'),
} as const;

/** The values of `commonOptions`, but for `plain`, which is answered before a command runs. */
export type CommonValues = Readonly<Omit<z.infer<z.ZodObject<typeof commonOptions>>, 'plain'>>;

/** The options of a command that writes a document. */
export const documentOptions = {
  ...commonOptions,
  output: textOption('File to write, replaced where this command wrote it (default: stdout)', 'file'),
  force: flagOption('Replace the file of --output, even if another program wrote it'),
} as const;

export type DocumentValues = Readonly<Omit<z.infer<z.ZodObject<typeof documentOptions>>, 'plain'>>;

/** The options for who calls capabilities without a server. */
export const callerOptions = {
  header: listOption('Header of the request, once or more; ${NAME} is a variable', 'name: value', 'H'),
  context: textOption('Context of a call in this process', 'json'),
} as const;
