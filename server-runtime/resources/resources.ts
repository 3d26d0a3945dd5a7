import { rememberContext } from './async-context.ts';

/** The things that a request holds, and lets go of when it is over: the last one first, as `await using` does. */
export interface Resources {
  /** Returns the resource. Its `[Symbol.asyncDispose]` or `[Symbol.dispose]` is called at the end of the call. */
  readonly use: <Resource extends object | null | undefined>(resource: Resource) => Resource;
  /** Calls a function then, and waits for it. */
  readonly defer: (release: () => unknown) => void;
}

export interface OwnedResources extends Resources {
  /** Rejects, after the last of them, with the fault; with an AggregateError where there are several. */
  readonly release: () => Promise<void>;
}

/**
 * After the signal has fired, a handler has `graceMs` to end. `onFault` is called with the error of a release that no
 * code waits for.
 */
export function createResources(
  signal: AbortSignal,
  onFault: (fault: unknown) => void,
  graceMs = 10_000,
): OwnedResources {
  const releases: (() => unknown)[] = [];
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const defer: Resources['defer'] = (release) => {
    // It runs as the code does that asks for it: in the span, and for the tenant, of its middleware.
    const run = rememberContext();
    releases.push(() => run(release));
    if (!isOver) return;
    void releaseAll().catch(onFault);
    throw new Error(
      'The request is over, so that this was let go of at once. Take resources before the answer.',
    );
  };
  const releaseAll = async (): Promise<void> => {
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', releaseLate);
    const faults: unknown[] = [];
    for (let next = releases.pop(); next !== undefined; next = releases.pop())
      await (async (each) => each())(next).catch((fault: unknown) => faults.push(fault));
    if (faults.length > 1)
      throw new AggregateError(faults, `${faults.length} things could not be released.`);
    if (faults.length === 1) throw faults[0];
  };
  const releaseLate = (): void => {
    timer = setTimeout(() => void releaseAll().catch(onFault), graceMs);
    timer.unref?.(); // In some runtimes it is a number.
  };
  if (signal.aborted) releaseLate();
  else signal.addEventListener('abort', releaseLate, { once: true });
  return {
    defer,
    use: (resource) => {
      if (resource === null || resource === undefined) return resource;
      const { [Symbol.asyncDispose]: later, [Symbol.dispose]: now } = resource as Partial<
        AsyncDisposable & Disposable
      >;
      const dispose = later ?? now;
      if (typeof dispose !== 'function')
        throw new TypeError(
          'resources.use: expected an object with [Symbol.asyncDispose] or [Symbol.dispose].',
        );
      defer(() => Reflect.apply(dispose, resource, []));
      return resource;
    },
    release: releaseAll,
  };
}
