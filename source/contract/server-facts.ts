import type { WebSocketObject } from '../../server-runtime/server/guests.ts';
import type { CorsFacts, DocumentFacts } from '../document/facts.ts';
import { readWebSockets } from '../document/operations/read-web-sockets.ts';
import { toSortedText } from '../document/schema-json.ts';
import {
  type ContractChange,
  compareFacts,
  compareMembers,
  type Fact,
  safeIfMore,
} from './changes/contract-change.ts';

/** The facts that hold for every call of a server of ours. */
export function toServerFacts(facts: DocumentFacts): readonly Fact[] {
  const { timeoutMs, etag = false, cors, calls, queuePrefixes } = facts;
  return [
    ...toFormatFacts(facts),
    toTimeoutFact('server.timeout', timeoutMs),
    {
      id: 'etag',
      rule: 'etag-changed',
      at: 'server',
      label: '`ETag` of responses to GET',
      value: etag !== false,
      classes: safeIfMore,
    },
    {
      id: 'calls',
      rule: 'calls-changed',
      at: 'server',
      label: 'the inferred client',
      value: calls,
      classes: safeIfMore,
    },
    ...toCorsFacts(cors),
    ...toLimitFacts(facts),
    {
      id: 'queue prefixes',
      rule: 'queue-renamed',
      at: 'server.queue',
      label: 'prefix of queues',
      value: new Set(queuePrefixes),
    },
  ];
}

/** The form in which every answer is sent. */
function toFormatFacts({ prefix, envelope }: DocumentFacts): readonly Fact[] {
  const { dataField, errorType, validationStatus } = envelope;
  return [
    {
      id: 'prefix',
      rule: 'prefix-changed',
      at: 'server.prefix',
      label: 'prefix of every path',
      value: prefix,
    },
    {
      id: 'data field',
      rule: 'envelope-changed',
      at: 'server.data',
      label: 'field of the data',
      value: dataField || '',
    },
    {
      id: 'error type',
      rule: 'error-format-changed',
      at: 'server.failureType',
      label: 'media type of errors',
      value: errorType,
    },
    {
      id: 'validation status',
      rule: 'error-format-changed',
      at: 'server.validationStatus',
      label: 'status of bad input',
      // Neither of two statuses is less than the other.
      value: `${validationStatus}`,
    },
  ];
}

function toLimitFacts({ bodyLimits: { maxBodySize, forms } }: DocumentFacts): readonly Fact[] {
  const limits = Object.entries({ maxBodySize, ...forms });
  return [
    {
      id: 'forms',
      rule: 'body-limit-changed',
      at: 'server.multipart',
      label: 'the reading of forms',
      value: forms !== undefined,
      classes: safeIfMore,
    },
    ...limits.map(
      ([name, value]): Fact => ({
        id: `limit ${name}`,
        rule: 'body-limit-changed',
        at: `server.${name}`,
        label: `\`${name}\``,
        value,
        classes: safeIfMore,
      }),
    ),
  ];
}

function toCorsFacts(cors: DocumentFacts['cors']): readonly Fact[] {
  const isOn = cors !== false;
  return [
    {
      id: 'cors',
      rule: 'cors-changed',
      at: 'server.cors',
      label: 'CORS',
      value: isOn,
      classes: safeIfMore,
    },
    ...(isOn ? toCorsSettings(cors) : []),
  ];
}

function toCorsSettings({ exposeHeaders = '', credentials, ...lists }: CorsFacts): readonly Fact[] {
  return Object.entries({ ...lists, exposeHeaders, credentials }).map(([name, setting]): Fact => {
    const common = {
      id: `cors ${name}`,
      rule: 'cors-changed',
      at: `server.cors.${name}`,
      label: `\`${name}\` of CORS`,
      classes: safeIfMore,
    } as const;
    if (typeof setting === 'boolean') return { ...common, value: setting };
    // The order and the case of words say nothing.
    const value = new Set(setting.toLowerCase().match(/[^\s,]+/g));
    return { ...common, value, text: setting };
  });
}

/** The timeout of a server that sets none, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;

export function toTimeoutFact(at: string, valueMs = DEFAULT_TIMEOUT_MS): Fact {
  return {
    id: 'timeout',
    rule: 'timeout-changed',
    at,
    label: 'timeout',
    value: valueMs,
    classes: safeIfMore,
    text: `${valueMs} ms`,
  };
}

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
