import { isSameOwner, type SessionOwner } from './session-owner.ts';

/** Calls of sessions that this process does not know, as those opened with the code of before: each is answered alone, and can be cancelled like any other. */
export interface LoneCalls {
  /** Answers a request, until it is cancelled. */
  readonly follow: (request: Request, body: unknown, call: LoneCall) => Promise<Response>;
  /** Whether a message cancels one of the calls, which has then ended. */
  readonly cancel: (request: Request, body: unknown, owner: SessionOwner) => boolean;
}

export interface LoneCall {
  /** The caller, who alone may cancel it. */
  readonly owner: SessionOwner;
  readonly answer: () => Promise<Response>;
  /** Ends the work for it. */
  readonly end: () => void;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

/** The calls that can be cancelled at once: one whose answer is a stream stays among them until its place is needed. */
const MAX_CALLS = 1000;

export function createLoneCalls(): LoneCalls {
  const calls = new Map<string, { readonly owner: SessionOwner; readonly end: () => void }>();
  return {
    follow: async (request, body, { owner, answer, end }) => {
      const { id } = Object(body) as Message;
      const key = toKey(request, id);
      if (id === undefined || key === undefined) return answer();
      if (calls.size >= MAX_CALLS) calls.delete(calls.keys().next().value ?? '');
      const cancelled = new Promise<Response>((resolve) => {
        const endCall = (): void => {
          end();
          resolve(new Response(null, { status: 202 }));
        };
        calls.set(key, { owner, end: endCall });
      });
      const forget = (): void => void calls.delete(key);
      const answered = answer();
      // A stream of messages goes on behind its head.
      void answered.then(({ headers }) => headers.get('content-type') === 'text/event-stream' || forget(), forget);
      return Promise.race([answered, cancelled]);
    },
    cancel: (request, body, owner) => {
      const { method, params } = Object(body) as Message;
      const key = method === 'notifications/cancelled' ? toKey(request, params?.requestId) : undefined;
      const call = key === undefined ? undefined : calls.get(key);
      if (key === undefined || call === undefined || !isSameOwner(call.owner, owner)) return false;
      calls.delete(key);
      call.end();
      return true;
    },
  };
}

/** Undefined for a request without a session, whose ids are nobody's own. */
function toKey({ headers }: Request, id: unknown): string | undefined {
  const session = headers.get('mcp-session-id');
  return session === null ? undefined : JSON.stringify([session, id]);
}
