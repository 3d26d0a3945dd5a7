/** Runs user code with everything that it prints sent to stderr: stdout belongs to the command. */
export async function divertStdout<T>(use: () => Promise<T>): Promise<T> {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = ((...args: Parameters<typeof stderr.write>) => stderr.write(...args)) as typeof write;
  try {
    return await use();
  } finally {
    stdout.write = write;
  }
}
