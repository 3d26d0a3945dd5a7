import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { type Deadline, DeadlineList } from '../../deadline/deadline-list.ts';

/** The time that a session has to end when it is told to, milliseconds: a request may be on its way to it. */
const CLOSING_MS = 1000;

/**
 * Ends the sessions of a server on which nothing is asked for `idleMs` milliseconds: the first request has not come, the last one has its
 * answer, or a head does not come to its end. node:http2 has no such limit, and HTTP/1.1 has.
 */
export function limitSessions(server: Http2Server, idleMs: number): void {
  const lists: Lists = { idle: new DeadlineList(idleMs), closing: new DeadlineList(CLOSING_MS) };
  server.on('session', (session) => new LimitedSession(session, lists));
}

interface Lists {
  readonly idle: DeadlineList;
  readonly closing: DeadlineList;
}

class LimitedSession implements Deadline {
  dueAt = 0;
  previous: Deadline | undefined = undefined;
  next: Deadline | undefined = undefined;
  readonly #session: ServerHttp2Session;
  readonly #lists: Lists;
  /** The list it is on while nothing is asked. */
  #list: DeadlineList | undefined;
  #unanswered = 0;

  constructor(session: ServerHttp2Session, lists: Lists) {
    this.#session = session;
    this.#lists = lists;
    session.on('stream', (stream: ServerHttp2Stream) => this.#begin(stream));
    session.once('close', () => this.#leaveList());
    this.#enterList();
  }

  expire(): void {
    this.#list = undefined;
    if (this.#session.closed) this.#session.destroy();
    else {
      this.#session.close();
      // It ends by itself, unless a head or the rest of a body is outstanding.
      if (!this.#session.destroyed) this.#enterList();
    }
  }

  /** A stream counts until its answer is written, not until it ends: the caller may keep it open. */
  #begin(stream: ServerHttp2Stream): void {
    if (this.#unanswered++ === 0) this.#leaveList();
    let isAnswered = false;
    const end = (): void => {
      if (isAnswered) return;
      isAnswered = true;
      if (--this.#unanswered === 0 && !this.#session.destroyed) this.#enterList();
    };
    stream.once('finish', end).once('close', end);
  }

  #enterList(): void {
    this.#list = this.#session.closed ? this.#lists.closing : this.#lists.idle;
    this.#list.add(this);
  }

  #leaveList(): void {
    this.#list?.remove(this);
    this.#list = undefined;
  }
}
