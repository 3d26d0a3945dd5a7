export const columns: readonly { title: string; operations: readonly string[] }[];
export const operations: readonly string[];
export const values: Readonly<Record<string, readonly unknown[]>>;
export const streamedItems: readonly unknown[];
export function send(base: string, operation: string, value: unknown): Promise<unknown>;
