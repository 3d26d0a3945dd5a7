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
