import type { AuthInfo } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { isSameCaller, sharesWith } from './same-caller.ts';
import type { SessionTransport } from './session-transport.ts';

/** The sessions that callers have together, and how many of them one caller may have. */
const MAX_SESSIONS = 1000;
const MAX_OF_CALLER = 100;

interface Session {
  readonly transport: SessionTransport;
  readonly owner: AuthInfo;
}

/** The sessions of the revisions before 2026-07-28. A session that was unused for an hour ends. */
export class Sessions {
  readonly #byId = new LRUCache<string, Session>({
    max: MAX_SESSIONS,
    ttl: 3_600_000,
    updateAgeOnGet: true,
    dispose: ({ transport }) => void transport.close(),
  });

  has(id: string | null): boolean {
    return id !== null && this.#byId.has(id);
  }

  /** The transport of a session, for the caller that has opened it and for no other. */
  find(id: string | null, caller: AuthInfo): SessionTransport | undefined {
    const session = this.#byId.get(id ?? '');
    return session !== undefined && isSameCaller(session.owner, caller)
      ? session.transport
      : undefined;
  }

  /** Adds a session. Where its caller has as many as it may, its own that was used least recently ends. */
  add(id: string, session: Session): void {
    // From the session that was used last to the one that was used least recently.
    const own = [...this.#byId.keys()].filter((other) => {
      const owner = this.#byId.peek(other)?.owner;
      return owner !== undefined && sharesWith(session.owner, owner);
    });
    for (const leastUsed of own.slice(MAX_OF_CALLER - 1)) this.#byId.delete(leastUsed);
    this.#byId.set(id, session);
  }

  /** Ends the streams that have no end of their own. */
  closeStreams(): void {
    for (const { transport } of this.#byId.values()) transport.closeStandaloneSSEStream();
  }
}
