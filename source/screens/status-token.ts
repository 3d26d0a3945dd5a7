import type { Token } from '../kit/theme/tokens.ts';

/** `'200'`; of a request whose caller has left before the answer, `'left'`. */
export function toStatusText(status: number): string {
  return status === 0 ? 'left' : String(status);
}

/** The colour of an HTTP status; 0 is that of a request whose caller has left. */
export function toStatusToken(status: number): Token {
  if (status === 0 || status >= 500) return 'danger';
  return status >= 400 ? 'warning' : 'success';
}
