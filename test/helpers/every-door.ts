import { afterEach, beforeEach, describe, it } from 'vitest';
import { createServer, type ServerOptions, silentLogger } from '../../server-runtime/index.ts';
import { startOverWebSocket } from './start-over-web-socket.ts';
import { describeEverywhere, type StartRest, startThrough } from './start-rest.ts';
import { startSockets, type Talk } from './start-web-sockets.ts';

const register: (name: string, run: () => void | Promise<void>) => void = it;

/** Whether the cases that are registered now run over a WebSocket. */
let isOverWebSocket = false;

/** Runs the same cases over real sockets, through the fetch form, and over a WebSocket. */
export function describeThroughEveryDoor(name: string, cases: (start: StartRest) => void): void {
  describeEverywhere(name, cases);
  describeOverWebSocket(name, () => cases(startOverWebSocket));
}

/** Runs the same cases over sockets and over a WebSocket: `startOverSocket` and `ask` go through the door of a case. */
export function describeOverSockets(name: string, cases: () => void): void {
  describe(`${name}, over HTTP`, cases);
  describeOverWebSocket(name, cases);
}

function describeOverWebSocket(name: string, cases: () => void): void {
  describe(`${name}, over a WebSocket`, () => {
    beforeEach(() => startThrough(startOverWebSocket));
    afterEach(() => startThrough('http'));
    isOverWebSocket = true;
    cases();
    isOverWebSocket = false;
  });
}

/** Calls a capability, and gives what its caller gets; rejects with the error that its caller gets. */
export type Invoke = (call: InvokedCall) => Promise<unknown>;

interface InvokedCall {
  readonly capability: string;
  readonly input?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Runs the same cases through `invoke`, and over a WebSocket. */
export function describeInvocations(
  name: string,
  cases: (serve: (options: ServerOptions) => Invoke) => void,
): void {
  describe(`${name}, through invoke`, () =>
    cases((options) => {
      const server = createServer({ logger: silentLogger, ...options });
      return (call) => server.invoke(call);
    }));
  describe(`${name}, over a WebSocket`, () => cases(invokeOverWebSocket));
}

function invokeOverWebSocket(options: ServerOptions): Invoke {
  let talking: Promise<Talk> | undefined;
  return async ({ capability: key, input, headers }) => {
    talking ??= startSockets(options).then(({ open }) => open());
    const talk = await talking;
    const { result, error } = await talk.ask(key, input, { headers });
    if (error === undefined) return result;
    const { error: name, status, meta } = error.data;
    throw Object.assign(new Error(error.message), { name, status, meta });
  };
}

/** A case that speaks of statuses, paths, headers, bytes or forms, which messages do not have: over HTTP alone. */
export const itOverHttp = Object.assign(
  (name: string, run: () => void | Promise<void>): void => {
    if (!isOverWebSocket) register(name, run);
  },
  {
    each: ((...rows: [never]) => (isOverWebSocket ? () => {} : it.each(...rows))) as typeof it.each,
  },
);
