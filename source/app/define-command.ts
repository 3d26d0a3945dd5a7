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
  readonly opens?: (args: Operands<Args>, options: Values<Options>) => Location;
  /** The project that it opens, where an operand names it. @default `--config` */
  readonly toConfig?: (args: Operands<Args>) => string | undefined;
}

/** The default export of a file in `commands/`. What is imported later is loaded when the command runs. */
export function command<Options extends z.ZodRawShape, const Args extends Schemas = readonly []>({
  options,
  args,
  opens,
  toConfig,
  ...definition
}: OwnDefinition<Options, Args>): CommandDefinition {
  const screen = async (props: PlainProps) => {
    const operands = props.args as Operands<Args>;
    const values = props.options as Values<Options>;
    const { config, envFile } = values as {
      readonly config?: string;
      readonly envFile?: readonly string[];
    };
    const route = opens?.(operands, values) ?? home;
    const place = {
      config: toConfig?.(operands) ?? config,
      envFile,
      workingDirectory: props.terminal.workingDirectory(),
    };
    const { ProjectStore } = await import('../load/project-store.ts');
    const store = new ProjectStore(place);
    // The project is loaded while what draws it is imported.
    if (!screensWithoutProject.has(route.screen)) store.open();
    return (await import('./app-screen.tsx')).startAt({ ...place, route, store });
  };
  // What runs a command parses its values by these schemas first, so that they are what its functions take.
  return {
    ...(definition as unknown as CommandDefinition),
    ...(options && { options: z.object(options) }),
    ...(args && { args: z.tuple(args as unknown as [z.ZodType]) }),
    ...(opens && { screen }),
  };
}

const home: Location = { screen: 'home' };
/** These have no project at first, one that an operand names, or a server to wait for. */
const screensWithoutProject: ReadonlySet<Location['screen']> = new Set([
  'dev',
  'diff',
  'generate',
  'new',
]);
