/** A process that has a port open. */
export interface PortOwner {
  readonly pid: number;
  /** Name of its program; undefined where it cannot be read. */
  readonly program: string | undefined;
}

/** Which process listens on a TCP port of this machine; undefined where the system does not say. */
export async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  try {
    const { portToPid } = await import('pid-port');
    const pid = await portToPid({ port, host: '*' });
    if (pid === undefined) return undefined;
    const isWindows = process.platform === 'win32';
    const output = isWindows
      ? await readOutput('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'])
      : await readOutput('ps', ['-o', 'comm=', '-p', String(pid)]);
    return { pid, program: isWindows ? parseTaskName(output) : output.split('/').at(-1)?.trim() || undefined };
  } catch {
    return undefined; // A help to the user, who gets the message without it.
  }
}

/** The program in a line of `tasklist`: `"node.exe","4711","Console","1","50,000 K"`; undefined for none. */
export function parseTaskName(output: string): string | undefined {
  return /^"([^"]+?)(?:\.exe)?","\d+"/im.exec(output)?.[1];
}

async function readOutput(program: string, words: readonly string[]): Promise<string> {
  const { execa } = await import('execa');
  const { stdout } = await execa(program, words, { reject: false, timeout: 2_000 });
  return stdout;
}
