import type { Terminal } from '../../terminal/terminal.ts';
import type { RequestHeaders } from './request-headers.ts';

/** The headers by terminal, so that they are gone when the application ends and are written nowhere. */
const headersOf = new WeakMap<Terminal, RequestHeaders>();

/** The headers that were last filled in; none at first. */
export function recallHeaders(terminal: Terminal): RequestHeaders {
  return headersOf.get(terminal) ?? {};
}

export function rememberHeaders(terminal: Terminal, headers: RequestHeaders): void {
  headersOf.set(terminal, headers);
}
