import type { Location } from '../screens/location.ts';

/** The operands of a command, as its schema has let them through. */
type Operands = readonly (string | undefined)[];

/** The screen that a command opens. */
export type ToRoute<Options = unknown> = (args: Operands, options: Options) => Location;

export interface StartOptions {
  /** The project that is opened, where an operand names it. @default `--config` */
  readonly toConfig?: (args: Operands) => string | undefined;
}
