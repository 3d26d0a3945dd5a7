/** The abort signal of a context, where it has one. */
export function findSignal(ctx: unknown): AbortSignal | undefined {
  const signal = typeof ctx === 'object' && ctx !== null ? (ctx as { readonly signal?: unknown }).signal : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}
