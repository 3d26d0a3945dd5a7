/** A pattern as JSON Schema understands it; undefined where JavaScript does not. */
export function toRegExp(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Patterns that people write are often valid only without `u`.
    }
  }
  return undefined;
}
