import { useApp } from 'ink';
import { useCallback, useEffect, useInsertionEffect, useLayoutEffect, useRef, useState } from 'react';
import { enableMouse } from '../terminal/enable-mouse.ts';
import { stopReadingKeys } from '../terminal/stop-reading-keys.ts';
import { catchStop, stopUntilContinued } from '../terminal/stop-until-continued.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Task = () => Promise<void>;

/**
 * Gives a function that hands the terminal over for the time of a task: an editor, a shell. Whatever the screens have switched on is off
 * meanwhile, and on again after it: Ink sees to the keys, pasting, the cursor and the alternate screen, this to the mouse, where it `hasMouse`.
 */
export function useHandOver(terminal: Terminal, hasMouse: boolean): (task: Task) => void {
  const { suspendTerminal } = useApp();
  const [task, setTask] = useState<Task>();
  const isHandedOver = useRef(false);
  // In the layout phase: its cleanup comes before the effect that hands over, and also where the process is ended by a signal.
  useLayoutEffect(
    () => (task === undefined && hasMouse ? enableMouse(terminal) : undefined),
    [terminal, task, hasMouse],
  );
  useEffect(() => {
    if (task === undefined) return;
    void suspendTerminal(async () => {
      await stopReadingKeys();
      await task();
    }).finally(() => {
      isHandedOver.current = false;
      setTask(undefined);
    });
  }, [task, suspendTerminal]);
  const handOver = useCallback((next: Task) => {
    // Somebody else has the terminal already, and gives it back.
    if (isHandedOver.current) return void next();
    isHandedOver.current = true;
    setTask(() => next);
  }, []);
  // Before the first frame is written, so that whoever sees the screen can stop it.
  useInsertionEffect(() => catchStop(() => handOver(stopUntilContinued)), [handOver]);
  return handOver;
}
