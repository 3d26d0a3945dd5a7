import type { MessagePort } from 'node:worker_threads';
import type { HooksOrder } from './code-note.ts';
import { createHooks, type Hooks } from './create-hooks.ts';

// The thread of Node 20 in which hooks run.

let hooks: Hooks;

export function initialize({ port }: { readonly port: MessagePort }): void {
  hooks = createHooks((note) => port.postMessage(note));
  port.on('message', (order: HooksOrder) => hooks.take(order));
  port.unref();
}

export const resolve: Hooks['resolve'] = (...parameters) => hooks.resolve(...parameters);
export const load: Hooks['load'] = (...parameters) => hooks.load(...parameters);
