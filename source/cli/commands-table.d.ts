/** Made by the build from the folder `commands/`; see `scripts/outline-commands.mjs`. */
declare module 'capix:commands' {
  import type { CommandAbout, CommandDefinition } from './command.ts';

  export interface OptionOutline {
    /** `'-H, --header <name: value>'` */
    readonly flags: string;
    readonly description?: string;
    readonly defaultValue?: unknown;
    readonly choices?: readonly string[];
    readonly isNumber?: true;
    /** Whether it may be given several times. */
    readonly isList?: true;
  }

  /** A command without its schemas. */
  export interface CommandOutline extends Omit<CommandAbout, 'details'> {
    readonly name: string;
    readonly description: string;
    readonly options: readonly OptionOutline[];
    /** `{name: '<capability>'}`, `{name: '[input]'}` */
    readonly operands: readonly { readonly name: string; readonly description?: string }[];
    /** Missing where the command only has others under it. */
    readonly load?: () => Promise<{ readonly default: CommandDefinition }>;
    /** The commands under it, by name, as Pastel keeps them. */
    readonly commands?: Map<string, CommandOutline>;
  }

  export const commands: Map<string, CommandOutline>;
}
