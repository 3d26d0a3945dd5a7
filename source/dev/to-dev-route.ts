import type { DevRoute } from './dev-event.ts';

/** Reads a line of a transport, `GET   /items/:id  items.getItem`. */
export function toDevRoute(line: string): DevRoute {
  const [method = '', path = '', key = ''] = line.trim().split(/\s+/);
  return { method, path, key };
}
