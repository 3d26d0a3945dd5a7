/** Made by the build from the folder `commands/`; see `scripts/bundle-tool.mjs`. */
declare module 'capix:commands' {
  import type * as z from 'zod';
  import type { CommandDefinition, CommandDescription } from '../command.ts';

  /** The exports of a file of `commands/` that a run of its command needs. */
  export interface CommandModule {
    readonly default: CommandDefinition;
    readonly options?: z.ZodType;
    readonly args?: z.ZodType;
  }

  interface ValueOutline {
    readonly description?: string;
    readonly defaultValue?: unknown;
    readonly defaultText?: string;
    readonly choices?: readonly string[];
    readonly isNumber?: true;
  }

  export interface OptionOutline extends ValueOutline {
    /** `'-H, --header [name: value...]'` */
    readonly flags: string;
  }

  export interface OperandOutline extends ValueOutline {
    /** `'<capability>'`, `'[words...]'` */
    readonly name: string;
  }

  /** A command without its schemas. */
  export interface CommandOutline {
    readonly description?: CommandDescription;
    readonly alias?: string;
    readonly isDefault?: boolean;
    readonly options?: readonly OptionOutline[];
    readonly operands?: readonly OperandOutline[];
    /** Missing where the command only has others under it. */
    readonly load?: () => Promise<CommandModule>;
  }

  /** The commands by path: `{'list': …, 'generate/index': …}`. */
  export const commands: Readonly<Record<string, CommandOutline>>;
}
