import * as z from 'zod';
import { capability, createServer, restTransport } from '../../../server-runtime/index.ts';
import { topic } from '../../../server-runtime/topics/index.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';

const Task = z.object({ id: z.string(), title: z.string(), due: z.coerce.date() });
const saved = new Map<string, z.infer<typeof Task>>();
const changes = topic<z.infer<typeof Task>>('tasks');

const saveTask = capability(Task, async (task) => {
  saved.set(task.id, task);
  await changes.publish(task);
});
const listTasks = capability(async function* (_input: unknown, { signal }) {
  // It hears from now on, so that nothing is lost between the list and its changes.
  const later = await changes.subscribe({ signal });
  yield* saved.values();
  yield* later;
});

export const server = createServer({
  capabilities: { tasks: { saveTask, listTasks } },
  transports: [restTransport({ port: 0 }), webSocketTransport()],
});
