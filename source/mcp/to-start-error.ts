import { createCliError } from '../cli/cli-error.ts';

/** The error by which the command ends where the server does not start. `port`: undefined over stdio. */
export function toStartError(error: unknown, port?: number): unknown {
  if (error instanceof Error && 'packages' in error) {
    const words = {
      name: (error.packages as readonly string[]).join(' '),
      purpose: 'which capix speaks MCP through',
    };
    return createCliError('MissingPackage', words, { cause: error });
  }
  if (
    port !== undefined &&
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  )
    return createCliError('PortTaken', { port, owner: '' }, { cause: error });
  if (error instanceof TypeError)
    return createCliError('InvalidTools', { reason: error.message }, { cause: error });
  return error;
}
