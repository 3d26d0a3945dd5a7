import type { ContextRequest } from '../capability/context.ts';
import type { OptionNames } from '../errors/expect-options.ts';
import type { Failure } from '../errors/failure.ts';
import type { Logger } from './logger.ts';

/** A request that has its answer. */
export interface AnsweredRequest {
  /** The request. */
  readonly request: ContextRequest;
  /** Key of the capability; undefined when no route matched. */
  readonly capability: string | undefined;
  /** Status of the answer. */
  readonly status: number;
  /** The time from its first byte to its answer, milliseconds. */
  readonly durationMs: number;
}

/** A request that did not succeed. */
export interface FailedRequest {
  /** The request. */
  readonly request: ContextRequest;
  /** Key of the capability; undefined when no route matched. */
  readonly capability: string | undefined;
  /** The failure: what the caller is told, and what lay behind it. */
  readonly failure: Failure;
  /** The thrown value; undefined where the framework itself refused. */
  readonly error: unknown;
}

/** A job that failed and is not tried again. */
export interface GivenUpJob {
  /** Key of the capability. */
  readonly capability: string;
  /** As `enqueue` gave it. */
  readonly jobId: string;
  /** Attempts that were made. */
  readonly attempts: number;
  /** Attempts that it had in all. */
  readonly maxAttempts: number;
  /** The failure of the last attempt. */
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

/** All hooks of one kind as one function that never throws; undefined where there is none. */
export interface CompiledHooks {
  readonly onRequest: ((request: ContextRequest) => void) | undefined;
  readonly onResponse: ((answered: AnsweredRequest) => void) | undefined;
  readonly onError: ((failed: FailedRequest) => void) | undefined;
  readonly onJobGivenUp?: ((job: GivenUpJob) => void) | undefined;
}

export function compileHooks(hooks: readonly Hooks[], logger: Logger): CompiledHooks {
  return {
    onRequest: join(
      'onRequest',
      hooks.flatMap((each) => each.onRequest ?? []),
      logger,
    ),
    onResponse: join(
      'onResponse',
      hooks.flatMap((each) => each.onResponse ?? []),
      logger,
    ),
    onError: join(
      'onError',
      hooks.flatMap((each) => each.onError ?? []),
      logger,
    ),
    onJobGivenUp: join(
      'onJobGivenUp',
      hooks.flatMap((each) => each.onJobGivenUp ?? []),
      logger,
    ),
  };
}

function join<Event>(
  name: string,
  hooks: readonly ((event: Event) => void | Promise<void>)[],
  logger: Logger,
): ((event: Event) => void) | undefined {
  if (hooks.length === 0) return undefined;
  const report = (error: unknown): void =>
    logger.error(`[capix] The ${name} hook failed; the request was answered all the same.`, { error });
  return (event) => {
    for (const hook of hooks) {
      try {
        hook(event)?.then(undefined, report);
      } catch (error) {
        report(error);
      }
    }
  };
}
