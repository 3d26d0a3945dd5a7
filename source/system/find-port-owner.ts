export interface PortOwner {
  readonly pid: number;
  readonly program: string | undefined;
}

/** Which process listens on a TCP port of this machine; undefined where the system does not say. */
export async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  try {
    const [{ portToPid }, { execa }] = await Promise.all([import('pid-port'), import('execa')]);
    const pid = await portToPid({ port, host: '*' });
    if (pid === undefined) return undefined;
    const { stdout } = await execa('ps', ['-o', 'comm=', '-p', String(pid)], {
      reject: false,
      timeout: 2_000,
    });
    return { pid, program: stdout.split('/').at(-1)?.trim() || undefined };
  } catch {
    return undefined; // It only helps the user: the message is written without it, too.
  }
}
