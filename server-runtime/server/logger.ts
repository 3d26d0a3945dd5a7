/** Where the framework writes. `details` goes to the log only, never to a caller. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, details?: { readonly requestId?: string | undefined; readonly error?: unknown }): void;
}

/** Plain lines: information on stdout, warnings and errors (with their stack) on stderr. */
export const consoleLogger: Logger = {
  info: (message) => console.log(message),
  warn: (message) => console.warn(message),
  error: (message, details) => {
    const request = details?.requestId === undefined ? '' : ` (request ${details.requestId})`;
    if (details?.error === undefined) console.error(`${message}${request}`);
    else console.error(`${message}${request}`, details.error);
  },
};

/** Writes nothing. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** A logger whose own fault stops no answer: what it should have written goes to stderr, and the fault after it. */
export function toSafeLogger(logger: Logger): Logger {
  const attempt = (write: (to: Logger) => void): void => {
    try {
      write(logger);
    } catch (error) {
      write(consoleLogger);
      consoleLogger.error('[capix] The logger failed.', { error });
    }
  };
  return {
    info: (message) => attempt((to) => to.info(message)),
    warn: (message) => attempt((to) => to.warn(message)),
    error: (message, details) => attempt((to) => to.error(message, details)),
  };
}
