import { EventEmitter, on } from 'node:events';
import * as z from 'zod';
import { capability, createServer, restTransport } from '../../../server-runtime/index.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';

const Task = z.object({ id: z.string(), title: z.string(), due: z.coerce.date() });
type Task = z.infer<typeof Task>;

const saved = new Map<string, Task>();
const changes = new EventEmitter<{ task: [Task] }>();

const saveTask = capability(Task, (task) => {
  saved.set(task.id, task);
  changes.emit('task', task);
  return task;
});

const listTasks = capability(async function* (_input: unknown, { signal }) {
  // It hears from now on, so that nothing is lost between the list and its changes.
  const later = on(changes, 'task', { signal });
  yield* saved.values();
  for await (const [task] of later) yield task as Task;
});

export const server = createServer({
  capabilities: { tasks: { saveTask, listTasks } },
  transports: [restTransport({ port: 0 }), webSocketTransport()],
});
