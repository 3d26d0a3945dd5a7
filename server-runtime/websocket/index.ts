// The public surface of `capix/websocket`.
import type { GroupTree, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { loadPackage } from '../errors/load-package.ts';
import { applicationOf } from '../server/application.ts';
import { replacedSignal } from '../server/dev-link.ts';
import type { Transport } from '../server/transport.ts';
import type { Door } from './door.ts';
import { toWebSocketObject, toWebSocketSettings, type WebSocketOptions } from './options.ts';

export type { WebSocketLimits, WebSocketOptions } from './options.ts';

/**
 * Serves capabilities over WebSockets, at `/_call` of the transport that listens. It needs the package `ws`.
 * @throws TypeError or RangeError for an invalid option
 */
export function webSocketTransport<Own extends GroupTree = Record<never, never>>(
  options: WebSocketOptions<Own> = {},
): Uninferred<Transport<never, NeedsOf<Own>>, Own> {
  const settings = toWebSocketSettings(options);
  let door: Door | undefined;
  let replaced: AbortSignal | undefined;
  const leave = (): void => door?.leave('reload');
  return {
    name: 'websocket',
    needsHost: true,
    describe: (prefix) => [toWebSocketObject(settings, prefix)],
    capabilities: options.capabilities,
    start: async (app) => {
      const { createDoor } = await loadPackage(
        ['ws'],
        'webSocketTransport',
        () => import('./door.ts'),
      );
      door = createDoor(applicationOf(app), settings);
      // Under `capix dev`, where calls that have begun are answered by the code that was replaced.
      replaced = replacedSignal();
      replaced.addEventListener('abort', leave);
      return { routes: [] };
    },
    open: () => door?.open(),
    take: (request, response, host) => door?.take(request, response, host) === true,
    upgrade: (request, host) => door?.upgrade(request, host),
    stop: async ({ graceMs }) => {
      replaced?.removeEventListener('abort', leave);
      await door?.stop(graceMs);
    },
  };
}
