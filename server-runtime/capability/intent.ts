/** The effect of a capability on data. It gives the HTTP method of names that match no prefix rule. */
export type Intent = 'query' | 'mutation' | 'update' | 'replace' | 'delete';

export const intents = ['query', 'mutation', 'update', 'replace', 'delete'] as const satisfies readonly Intent[];

export function isIntent(value: unknown): value is Intent {
  return (intents as readonly unknown[]).includes(value);
}
