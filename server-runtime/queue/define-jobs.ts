import type { AnyCapability } from '../capability/capability.ts';
import type { GroupTree, InputTo } from '../capability/group-tree.ts';
import type { Mistake } from '../errors/mistake.ts';
import type { InputOf, Schema } from '../schema/schema.ts';
import type { JobOptions } from '../server/job.ts';
import type { QueueOptions, QueueTransport } from './index.ts';

/** The inputs of jobs, in groups as their capabilities are: `{ mails: { send: z.object({ to: z.string() }) } }`. */
export interface JobInputs {
  /** The schema of a job, or a group of them. */
  readonly [name: string]: Schema | JobInputs;
}

/** The keys of jobs by their inputs: `'mails.send'`. */
export type JobKeyOf<Inputs> = {
  [Name in keyof Inputs & string]: Inputs[Name] extends Schema
    ? Name
    : `${Name}.${JobKeyOf<Inputs[Name]>}`;
}[keyof Inputs & string];

/** The schema of a job by its key. */
export type JobInputAt<Inputs, Key extends string> = Key extends keyof Inputs
  ? Inputs[Key]
  : Key extends `${infer Group extends keyof Inputs & string}.${infer Rest}`
    ? JobInputAt<Inputs[Group], Rest>
    : never;

/** `unknown` for the capability of each job that takes its input; else what it must be. */
export type FittingJobs<Inputs, Own> = {
  readonly [Name in keyof Inputs]: Name extends keyof Own
    ? Inputs[Name] extends Schema
      ? [InputOf<Inputs[Name]>] extends [InputTo<Own[Name]>]
        ? unknown
        : Mistake<`The job ${Name & string} takes another input than defineJobs says. Give it that schema: jobs.inputs`>
      : FittingJobs<Inputs[Name], Own[Name]>
    : Inputs[Name] extends Schema
      ? AnyCapability
      : GroupTree;
};

/** Jobs whose inputs are known before their handlers, so that they can enqueue each other. */
export interface DefinedJobs<Inputs extends JobInputs> {
  /** The schemas, for the capabilities: `capability(jobs.inputs.mails.send, …)`. */
  readonly inputs: Inputs;
  /** Adds a job, as `enqueue` of the transport does. Rejects with a TypeError before there is a transport. */
  readonly enqueue: <Key extends JobKeyOf<Inputs>>(
    key: Key,
    input: JobInputAt<Inputs, Key> extends infer S extends Schema ? InputOf<S> : never,
    options?: JobOptions,
  ) => Promise<string>;
  /** Makes the transport of the jobs, by `queueTransport`. Call it once, where their capabilities are known. */
  readonly toTransport: <Own extends GroupTree>(
    options: QueueOptions<Own> & { readonly capabilities: FittingJobs<Inputs, NoInfer<Own>> },
  ) => QueueTransport<Own>;
}

/** `queueTransport` makes the transport, once the capabilities are known. */
export function createJobs<Inputs extends JobInputs>(
  inputs: Inputs,
  queueTransport: <Own extends GroupTree>(options: QueueOptions<Own>) => QueueTransport<Own>,
): DefinedJobs<Inputs> {
  let transport: QueueTransport<GroupTree> | undefined;
  return {
    inputs,
    enqueue: async (key, input, options) => {
      if (transport !== undefined) return transport.enqueue(key, input, options);
      throw new TypeError(
        `The job ${key} has no queue yet. Import the module that calls jobs.toTransport({ capabilities }).`,
      );
    },
    toTransport: (options) => {
      if (transport !== undefined)
        throw new TypeError('jobs.toTransport was called before: these jobs have a transport.');
      const made = queueTransport(options);
      transport = made as unknown as QueueTransport<GroupTree>;
      return made;
    },
  };
}
