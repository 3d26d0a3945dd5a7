import { catchStop, stopUntilContinued } from '../stop-until-continued.ts';
import { showEarly } from './screen-output.ts';

/** The terminal, as long as a screen has it that Ink does not draw yet. */
export interface EarlyScreen {
  /** Shows rows in the alternate screen until Ink draws over them; nothing where it has been left. */
  readonly show: (rows: readonly string[]) => void;
  /** Leaves the terminal to Ink. Where Ink has not come, the window is what it was before. */
  readonly leave: () => void;
  /** As `leave`; and keys are seen again as they are typed. */
  readonly close: () => void;
}

/**
 * Has keys arrive as they are typed, and unseen: Ink does so after its first frame, and what is typed before would be echoed into it. A signal that
 * ends or stops this process meanwhile finds the terminal as it was before, as Ink sees to it later.
 */
export function openEarlyScreen(): EarlyScreen {
  let rows: readonly string[] | undefined;
  let hide = (): void => {};
  let isLeft = false;
  const draw = (): void => {
    if (rows !== undefined) hide = showEarly(rows);
  };
  const giveBack = (): void => {
    hide();
    process.stdin.setRawMode(false);
  };
  const end = (signalName: NodeJS.Signals): void => {
    giveBack();
    process.kill(process.pid, signalName);
  };
  const stop = async (): Promise<void> => {
    giveBack();
    await stopUntilContinued();
    // By now Ink may have taken what was given back.
    if (isLeft) return;
    process.stdin.setRawMode(true);
    draw();
  };
  process.stdin.setRawMode(true);
  for (const name of signalNames) process.once(name, end);
  const ignoreStop = catchStop(() => void stop());
  // Node itself sees to the keys then.
  process.once('exit', leave);

  function leave(): void {
    isLeft = true;
    for (const name of signalNames) process.off(name, end);
    ignoreStop();
    process.off('exit', leave);
    hide();
  }
  return {
    show: (given) => {
      if (isLeft) return;
      rows = given;
      draw();
    },
    leave,
    close: () => {
      leave();
      process.stdin.setRawMode(false);
    },
  };
}

const signalNames = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
