/** The things that a request holds, and lets go of when it is over: the last one first, as `await using` does. */
export interface Resources {
  /**
   * Gives back what it is given, whose `[Symbol.asyncDispose]()`, or else `[Symbol.dispose]()`, is called when the
   * request is over.
   *
   * @throws TypeError for what has neither
   */
  readonly use: <Resource extends object | null | undefined>(resource: Resource) => Resource;
  /** Calls a function when the request is over, and waits for it. */
  readonly defer: (release: () => unknown) => void;
}

export interface OwnedResources extends Resources {
  /** Releases all of them, one after another. Rejects, after the last, with the first fault. Once only. */
  readonly release: () => Promise<void>;
}

/** The time that a handler has once nobody waits for its answer; then what it holds is released. */
const GRACE_MS = 10_000;

// Not every runtime has the symbols; compilers that know `await using` register them under these names then.
const ASYNC_DISPOSE: symbol = (Symbol.asyncDispose as symbol | undefined) ?? Symbol.for('Symbol.asyncDispose');
const DISPOSE: symbol = (Symbol.dispose as symbol | undefined) ?? Symbol.for('Symbol.dispose');

/** @param signal fires when nobody waits for the answer any more */
export function createResources(signal: AbortSignal, graceMs = GRACE_MS): OwnedResources {
  const releases: (() => unknown)[] = [];
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const defer: Resources['defer'] = (release) => {
    if (!isOver) return void releases.push(release);
    void (async () => release())().catch(() => {});
    throw new Error(
      'resources: the request is over, so that this was let go of at once. Take resources before the answer.',
    );
  };
  const use: Resources['use'] = (resource) => {
    if (resource === null || resource === undefined) return resource;
    const members = resource as Readonly<Record<symbol, unknown>>;
    const dispose = members[ASYNC_DISPOSE] ?? members[DISPOSE];
    if (typeof dispose !== 'function')
      throw new TypeError('resources.use: expected an object with a method [Symbol.asyncDispose] or [Symbol.dispose].');
    defer(() => Reflect.apply(dispose, resource, []));
    return resource;
  };
  const release = async (): Promise<void> => {
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', releaseLate);
    const faults: unknown[] = [];
    for (let next = releases.pop(); next !== undefined; next = releases.pop())
      await (async (each) => each())(next).catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
  };
  /** A handler that never ends would hold what it has for ever. Nobody is left who could be told of a fault. */
  function releaseLate(): void {
    timer = setTimeout(() => void release().catch(() => {}), graceMs);
    // In some runtimes a timer is a number.
    (timer as { readonly unref?: () => void }).unref?.();
  }

  if (signal.aborted) releaseLate();
  else signal.addEventListener('abort', releaseLate, { once: true });
  return { use, defer, release };
}
