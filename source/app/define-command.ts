import * as z from 'zod';
import type { CommandDefinition, PlainProps } from '../cli/command.ts';
import type { Location } from '../screens/location.ts';

type Schemas = readonly z.ZodType[];
type Values<Options extends z.ZodRawShape> = z.infer<z.ZodObject<Options>>;
type Operands<Args extends Schemas> = { -readonly [Index in keyof Args]: z.infer<Args[Index]> };

interface OwnDefinition<Options extends z.ZodRawShape, Args extends Schemas>
  extends Omit<CommandDefinition<Values<Options>, Operands<Args>>, 'options' | 'args'> {
  readonly options?: Options;
  readonly args?: Args;
  /** The screen of the application that it opens. */
  readonly opens?: (args: Operands<Args>, options: Values<Options>) => Location;
  /** The project that it opens, where an operand names it. @default `--config` */
  readonly toConfig?: (args: Operands<Args>) => string | undefined;
}

/**
 * The default export of a file in `commands/`. The build makes the help of it; what is imported later is loaded when
 * the command runs.
 *
 *     export default command({
 *       summary: 'Show one capability',
 *       examples: ['capix show items.getItem'],
 *       options: commonOptions,
 *       args: [option.operand('capability', 'Key, such as `items.getItem`')],
 *       plain: () => import('../source/list/show-command.ts'),
 *       opens: ([key = '']) => ({ screen: 'show', key }),
 *     });
 */
export function command<Options extends z.ZodRawShape, const Args extends Schemas = readonly []>({
  options,
  args,
  opens,
  toConfig,
  ...definition
}: OwnDefinition<Options, Args>): CommandDefinition {
  const start = { opens, toConfig } as unknown as StartOptions;
  return {
    ...(definition as unknown as CommandDefinition),
    ...(options && { options: z.object(options) }),
    ...(args && { args: z.tuple(args as unknown as [z.ZodType]) }),
    ...(opens && {
      screen: async (props) => {
        beginAt(start, props);
        return (await import('./app-screen.tsx')).startAt(start);
      },
    }),
  };
}

/** Their arguments have the types of the schemas, which these have passed. */
export interface StartOptions {
  readonly opens: (args: readonly unknown[], options: unknown) => Location;
  readonly toConfig?: (args: readonly unknown[]) => string | undefined;
}

/** These have no project at first, one that an operand names, or a server to wait for. */
const unhurried: ReadonlySet<Location['screen']> = new Set(['dev', 'diff', 'generate', 'new']);

/** Has the project of the command loaded while what draws it is imported. */
function beginAt({ opens }: StartOptions, { args, options, terminal }: PlainProps): void {
  if (unhurried.has(opens(args, options).screen)) return;
  const { config, envFile } = options as { readonly config?: string; readonly envFile?: readonly string[] };
  const workingDirectory = terminal.workingDirectory();
  void import('../load/watch-project.ts').then(({ watchAhead }) => watchAhead({ config, envFile, workingDirectory }));
}
