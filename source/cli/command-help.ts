/** The help of a command, as Commander writes it, and what the home screen needs of it. */
export interface CommandHelp {
  /** The whole help text, with a line feed at its end. */
  readonly text: string;
  /** The commands under this one, in the order of the help. */
  readonly commands: readonly CommandSummary[];
}

export interface CommandSummary {
  readonly name: string;
  readonly alias: string | undefined;
  /** `'show [options] <capability>'` */
  readonly usage: string;
  readonly summary: string;
  /** Heading of its group in the help: `'Inspect'`. */
  readonly group: string;
}
