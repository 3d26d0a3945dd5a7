/** The help of a command, as Commander writes it, and what the home screen needs of it. */
export interface CommandHelp {
  /** The whole help text, with a line feed at its end. */
  readonly text: string;
  /** The commands of the tool, whichever of them runs, in the order of the help: home is reached from all screens. */
  readonly commands: readonly CommandSummary[];
  /** The whole tool, with every command and option. */
  readonly program: () => CommandNode;
}

/** A command with what may stand behind it. */
export interface CommandNode {
  readonly name: string;
  readonly alias: string | undefined;
  readonly summary: string;
  readonly options: readonly NodeOption[];
  readonly commands: readonly CommandNode[];
}

export interface NodeOption {
  /** `['--header', '-H']` */
  readonly names: readonly string[];
  readonly summary: string;
  readonly takesValue: boolean;
  /** The only ones that it can have; empty where it can have others. */
  readonly values: readonly string[];
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
