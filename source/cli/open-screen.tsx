import { render, useApp, useInput } from 'ink';
import type { ComponentType, ReactNode } from 'react';
import type { PlainProps, ScreenProps, ScreenResult } from './command.ts';
import { exitCodes } from './exit-codes.ts';

/**
 * Fills the terminal with a screen until it ends, then puts back what was there before, runs the tasks that the screen left, and writes its
 * last message. Gives the exit code; throws what the screen threw or ended with.
 */
export async function openScreen(Screen: ComponentType<ScreenProps>, props: PlainProps): Promise<number> {
  const tasks: (() => void | Promise<void>)[] = [];
  const instance = render(
    <InterruptKey>
      <Screen {...props} onClose={(task) => tasks.unshift(task)} />
    </InterruptKey>,
    { alternateScreen: true, incrementalRendering: true, exitOnCtrlC: false, interactive: true, maxFps: 60 },
  );
  try {
    const result = (await instance.waitUntilExit()) as ScreenResult | undefined;
    if (result?.message) props.terminal.writeOut(`${result.message.replace(/\n$/, '')}\n`);
    return result?.exitCode ?? exitCodes.done;
  } finally {
    for (const task of tasks) await task();
  }
}

/** In raw mode Ctrl-C is a key like any other, and Ink's own answer to it is exit code 0. */
function InterruptKey({ children }: { readonly children: ReactNode }) {
  const { exit } = useApp();
  useInput((input, key) => {
    if (key.ctrl && input === 'c') exit({ exitCode: exitCodes.interrupted } satisfies ScreenResult);
  });
  return children;
}
