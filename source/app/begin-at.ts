import type { BeginScreen } from '../cli/command.ts';
import { watchAhead } from '../load/watch-ahead.ts';
import type { StartOptions } from './start-options.ts';

/** The beginning of the application, before what draws it is imported: the project of the command is loaded meanwhile. */
export function beginAt({ toConfig }: StartOptions = {}): { readonly default: BeginScreen } {
  return {
    default: ({ args, options, terminal }) => {
      const { config, envFile } = options as { readonly config?: string; readonly envFile?: readonly string[] };
      watchAhead({
        config: toConfig?.(args as Parameters<NonNullable<typeof toConfig>>[0]) ?? config,
        envFile,
        workingDirectory: terminal.workingDirectory(),
        warms: true,
      });
    },
  };
}
