import type { ThrownError } from '../server-message.ts';

const HELD =
  /\b(?:EEXIST|EADDRINUSE|EBUSY|EAGAIN|EWOULDBLOCK|ELOCKED|SQLITE_BUSY\w*|LEVEL_LOCKED)\b|\block(?:s|ed|file)?\b|\balready (?:held|open|opened|running|in use)\b/i;

/** Whether a start may have failed on something that only one process can have: a lock file, a UDP port, an embedded database. */
export function isHeldResource(error: ThrownError | undefined): error is ThrownError {
  // A TCP port is told of as what it is.
  if (error === undefined || (error.code === 'EADDRINUSE' && error.syscall !== 'bind')) return false;
  return HELD.test(`${error.code ?? ''} ${error.message}`);
}
