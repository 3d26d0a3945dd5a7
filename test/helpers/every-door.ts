import { afterEach, beforeEach, describe, it } from 'vitest';
import { startOverWebSocket } from './start-over-web-socket.ts';
import { describeEverywhere, type StartRest, startThrough } from './start-rest.ts';

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

/** A case that speaks of statuses, paths, headers, bytes or forms, which messages do not have: over HTTP alone. */
export const itOverHttp = Object.assign(
  (name: string, run: () => void | Promise<void>): void => {
    if (!isOverWebSocket) register(name, run);
  },
  {
    each: ((...rows: [never]) => (isOverWebSocket ? () => {} : it.each(...rows))) as typeof it.each,
  },
);
