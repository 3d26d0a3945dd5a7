import type { BeginScreen } from '../cli/command.ts';
import { expectProject } from '../load/expect-project.ts';
import type { StartOptions, ToRoute } from './start-options.ts';
import { toFirstFrame } from './to-first-frame.ts';

/**
 * The beginning of the application, before what draws it is imported: the project of the command is loaded meanwhile, and the first frame shown. Without a
 * project there is nothing to begin.
 */
export function beginAt<Options = unknown>(
  toRoute: ToRoute<Options>,
  { toConfig }: StartOptions = {},
): { readonly default: BeginScreen } {
  return {
    default: ({ args, options, terminal }) => {
      const given = options as { readonly config?: string; readonly envFile?: readonly string[] };
      const operands = args as Parameters<ToRoute>[0];
      const config = toConfig?.(operands) ?? given.config;
      const workingDirectory = terminal.workingDirectory();
      if (!hasProject({ config, workingDirectory })) return () => undefined;
      // Later than the frame: it needs more of the tool.
      void import('../load/watch-ahead.ts').then(({ watchAhead }) =>
        watchAhead({ config, envFile: given.envFile, workingDirectory, warms: true }),
      );
      const route = toRoute(operands, options as Options);
      return (background) => toFirstFrame(route, { terminal, background, options: { ...given, config } });
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
