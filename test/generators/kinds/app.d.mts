import type { createServer } from 'capix';

export const server: ReturnType<typeof createServer>;
export function takeReceived(): { requests: number; arrivals: unknown[] };
