import { setTimeout as pause } from 'node:timers/promises';
import type { InspectorAddress } from './server-message.ts';

/** A process that may have the port of the debugger. */
export interface Debugged {
  readonly inspect: (address: InspectorAddress) => void;
  /** Resolves when it has given the port up or is gone: at a breakpoint it hears of it only once it goes on. */
  readonly endInspecting: () => Promise<void>;
}

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
  let holder: Debugged | undefined;
  let waits = waitsForDebugger;
  /** All that had it before have given it up. */
  let released: Promise<unknown> = Promise.resolve();

  /** Lets the holder of now have it, unless that is another by then. */
  const passLate = (address: InspectorAddress): void => {
    const next = holder;
    void released.then(() => {
      if (holder === next) next?.inspect(address);
    });
  };

  return {
    /** The address for the next process; undefined while the one before stands at a breakpoint. */
    pass: async (next: Debugged): Promise<InspectorAddress | undefined> => {
      if (port === undefined) return undefined;
      const address = { port, waits };
      waits = false;
      released = Promise.all([released, holder?.endInspecting()]);
      holder = next;
      const isFree = await Promise.race([released.then(() => true), pause(PAUSED_MS, false, { ref: false })]);
      if (!isFree) passLate(address);
      return isFree ? address : undefined;
    },
    /** Gives it to another process where the one that has it is gone. */
    giveBack: (gone: Debugged, other: Debugged | undefined): void => {
      if (port === undefined || holder !== gone) return;
      holder = other;
      passLate({ port, waits: false });
    },
  };
}
