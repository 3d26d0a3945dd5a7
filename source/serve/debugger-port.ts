import { waitWithin } from '../system/timing.ts';

/** A process that a debugger may look into. */
export interface Inspectable {
  inspect(port: number, waits: boolean): void;
  /** Resolves when the port is free. */
  endInspecting(): Promise<void>;
}

export interface DebuggerOptions {
  /** The port of the debugger: 0 for any that is free, undefined for none. */
  readonly inspectPort?: number | undefined;
  /** Whether the first process waits until a debugger has connected, and pauses. A reload goes on by itself. */
  readonly debuggerWait?: 'wait' | 'pause' | undefined;
}

/** Code that still has the debugger's port after this time stands at a breakpoint, milliseconds. */
const PAUSED_MS = 250;

/** The port of the debugger. One process at a time has it: the one that starts, or else the one that answers. */
export class DebuggerPort {
  readonly #port: number | undefined;
  #waits: boolean;
  #holder: Inspectable | undefined;
  /** Resolves when every process that had the port before `#holder` has closed it. */
  #released: Promise<unknown> = Promise.resolve();

  constructor({ inspectPort, debuggerWait }: DebuggerOptions) {
    this.#port = inspectPort;
    this.#waits = debuggerWait !== undefined;
  }

  isHeldBy(process: Inspectable): boolean {
    return this.#holder === process;
  }

  /** Lets a process have the port. Resolves when it has, or when its code should start without it. */
  async passTo(next: Inspectable | undefined): Promise<void> {
    const port = this.#port;
    if (port === undefined) return;
    this.#released = Promise.all([this.#released, this.#holder?.endInspecting()]);
    this.#holder = next;
    const passed = this.#released.then(() => {
      if (this.#holder === next) next?.inspect(port, this.#waits);
      this.#waits = false;
    });
    await waitWithin(PAUSED_MS, passed);
  }
}
