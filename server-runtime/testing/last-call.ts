import type { CallMarks, TraceKind } from '../capability/trace.ts';
import type { RunningCall } from '../execution/execute.ts';
import { type EndMark, followWaits, lookForQueries, type WaitMarks } from '../observe/waits.ts';
import { callsWithoutQueue } from '../server/job.ts';

let isFollowed = false;

/** What a call has waited for: statements, outgoing requests, commands of Redis. */
interface Waits {
  readonly queries: number;
  readonly calls: number;
  readonly commands: number;
  readonly statements: readonly string[];
}

/** Counts what the calls of a test server wait for. */
export class LastCall {
  readonly #byParent = new WeakMap<object, CountedWaits>();
  #last: CountedWaits | undefined;

  constructor() {
    if (isFollowed) return;
    isFollowed = true;
    followWaits(findCurrent);
  }

  /** The calls that a call makes in this process are its own, and the fields of an operation are one. */
  readonly begin = (call: RunningCall): void => {
    lookForQueries(findCurrent);
    const { parent = call, transport } = call;
    // A job begins where its call has ended: it is another one.
    const outer = transport === 'queue' ? undefined : findCurrent();
    const counted = outer ?? this.#byParent.get(parent) ?? new CountedWaits();
    this.#byParent.set(parent, counted);
    call.marks = counted;
    if (transport !== 'queue') this.#last = counted;
  };

  /** @throws Error where no call has begun */
  readonly read = (): Waits => {
    if (this.#last === undefined)
      throw new Error('last(): no capability of this server was called yet.');
    return this.#last.read();
  };
}

class CountedWaits implements CallMarks, WaitMarks {
  readonly #statements: string[] = [];
  readonly #counts = { http: 0, redis: 0, trace: 0 };

  run<T>(kind: TraceKind, name: string, part: () => T): T {
    this.begin(kind, name);
    return part();
  }

  note(): void {}

  begin(kind: TraceKind, name: string): EndMark {
    if (kind === 'db') this.#statements.push(name);
    else this.#counts[kind] += 1;
    return () => {};
  }

  addEnded(kind: TraceKind, name: string): void {
    this.begin(kind, name);
  }

  read(): Waits {
    const { http: calls, redis: commands } = this.#counts;
    const statements = [...this.#statements];
    return { queries: statements.length, calls, commands, statements };
  }
}

function findCurrent(): CountedWaits | undefined {
  const marks = callsWithoutQueue.getStore()?.call?.marks;
  return marks instanceof CountedWaits ? marks : undefined;
}
