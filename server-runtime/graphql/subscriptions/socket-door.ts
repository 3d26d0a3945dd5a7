import { SocketDoor } from '../../http/sockets/socket-door.ts';
import type { Engine } from '../execution/engine.ts';
import { GRAPHQL_PROTOCOL, GraphqlConnection } from './graphql-connection.ts';

export type GraphqlSocketDoor = SocketDoor<GraphqlConnection>;

const limits = {
  maxMessageSize: 1024 * 1024,
  connections: Number.POSITIVE_INFINITY,
  pingMs: 30_000,
};

/** @throws Error for a version of ws that is too old */
export function createSocketDoor(engine: Engine, path: string): GraphqlSocketDoor {
  return new SocketDoor(engine.app, {
    name: 'graphql',
    neededBy: 'graphqlTransport({ webSocket: true })',
    path,
    protocols: [GRAPHQL_PROTOCOL],
    needsProtocol: true,
    limits,
    guards: [],
    connect: (opened) => new GraphqlConnection(engine, opened),
  });
}
