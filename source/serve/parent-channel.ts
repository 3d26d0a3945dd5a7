import type { Socket } from 'node:net';
import type { ServerMessage, ServerOrder } from './server-message.ts';

/** A child's side of the channel to its supervisor. */
export interface ParentChannel {
  readonly send: (message: ServerMessage) => Promise<void>;
  readonly onMessage: (take: (message: ServerOrder, socket: Socket | undefined) => void) => void;
  /** Keeps the process alive, as a listening port would, until the function that it gives is called. */
  readonly hold: () => () => void;
}

/** How long code may take to end itself after the supervisor is gone, milliseconds. */
const ORPHAN_GRACE_MS = 2_000;

/** Connects to the process that started this one. When that is gone, however it went, this one ends too. */
export function connectToParent(): ParentChannel {
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), ORPHAN_GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  let holders = 0;
  const release = (): void => {
    holders -= 1;
    if (holders === 0) process.channel?.unref();
  };
  return {
    send: (message) =>
      new Promise((resolve) => {
        if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
        else resolve();
      }),
    onMessage: (take) =>
      void process.on('message', (message, socket) => take(message as ServerOrder, socket as Socket | undefined)),
    hold: () => {
      holders += 1;
      process.channel?.ref();
      return release;
    },
  };
}
