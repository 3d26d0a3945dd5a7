import { inspect } from 'node:util';
import { escapeControl } from './escape-control.ts';

/**
 * Where the framework writes. `details` goes to the log only, never to a caller. Loggers of pino, winston and bunyan may be given as they are.
 */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, details?: { readonly requestId?: string | undefined; readonly error?: unknown }): void;
}

/**
 * Plain lines: information on stdout, warnings and errors (with their stack) on stderr. Control characters in them are written out: what a
 * caller sends cannot steer the terminal.
 */
export const consoleLogger: Logger = {
  info: (message) => console.log(escapeControl(message)),
  warn: (message) => console.warn(escapeControl(message)),
  error: (message, { requestId, error } = {}) => {
    const request = requestId === undefined ? '' : ` (request ${requestId})`;
    const thrown = error === undefined ? '' : ` ${typeof error === 'string' ? error : inspect(error)}`;
    console.error(escapeControl(`${message}${request}${thrown}`));
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
