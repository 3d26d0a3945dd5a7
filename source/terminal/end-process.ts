/**
 * Ends the process with the exit code (by default the one that an interrupt has set, else 0), after everything written has left it. It does not wait for what user code left open (a timer, a
 * connection pool): a command that is done is done.
 */
export async function endProcess(exitCode: number | undefined): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(exitCode ?? process.exitCode);
}

/** Makes a reader that went away (`capix list | head -1`) the quiet end of the process, where Node would print a stack. */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()));
}
