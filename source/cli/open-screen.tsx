import { render, useApp, useInput, useStdout, useWindowSize } from 'ink';
import {
  type ComponentType,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useReducer,
  useState,
} from 'react';
import { catchUncaught } from '../terminal/end-process.ts';
import { keyInput } from '../terminal/key-input.ts';
import { eraseScreen, onWindowSignal, screenOutput } from '../terminal/screen-output.ts';
import { runAll } from '../values/run-all.ts';
import { exitCodes } from './cli-errors.ts';
import type { PlainProps, ScreenProps, ScreenResult } from './command.ts';

/**
 * Fills the terminal with a screen until it ends, runs the tasks that it left, and writes its last message. Gives the
 * exit code; throws what the screen threw or ended with.
 */
export async function openScreen(
  Screen: ComponentType<ScreenProps>,
  props: PlainProps,
): Promise<number> {
  const tasks: (() => void | Promise<void>)[] = [];
  const instance = render(
    <Endings>
      <Screen {...props} onClose={(task) => tasks.unshift(task)} />
    </Endings>,
    {
      stdin: keyInput(),
      stdout: screenOutput(),
      alternateScreen: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      interactive: true,
      maxFps: 120,
    },
  );
  try {
    const result = (await instance.waitUntilExit()) as ScreenResult | undefined;
    if (result?.message) props.terminal.writeOut(`${result.message.replace(/\n$/, '')}\n`);
    return result?.exitCode ?? exitCodes.done;
  } finally {
    await runAll(tasks);
  }
}

/** Ends the screen on Ctrl-C, which in raw mode is a key like any other, and on an error that nobody caught. */
function Endings({ children }: { readonly children: ReactNode }) {
  const { exit } = useApp();
  useLayoutEffect(() => catchUncaught(exit), [exit]);
  useInput((input, key) => {
    if (key.ctrl && input === 'c') exit({ exitCode: exitCodes.interrupted } satisfies ScreenResult);
  });
  useWholeFrame();
  return children;
}

/**
 * Draws every row anew when the window has had another size: terminals have cut, wrapped or moved rows that Ink takes
 * for unchanged, also where it is back at its size, which only the signal tells.
 */
function useWholeFrame(): void {
  const { waitUntilRenderFlush } = useApp();
  const { write } = useStdout();
  const size = useWindowSize();
  const [first] = useState(size);
  const [signals, count] = useReducer((before: number) => before + 1, 0);
  useEffect(() => onWindowSignal(count), []);
  useEffect(() => {
    if (size !== first || signals > 0) void waitUntilRenderFlush().then(() => write(eraseScreen));
  }, [size, first, signals, waitUntilRenderFlush, write]);
}
