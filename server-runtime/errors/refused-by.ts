/** The guard that refused a call. */
export interface RefusedBy {
  /** As `defineGuard` or `defineInputGuard` has it. */
  readonly name: string;
  /** Whether it looked at the input, so that another one may pass. */
  readonly sawInput: boolean;
}

/** An error is the caller's to throw again, so who threw it stands beside it. */
const guards = new WeakMap<object, RefusedBy>();

/** Remembers which guard has thrown. */
export function noteRefusal(thrown: unknown, guard: RefusedBy): void {
  if (typeof thrown === 'object' && thrown !== null) guards.set(thrown, guard);
}

/** The guard that threw it; undefined for what something else threw. */
export function findRefusedBy(thrown: unknown): RefusedBy | undefined {
  return typeof thrown === 'object' && thrown !== null ? guards.get(thrown) : undefined;
}
