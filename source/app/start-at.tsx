import type { ReactNode } from 'react';
import type { ScreenProps } from '../cli/command.ts';
import type { Location } from '../screens/location.ts';
import { AppScreen } from './app-screen.tsx';

/** The operands of a command, as its schema has let them through. */
type Operands = readonly (string | undefined)[];

export interface StartOptions {
  /** The project that is opened, where an operand names it. @default `--config` */
  readonly toConfig?: (args: Operands) => string | undefined;
}

/** The application, opened at the screen of a command. */
export function startAt<Options = unknown>(
  toRoute: (args: Operands, options: Options) => Location,
  { toConfig }: StartOptions = {},
): {
  readonly default: (props: ScreenProps<object, unknown>) => ReactNode;
} {
  return {
    default: (props) => {
      const args = (props.args ?? []) as Operands;
      const { config } = props.options as { readonly config?: string | undefined };
      const options = toConfig ? { ...props.options, config: toConfig(args) ?? config } : props.options;
      return <AppScreen {...props} options={options} start={toRoute(args, props.options as Options)} />;
    },
  };
}
