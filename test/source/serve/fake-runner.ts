import { onTestFinished } from 'vitest';
import type { ServeOutcome, ThrownError } from '../../../source/serve/server-message.ts';
import {
  type Runner,
  Supervisor,
  type SupervisorOptions,
} from '../../../source/serve/supervisor.ts';
import type { WorkerEnd } from '../../../source/serve/worker.ts';

const ended: WorkerEnd = { exitCode: 0, signalName: undefined };
export const ready: ServeOutcome & { readonly kind: 'ready' } = {
  kind: 'ready',
  running: [],
  ports: [],
  isRepeatable: true,
};
export const code = { url: 'file:///p/server.ts', environment: {}, hooks: {} };
export const settle = () => new Promise(setImmediate);

/** A promise that the test resolves. */
function defer<Value>() {
  let resolve = (_value: Value): void => {};
  const promise = new Promise<Value>((give) => {
    resolve = give;
  });
  return { promise, resolve };
}

/** A process that the test moves by hand. */
export class FakeRunner {
  readonly places = new Map<string, string>();
  ready: Runner['ready'];
  failed: Runner['failed'];
  isReplaced = false;
  readonly calls: string[] = [];
  readonly started = defer<ServeOutcome>();
  readonly ended: Promise<WorkerEnd>;
  isEnded = false;
  end: (end?: WorkerEnd) => void = () => {};
  /** What `stop`, `retire` and `makeRoom` wait for, where the test holds them. */
  readonly held = new Map<string, Promise<unknown>>();

  constructor() {
    this.ended = new Promise((resolve) => {
      this.end = (end = ended) => {
        this.isEnded = true;
        resolve(end);
      };
    });
  }

  hold(call: string): () => void {
    const { promise, resolve } = defer<unknown>();
    this.held.set(call, promise);
    return () => resolve(undefined);
  }

  async #do(call: string): Promise<void> {
    this.calls.push(call);
    await this.held.get(call);
  }

  warm = () => void this.calls.push('warm');
  run = () => {
    this.calls.push('run');
    return this.started.promise;
  };
  preloadState = async () => 'fresh' as const;
  retryJob = async () => true;
  inspect = (_port: number, waits: boolean) =>
    void this.calls.push(`inspect${waits ? ' wait' : ''}`);
  endInspecting = () => this.#do('endInspecting');
  takes = (place: string) => this.places.has(place);
  connect = () => {};
  accept = () => {};
  takeUntaken = () => [];
  retire = async () => {
    this.isReplaced = true;
    await this.#do('retire');
  };
  makeRoom = async () => {
    this.isReplaced = true;
    await this.#do('makeRoom');
  };
  cut = () => this.#do('cut');
  leave = async () => {
    await this.#do('leave');
    this.end();
  };
  stop = async () => {
    await this.#do('stop');
    this.end();
    return this.ended;
  };
}

export function open(options: Partial<SupervisorOptions> = {}) {
  const runners: FakeRunner[] = [];
  const exits: unknown[] = [];
  const notices: string[] = [];
  const supervisor = new Supervisor({
    project: { root: '/p', entryFile: '/p/server.ts' },
    environment: {},
    nodeOptions: [],
    graceMs: 1_000,
    records: 'nothing',
    allowedHosts: [],
    onOutput: () => {},
    onMessage: () => {},
    onNotice: (notice) => void notices.push(notice.code),
    onExit: (exit) => void exits.push(exit),
    startRunner: () => {
      const runner = new FakeRunner();
      runners.push(runner);
      return runner;
    },
    ...options,
  });
  onTestFinished(() => supervisor.stop());
  const serve = (signal = new AbortController().signal) => supervisor.serve(code, [], signal);
  /** Starts a version that answers. */
  const answer = async () => {
    const serving = serve();
    await settle();
    const runner = runners.at(-1) as FakeRunner;
    runner.started.resolve(ready);
    await serving;
    return runner;
  };
  return { supervisor, runners, exits, notices, serve, answer };
}

export const failed = (error?: Partial<ThrownError>): ServeOutcome => ({
  kind: 'failed',
  during: 'run',
  error: error && { name: 'Error', message: '', stack: '', ...error },
  exit: undefined,
});

/** Those that got code. */
export function coded(runners: readonly FakeRunner[]): readonly FakeRunner[] {
  return runners.filter(({ calls }) => calls.includes('run'));
}
