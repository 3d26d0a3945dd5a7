/** Sends what is written to stdout to stderr, until the returned function is called. */
export function divertStdout(): () => void {
  const { stdout, stderr } = process;
  const { write } = stdout;
  stdout.write = ((...args: Parameters<typeof stderr.write>) =>
    stderr.write(...args)) as typeof write;
  return () => {
    stdout.write = write;
  };
}
