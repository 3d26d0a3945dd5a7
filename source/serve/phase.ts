import { isOwnPlace, type PlaceName } from './server-message.ts';

/** A process as far as connections are concerned. */
export interface Taker {
  /** Whether it answers connections of this place now. */
  takes(place: PlaceName): boolean;
}

/** What a supervisor is doing. It is in one phase at a time, and never leaves `stopping`. */
export type Phase<Runner> =
  /** No server runs: nothing was started yet, or what ran has ended by itself. */
  | { readonly kind: 'idle' }
  /** `isSettled`: the time is over in which it may open ports of the version before again. */
  | { readonly kind: 'answering'; readonly live: Runner; readonly isSettled: boolean }
  /** `live` answers until `next` has started. There is no `live` where it had to end first, and at the first start. */
  | {
      readonly kind: 'starting';
      readonly live: Runner | undefined;
      /** Undefined until there is room for it. */
      readonly next: Runner | undefined;
    }
  /** `live` has started. Nothing of the version before may follow an answer of it, so both get no connection. */
  | { readonly kind: 'handing'; readonly live: Runner }
  /** `live` is the process that answered when the supervisor was stopped, and ends. */
  | { readonly kind: 'stopping'; readonly live: Runner | undefined };

/** Where a connection goes. */
export type Direction<Runner> =
  | { readonly kind: 'to'; readonly runner: Runner }
  /** It stays until the phase changes. */
  | { readonly kind: 'wait' }
  /** It is answered with 503 and this message. */
  | { readonly kind: 'refuse'; readonly message: string };

/** Decides where a connection of a place goes. */
export function directConnection<Runner extends Taker>(
  phase: Phase<Runner>,
  place: PlaceName,
): Direction<Runner> {
  switch (phase.kind) {
    case 'idle':
      return refuse(
        'The server is not running; `capix dev` says why and starts it on the next change.',
      );
    case 'answering':
      if (phase.live.takes(place)) return { kind: 'to', runner: phase.live };
      return phase.isSettled ? refuse('The new code does not listen here.') : { kind: 'wait' };
    case 'starting':
      return directDuringStart(phase, place);
    case 'handing':
      return { kind: 'wait' };
    case 'stopping':
      return refuse('The server is being stopped.');
  }
}

function directDuringStart<Runner extends Taker>(
  { live, next }: Extract<Phase<Runner>, { kind: 'starting' }>,
  place: PlaceName,
): Direction<Runner> {
  if (live?.takes(place)) return { kind: 'to', runner: live };
  // Code that starts may call a server that it has opened itself, and wait for the answer.
  if (live === undefined && isOwnPlace(place) && next?.takes(place))
    return { kind: 'to', runner: next };
  return { kind: 'wait' };
}

/** The process that answers, or would if it were not about to take over or to end. */
export function findLive<Runner>(phase: Phase<Runner>): Runner | undefined {
  return phase.kind === 'idle' ? undefined : phase.live;
}

function refuse(message: string): Direction<never> {
  return { kind: 'refuse', message };
}
