/** A place that says which resources have changed, and tells those who want to know. */
export interface ResourceChanges {
  /** Says that a resource has changed, by its address: `shop://orders/7`. Agents that watch it read it anew. */
  readonly tell: (uri: string) => void;
  /** Calls `listener` with the address of each change. Gives the function that ends that. */
  readonly subscribe: (listener: (uri: string) => void) => () => void;
}

/**
 * The changes of the resources of one process, for the option `changes` of `mcpTransport`. A server of several
 * processes gives an object of its own with the same two functions, over its own channel.
 *
 * @example
 * ```ts
 * import { createResourceChanges, mcpTransport } from 'capix/mcp';
 *
 * const changes = createResourceChanges();
 *
 * const payOrder = capability(z.object({ id: z.int() }), ({ id }) => {
 *   changes.tell(`shop://orders/${id}`);
 *   return { id, state: 'paid' };
 * });
 * const server = createServer({ capabilities: { orders: { payOrder } }, transports: [mcpTransport({ changes })] });
 * ```
 */
export function createResourceChanges(): ResourceChanges {
  const listeners = new Set<(uri: string) => void>();
  return {
    tell: (uri) => {
      for (const listener of listeners) listener(uri);
    },
    subscribe: (listener) => {
      const own = (uri: string): void => listener(uri);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
