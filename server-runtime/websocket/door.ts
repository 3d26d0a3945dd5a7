import { toConnectionHeaders } from '../http/sockets/call-headers.ts';
import { SocketDoor, upgradePort } from '../http/sockets/socket-door.ts';
import { UpgradeCall } from '../http/sockets/upgrade-call.ts';
import type { Application } from '../server/application.ts';
import { Connection, type ConnectionParts } from './connection.ts';
import { ConnectionGuards } from './connection-guards.ts';
import type { WebSocketSettings } from './options.ts';
import { formats } from './wire.ts';

export type Door = SocketDoor<Connection>;

/** @throws Error for a version of ws that is too old */
export function createDoor(app: Application, settings: WebSocketSettings): Door {
  const plans: ConnectionParts['plans'] = new WeakMap();
  const guards = new ConnectionGuards(
    app,
    settings,
    (connection) => new UpgradeCall(app, upgradePort, connection.toUpgrade()),
  );
  return new SocketDoor(app, {
    name: 'websocket',
    neededBy: 'webSocketTransport',
    path: settings.path,
    // A client that offers none of these speaks plain JSON.
    protocols: Object.keys(formats),
    compression: settings.compression,
    limits: settings.limits,
    guards: settings.guards,
    findRefusal: (call) => guards.findRefusalOf(call, settings.guards),
    // Named one by one: an object of the rest of another takes 640 bytes more, for as long as it is connected.
    connect: ({ webSocket, socket, request, remoteAddress, facts, refusal, onClose }) =>
      new Connection({
        app,
        settings,
        webSocket,
        socket,
        facts,
        remoteAddress,
        url: request.url,
        headers: toConnectionHeaders(request.headers),
        guards,
        refusal,
        plans,
        onClose,
      }),
  });
}
