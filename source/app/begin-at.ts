import type { BeginScreen } from '../cli/command.ts';
import { expectProject } from '../load/expect-project.ts';
import type { Location } from '../screens/location.ts';

/**
 * The beginning of the application: the project of the command is loaded while what draws it is imported. Without a
 * project there is nothing to begin.
 */
export function beginAt({ toConfig }: StartOptions = {}): { readonly default: BeginScreen } {
  return {
    default: ({ args, options, terminal }) => {
      const given = options as { readonly config?: string; readonly envFile?: readonly string[] };
      const operands = args as Parameters<ToRoute>[0];
      const config = toConfig?.(operands) ?? given.config;
      const workingDirectory = terminal.workingDirectory();
      if (!hasProject({ config, workingDirectory })) return;
      void import('../load/watch-ahead.ts').then(({ watchAhead }) =>
        watchAhead({ config, envFile: given.envFile, workingDirectory }),
      );
    },
  };
}

/** The screen itself says why there is none. */
function hasProject(options: Parameters<typeof expectProject>[0]): boolean {
  try {
    expectProject(options);
    return true;
  } catch {
    return false;
  }
}

/** The operands of a command, as its schema has let them through. */
type Operands = readonly (string | undefined)[];

/** The screen that a command opens. */
export type ToRoute<Options = unknown> = (args: Operands, options: Options) => Location;

export interface StartOptions {
  /** The project that is opened, where an operand names it. @default `--config` */
  readonly toConfig?: (args: Operands) => string | undefined;
}
