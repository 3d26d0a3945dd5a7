import { createClient, type SocketTransport } from '../../../server-runtime/client/index.ts';
import type { server } from './live-list.ts';

/** Shows the tasks, and each one that changes, until the signal fires. */
export async function showTasks(
  transport: SocketTransport,
  show: (title: string, due: Date) => void,
  signal: AbortSignal,
): Promise<void> {
  const api = createClient<typeof server>({ transport });
  for await (const { title, due } of await api.tasks.listTasks({}, { signal })) show(title, due);
}
