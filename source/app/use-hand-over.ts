import { useApp } from 'ink';
import { useCallback, useEffect, useInsertionEffect, useRef, useState } from 'react';
import { stopReadingKeys } from '../terminal/stop-reading-keys.ts';
import { catchStop, stopUntilContinued } from '../terminal/stop-until-continued.ts';

type Task = () => Promise<void>;

/**
 * Gives a function that hands the terminal over for the time of a task: an editor, a shell. Ink switches off meanwhile what the screens have
 * switched on: keys, pasting, the cursor and the alternate screen.
 */
export function useHandOver(): (task: Task) => void {
  const { suspendTerminal } = useApp();
  const [task, setTask] = useState<Task>();
  const isHandedOver = useRef(false);
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
