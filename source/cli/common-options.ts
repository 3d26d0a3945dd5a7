import { argument, option as toWords } from 'pastel';
import * as z from 'zod';

/** The kinds of options and operands. `value` is the word for the value in the help. */
export const option = {
  flag: (description: string) => z.boolean().default(false).describe(description),
  text: (description: string, value: string) =>
    z.string().optional().describe(describe(description, value)),
  list: (description: string, value: string, alias?: string) =>
    z
      .array(z.string())
      .default([])
      .describe(describe(description, value, alias)),
  number: (description: string, value: string, schema = z.number()) =>
    schema.optional().describe(describe(description, value)),
  choice: <const Names extends readonly [string, ...string[]]>(
    names: Names,
    description: string,
    value: string,
  ) => z.enum(names).optional().describe(describe(description, value)),
  choices: <const Names extends readonly [string, ...string[]]>(
    names: Names,
    description: string,
    value: string,
  ) =>
    z
      .array(z.enum(names))
      .default([])
      .describe(describe(`${description} (choices: ${names.join(', ')})`, value)),
  filled: (description: string, value: string, filling: string) =>
    z.string().min(1).default(filling).describe(describe(description, value)),
  operand: (name: string, description: string) =>
    z.string().optional().describe(argument({ name, description })),
};

function describe(description: string, valueDescription: string, alias?: string): string {
  return toWords({ description, valueDescription, ...(alias !== undefined && { alias }) });
}

/** The numbers that options have: ports, and times in seconds. */
export const portNumber = z.number().int().min(0).max(65_535);
export const secondsNumber = z.number().min(0).max(3600);

export const nodeOption = option.list(
  'Option of Node for the server, once or more; also everything after --',
  'option',
);

export const commonOptions = {
  config: option.text('Capabilities file (default: src/capabilities.ts)', 'path'),
  envFile: option.list('File with environment variables, once or more (default: .env)', 'path'),
  json: option.flag('Print one JSON document'),
  plain: option.flag('Print text, also in a terminal'),
} as const;

/** The values of options, but for `plain`, which is answered before a command runs. */
export type OptionValues<Options extends z.ZodRawShape> = ReadonlyLists<
  Omit<z.infer<z.ZodObject<Options>>, 'plain'>
>;

type ReadonlyLists<Values> = {
  readonly [Name in keyof Values]: Values[Name] extends (infer Item)[]
    ? readonly Item[]
    : Values[Name];
};

export type CommonValues = OptionValues<typeof commonOptions>;

export const callerOptions = {
  header: option.list(
    'Header of the request, once or more; ${NAME} is a variable',
    'name: value',
    'H',
  ),
  context: option.text('Context of a call in this process', 'json'),
} as const;
