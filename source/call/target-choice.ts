import { findDevServers, findServerAddress } from '../files/dev-servers.ts';
import {
  type CallTarget,
  type KnownServers,
  readEnvironments,
  toCallTargets,
  toChosenTarget,
} from '../invoke/call-target.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CallMemory } from './call-memory.ts';

export interface TargetChoiceOptions {
  readonly memory: CallMemory;
  /** Those that are known when the form opens. */
  readonly servers: KnownServers;
  /** The dev server that a screen led here from. */
  readonly server: string | undefined;
}

/** The target of a form. It never changes by itself, whatever is started or ended meanwhile. */
export class TargetChoice {
  target: CallTarget;
  readonly #options: TargetChoiceOptions;

  constructor(options: TargetChoiceOptions) {
    const { memory, servers, server } = options;
    this.#options = options;
    const chosen = server === undefined ? memory.target : 'dev';
    this.target = toChosenTarget(this.#toTargets(servers), chosen);
  }

  /** The address of the target, or of the server that the project has. */
  get serverUrl(): string {
    const { server, servers } = this.#options;
    return this.target.url ?? server ?? servers.address.url;
  }

  /** The targets that were there when the form opened. */
  get known(): readonly CallTarget[] {
    return this.#toTargets(this.#options.servers);
  }

  /** The targets that there are now: servers that have started or ended meanwhile count. */
  async find(root: string, terminal: Terminal): Promise<readonly CallTarget[]> {
    return this.#toTargets(await findServers(root, terminal));
  }

  choose(target: CallTarget): void {
    this.target = target;
    this.#options.memory.target = target.id;
  }

  #toTargets(known: KnownServers): readonly CallTarget[] {
    const { server } = this.#options;
    return toCallTargets(
      server === undefined ? known : { ...known, address: { url: server, isRunning: true } },
    );
  }
}

/** The servers that can be called. `root`: absolute path of the project. */
export async function findServers(root: string, terminal: Terminal): Promise<KnownServers> {
  const known = {
    address: await findServerAddress(root, terminal),
    devServers: await findDevServers(root),
  };
  try {
    return { ...known, environments: readEnvironments(root) };
  } catch {
    // Settings that are being edited may be broken for a moment.
    return { ...known, environments: {} };
  }
}
