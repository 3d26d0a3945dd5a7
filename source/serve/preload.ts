import type { followCode } from '../load/hooks/follow-code.ts';
import { watchModuleHooks } from '../patches/watch-module-hooks.ts';
import type { PreloadState } from './server-message.ts';

type Hooks = Pick<ReturnType<typeof followCode>, 'followPackages' | 'files'>;

/**
 * Loads packages before the code comes that imports them. What they see then must be what they would see later: the
 * same variables, no hooks of the code, and the same files.
 */
export class Preload {
  readonly #hooks: Hooks;
  readonly #startEnvironment = { ...process.env };
  readonly #fetch = globalThis.fetch;
  readonly #areHooked = watchModuleHooks();
  readonly #files: ReturnType<NonNullable<Hooks['followPackages']>> | undefined;
  #hasFailed = false;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
    this.#files = hooks.followPackages?.();
  }

  /** Imports packages (URLs) one after the other, until `isAwaited`. */
  async load(packages: readonly string[], isAwaited: () => boolean): Promise<void> {
    const ownFiles = this.#hooks.files().length;
    for (const url of packages) {
      if (isAwaited() || this.#files === undefined) return;
      // A module that has thrown once throws again, whatever is there by then.
      await import(url).catch(() => {
        this.#hasFailed = true;
      });
    }
    this.#hasFailed ||= this.#hooks.files().length > ownFiles;
  }

  state(): PreloadState {
    if (this.#hasFailed) return 'failed';
    return this.#files?.areAsLoaded() === false ? 'stale' : 'fresh';
  }

  /** Whether code that has been loaded, with these variables of its env files, leaves packages what they see. */
  isRepeatable(variables: Readonly<Record<string, string>>): boolean {
    if (this.#files === undefined || this.#areHooked()) return false;
    const expected: NodeJS.ProcessEnv = { ...this.#startEnvironment, ...variables };
    const names = new Set([...Object.keys(expected), ...Object.keys(process.env)]);
    const isSame = [...names].every((name) => process.env[name] === expected[name]);
    return isSame && globalThis.fetch === this.#fetch;
  }
}
