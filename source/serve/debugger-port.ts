import { setTimeout as pause } from 'node:timers/promises';
import type { ServerRunner } from './server-runner.ts';

export interface DebuggerPortOptions {
  /** 0 for any that is free; no process has one where it is undefined. */
  readonly inspectPort?: number | undefined;
  /** Whether the first process waits until a debugger has come. A reload goes on by itself. */
  readonly waitsForDebugger?: boolean | undefined;
}

/** Code that has not given the port up by then stands at a breakpoint, or is as good as that, milliseconds. */
const PAUSED_MS = 250;

export type DebuggerPort = ReturnType<typeof createDebuggerPort>;

/** The port of the debugger, which one process at a time can have. */
export function createDebuggerPort({ inspectPort: port, waitsForDebugger = false }: DebuggerPortOptions) {
  let holder: Pick<ServerRunner, 'inspect' | 'endInspecting'> | undefined;
  let waits = waitsForDebugger;
  /** All that had it before have given it up. */
  let released: Promise<unknown> = Promise.resolve();

  /** Lets a process have it, once it is free. Resolves then, or when the code should start without it. */
  const pass = async (next: typeof holder): Promise<void> => {
    if (port === undefined) return;
    released = Promise.all([released, holder?.endInspecting()]);
    holder = next;
    const passed = released.then(() => {
      if (holder === next) next?.inspect(port, waits);
      waits = false;
    });
    await Promise.race([passed, pause(PAUSED_MS, undefined, { ref: false })]);
  };
  return {
    pass,
    /** Gives it to another process where the one that has it is gone. */
    giveBack: (gone: typeof holder, other: typeof holder): void => {
      if (holder === gone) void pass(other);
    },
  };
}
