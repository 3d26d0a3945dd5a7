/** Headings of the root help, in their order. */
export const commandGroups = ['Project', 'Inspect', 'Generate', 'Serve'] as const;

export interface CommandDescription {
  /** One line for the list of commands, without a full stop. */
  readonly summary: string;
  /** Heading that it stands under in the list of its parent. */
  readonly group?: (typeof commandGroups)[number];
  /** Paragraphs after the usage line, where the summary does not say enough. @default the summary */
  readonly details?: string;
  /** Operands as they should read, where the order of the schema cannot say it: `'[group] <name>'`. */
  readonly usage?: string;
  /** Whether it takes flags that only the project knows, such as the fields of a capability. @default false */
  readonly takesFlags?: boolean;
  /** Whole command lines, at least one: `'capix show items.getItem'`. They end the help. */
  readonly examples: readonly string[];
}

/**
 * Makes the `description` export of a command. Pastel passes one string on; like Pastel's own `option()` and
 * `argument()`, this is JSON behind a prefix, which `readDescription` reads back on the side of Commander.
 */
export function describeCommand(description: CommandDescription): string {
  return prefix + JSON.stringify(description);
}

/** Reads what `describeCommand` wrote; any other string is the summary. */
export function parseDescription(text: string): CommandDescription {
  return text.startsWith(prefix)
    ? (JSON.parse(text.slice(prefix.length)) as CommandDescription)
    : { summary: text, examples: [] };
}

const prefix = '__capix_command__';
