import type { CodeAhead, ServerCode } from './server-message.ts';
import type { Runner } from './supervisor.ts';

/** A process that is booted and waits for the next code, with what that will probably need. */
export class Spare {
  readonly #start: () => Runner;
  #runner: Runner | undefined;
  #ahead: CodeAhead | undefined;
  /** A package could not be loaded ahead, or ended the process: none is any more. */
  #hasFailed = false;

  constructor(start: () => Runner) {
    this.#start = start;
  }

  prepare(ahead: CodeAhead): void {
    this.#runner ??= this.#start();
    this.#ahead = this.#hasFailed ? { ...ahead, packages: [] } : ahead;
    this.#runner.warm(this.#ahead);
  }

  /** Gives it away where it has what this code would load now, and another one if not. */
  async take(code: ServerCode): Promise<Runner> {
    const runner = this.#runner;
    const ahead = this.#ahead;
    [this.#runner, this.#ahead] = [undefined, undefined];
    if (runner === undefined) return this.#start();
    if (ahead === undefined || (await this.#fits(runner, ahead, code))) return runner;
    void runner.stop();
    return this.#start();
  }

  /** A process has ended. */
  forget(runner: Runner): void {
    if (this.#runner !== runner) return;
    this.#hasFailed ||= (this.#ahead?.packages.length ?? 0) > 0;
    this.#runner = undefined;
  }

  async #fits(
    runner: Runner,
    ahead: CodeAhead,
    { hooks, environment }: ServerCode,
  ): Promise<boolean> {
    if (ahead.modules.length > 0 && hooks.isAnew) return false;
    if (ahead.packages.length === 0) return true;
    if (JSON.stringify(ahead.environment) !== JSON.stringify(environment)) return false;
    const state = await runner.preloadState().catch(() => 'failed');
    this.#hasFailed ||= state === 'failed';
    return state === 'fresh';
  }
}
