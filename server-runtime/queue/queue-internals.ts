import type { GroupTree } from '../capability/group-tree.ts';
import type { Job, JobSettings } from './job.ts';

const QUEUE: unique symbol = Symbol.for('capix.queue') as never;

/** The parts of a queue transport that the tool needs, and its users do not. */
export interface QueueInternals {
  readonly capabilities: GroupTree;
  /** The settings by key, with every default applied. */
  readonly settings: ReadonlyMap<string, JobSettings>;
}

export function withQueueInternals<T extends object>(transport: T, internals: QueueInternals): T {
  return Object.defineProperty(transport, QUEUE, { value: internals });
}

/** Undefined for what `queueTransport` did not make, of this copy of the package or another. */
export function findQueueInternals(value: unknown): QueueInternals | undefined {
  return typeof value === 'object' && value !== null
    ? (value as { readonly [QUEUE]?: QueueInternals })[QUEUE]
    : undefined;
}

/** Takes the jobs of a test in place of their queue, whose internals it is given. */
export type JobSink = (job: Job, queue: QueueInternals) => void;

/** The sink of each call of a test server. */
const sinks = new WeakMap<object, JobSink>();

export function setJobSink(call: object, sink: JobSink): void {
  sinks.set(call, sink);
}

export function findJobSink(call: object): JobSink | undefined {
  return sinks.get(call);
}
