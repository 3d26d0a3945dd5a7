import type { ContextRequest } from '../capability/context.ts';
import type { OptionNames } from '../errors/expect-options.ts';
import { type Failure, isPromise } from '../errors/failure.ts';
import type { Logger } from './logger.ts';

/** A request that has its response. */
export interface AnsweredRequest {
  readonly request: ContextRequest;
  /** Key of the capability; undefined when no route matched. */
  readonly capability: string | undefined;
  readonly status: number;
  /** The time from its first byte to its answer, milliseconds. */
  readonly durationMs: number;
}

/** A request that did not succeed. */
export interface FailedRequest extends Pick<AnsweredRequest, 'request' | 'capability'> {
  readonly failure: Failure;
  /** The thrown value; undefined where the framework itself refused. */
  readonly error: unknown;
}

/** A job that failed and is not tried again, with the failure of its last attempt. */
export interface GivenUpJob {
  readonly capability: string;
  readonly jobId: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly failure: Failure;
}

/** Looks on; cannot change anything. An error inside a hook is logged. */
export interface Hooks {
  /** A request has arrived. */
  readonly onRequest?: ((request: ContextRequest) => void | Promise<void>) | undefined;
  /** A request has its answer, whatever it is. */
  readonly onResponse?: ((answered: AnsweredRequest) => void | Promise<void>) | undefined;
  /** A request did not succeed; before `onResponse`. */
  readonly onError?: ((failed: FailedRequest) => void | Promise<void>) | undefined;
  /** A job is not tried again. */
  readonly onJobGivenUp?: ((job: GivenUpJob) => void | Promise<void>) | undefined;
}

export const hookNames: OptionNames<Hooks> = { onRequest: true, onResponse: true, onError: true, onJobGivenUp: true };

type EventOf<Name extends keyof Hooks> = Parameters<NonNullable<Hooks[Name]>>[0];

/** All hooks of one kind as one function that never throws; undefined where there is none. */
export type CompiledHooks = { readonly [Name in keyof Hooks]-?: ((event: EventOf<Name>) => void) | undefined };

export function compileHooks(all: readonly Hooks[], logger: Logger): CompiledHooks {
  const names = Object.keys(hookNames) as (keyof Hooks)[];
  const join = (name: keyof Hooks) => {
    const hooks = all.flatMap((each) => (each[name] as ((event: unknown) => unknown) | undefined) ?? []);
    const report = (error: unknown): void =>
      logger.error(`[capix] The ${name} hook failed; the request was answered all the same.`, { error });
    const run = (event: unknown): void => {
      for (const hook of hooks) {
        try {
          const done = hook(event);
          if (isPromise(done)) done.then(undefined, report);
        } catch (error) {
          report(error);
        }
      }
    };
    return [name, hooks.length === 0 ? undefined : run] as const;
  };
  return Object.fromEntries(names.map(join)) as unknown as CompiledHooks;
}
