import type { ReactNode } from 'react';
import type { ScreenProps } from '../cli/command.ts';
import { AppScreen } from './app-screen.tsx';
import type { StartOptions, ToRoute } from './begin-at.ts';

/** The application, opened at the screen of a command. */
export function startAt<Options = unknown>(
  toRoute: ToRoute<Options>,
  { toConfig }: StartOptions = {},
): {
  readonly default: (props: ScreenProps<object, unknown>) => ReactNode;
} {
  return {
    default: (props) => {
      const args = (props.args ?? []) as Parameters<ToRoute>[0];
      const { config } = props.options as { readonly config?: string | undefined };
      const options = toConfig ? { ...props.options, config: toConfig(args) ?? config } : props.options;
      return <AppScreen {...props} options={options} start={toRoute(args, props.options as Options)} />;
    },
  };
}
