import type { WebSocketObject } from '../../server-runtime/server/guests.ts';
import { readWebSockets } from '../document/operations/read-web-sockets.ts';
import { toSortedText } from '../document/sorted-json.ts';
import type { ContractChange } from './changes/contract-change.ts';
import { compareFacts, compareMembers, type Fact, safeIfMore } from './compare-facts.ts';

/** The limits of which a document may name each; one that it does not name is none. */
const limitNames = ['maxMessageSize', 'calls', 'callsPerSecond', 'connections', 'idleMs'] as const;

/**
 * Compares the WebSockets of two documents, by their paths. `mayLack` where a document may leave them out, as one that
 * is published does where another server serves them: only what both name is compared then.
 */
export function compareWebSockets(
  before: object,
  after: object,
  mayLack: boolean,
): readonly ContractChange[] {
  const older = readWebSockets(before);
  const newer = readWebSockets(after);
  if (mayLack && (older.length === 0 || newer.length === 0)) return [];
  const moved = compareMembers(older.map(toName), newer.map(toName), {
    at: 'server.websocket',
    added: 'websocket-added',
    removed: 'websocket-removed',
  });
  return [...moved, ...compareFacts(older.flatMap(toFacts), newer.flatMap(toFacts))];
}

function toName({ path }: WebSocketObject): string {
  return `the WebSocket at \`${path}\``;
}

function toFacts(webSocket: WebSocketObject): readonly Fact[] {
  const { path, protocols, security, limits } = webSocket;
  const name = toName(webSocket);
  return [
    {
      id: `${path} protocols`,
      rule: 'websocket-protocol-changed',
      at: 'server.websocket.protocols',
      label: `subprotocols of ${name}`,
      value: new Set(protocols),
      classes: safeIfMore,
    },
    {
      id: `${path} security`,
      rule: 'websocket-security-changed',
      at: 'server.websocket.security',
      label: `credentials of ${name}`,
      value: new Set(security.map((scheme) => toSortedText(scheme))),
      classes: { less: 'safe' },
      text: security.map((scheme) => ('scheme' in scheme ? scheme.scheme : scheme.type)).join(', '),
    },
    ...limitNames.map(
      (limit): Fact => ({
        id: `${path} ${limit}`,
        rule: 'websocket-limit-changed',
        at: `server.websocket.${limit}`,
        label: `\`${limit}\` of ${name}`,
        value: limits[limit] ?? Number.POSITIVE_INFINITY,
        classes: safeIfMore,
        text: limits[limit] === undefined ? 'none' : String(limits[limit]),
      }),
    ),
  ];
}
