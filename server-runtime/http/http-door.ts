import type { Failure } from '../errors/failure.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import type { ItemSource } from '../resources/item-source.ts';
import type { Application } from '../server/application.ts';
import type { Call } from '../server/call.ts';
import { type Guests, membersOf } from '../server/guests.ts';
import type { Exchange, RawHeaders } from './exchange.ts';
import type { HttpResponse } from './http-response.ts';

/**
 * Answers the requests for one path of a host, which gives them what all of its requests have: CORS, limits of bodies,
 * headers, hooks and an end when the server stops.
 */
export interface HttpDoor {
  /** The path behind the prefix of the host. */
  readonly path: string;
  /** The name of its transport, for contexts and hooks. */
  readonly transport: string;
  /** The methods that it takes, as the header `Allow` has them. */
  readonly allow: string;
  answer(request: DoorRequest): void;
  /** The JSON by which it refuses a request. */
  toRefusalText(reason: Failure): string;
}

/** A request at a door. The calls that the door makes are parts of it. */
export interface DoorRequest extends Call {
  /** That of all calls that are parts of it; the first of them has it built. */
  context: MaybePromise<object> | undefined;
  readonly exchange: Exchange;
  /** Reads a body of JSON, or refuses the request. */
  takeJson(onBody: (bytes: Buffer) => void): void;
  /** Fires the signal when the caller leaves. */
  watchLeave(): void;
  send(response: HttpResponse): void;
  /** Sends items one by one. Rejects with the error that is there in place of the first one. */
  sendItems(items: ItemSource, format: ItemFormat): Promise<void>;
}

/** The texts of a body that consists of items. */
export interface ItemFormat {
  /** Whether items are events, which may have ids. */
  readonly isEvents: boolean;
  readonly headers: RawHeaders;
  readonly item: (value: unknown) => string | Uint8Array;
  /** A heartbeat, which clients ignore; undefined for bytes. */
  readonly beat?: string;
  /** The last text, when the source fails after its first item; bytes break off. */
  readonly failed?: (thrown: unknown) => string;
}

/** On a transport that has a door: makes it, for one host. */
export const DOOR: unique symbol = Symbol.for('capix.door');

export interface HasDoor {
  readonly [DOOR]: (app: Application) => Promise<HttpDoor>;
}

/** The doors of the transports beside a host, by their paths behind its prefix. Rejects where one cannot be made. */
export async function openDoors(
  guests: Guests,
  prefix: string,
): Promise<ReadonlyMap<string, HttpDoor>> {
  const doors = await Promise.all(
    membersOf(guests).flatMap(({ transport, toApp }) =>
      DOOR in transport ? (transport as unknown as HasDoor)[DOOR](toApp()) : [],
    ),
  );
  const byPath = new Map(doors.map((door) => [prefix + door.path, door]));
  if (byPath.size < doors.length)
    throw new Error(
      `Two transports have the path ${doors[0]?.path}: give one of them another, { path }.`,
    );
  return byPath;
}
