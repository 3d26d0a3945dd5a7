/** Gives what is written to stdout and stderr, which goes on as it did. */
export function tapOutput(take: (stream: 'stdout' | 'stderr', text: string) => void): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const { write } = process[name];
    process[name].write = function tapped(this: NodeJS.WriteStream, ...args: unknown[]): boolean {
      if (typeof args[0] === 'string') take(name, args[0]);
      return (write as (...args: unknown[]) => boolean).apply(this, args);
    } as typeof write;
  }
}
