import type { ReactNode } from 'react';
import type { ScreenProps } from '../cli/command.ts';
import type { Route } from '../ui/route.ts';
import { AppScreen } from './app-screen.tsx';

/** The operands of a command, as its schema has let them through. */
type Operands = readonly (string | undefined)[];

/** The application, opened at the screen of a command. */
export function startAt<Options = unknown>(
  toRoute: (args: Operands, options: Options) => Route,
): {
  readonly default: (props: ScreenProps<object, unknown>) => ReactNode;
} {
  return {
    default: (props) => (
      <AppScreen {...props} start={toRoute((props.args ?? []) as Operands, props.options as Options)} />
    ),
  };
}
