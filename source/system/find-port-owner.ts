import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process that has a port open. */
export interface PortOwner {
  readonly pid: number;
  /** Name of its program; undefined where it cannot be read. */
  readonly program: string | undefined;
}

/** Which process listens on a TCP port of this machine; undefined where the system does not say, or not to this user. */
export async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  try {
    return process.platform === 'linux' ? await findInProc(port) : await findByLsof(port);
  } catch {
    return undefined; // A help to the user, who gets the message without it.
  }
}

/** Absolute path of the folder that a process works in; undefined where the system does not say, or not to this user. */
export async function findWorkingFolder(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return await readlink(`/proc/${pid}/cwd`);
    return /^n(.+)$/m.exec(await readLsof(['-a', '-d', 'cwd', '-p', String(pid), '-Fn']))?.[1];
  } catch {
    return undefined;
  }
}

async function findInProc(port: number): Promise<PortOwner | undefined> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((table) => readFile(table, 'utf8').catch(() => '')),
  );
  const sockets = new Set(
    tables.flatMap((table) => findListeningInodes(table, port)).map((inode) => `socket:[${inode}]`),
  );
  if (sockets.size === 0) return undefined;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const folder = `/proc/${pid}/fd`;
    for (const file of await readdir(folder).catch(() => [])) {
      const target = await readlink(`${folder}/${file}`).catch(() => '');
      if (sockets.has(target))
        return { pid: Number(pid), program: (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() };
    }
  }
  return undefined;
}

/** Lines of the table are `sl local_address rem_address st … inode`, with the port in hexadecimal and state 0A for listening. */
function findListeningInodes(table: string, port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(suffix) && fields[3] === '0A')
    .flatMap((fields) => fields[9] ?? []);
}

async function findByLsof(port: number): Promise<PortOwner | undefined> {
  const stdout = await readLsof(['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']);
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  return pid === undefined ? undefined : { pid: Number(pid), program: /^c(.+)$/m.exec(stdout)?.[1] };
}

async function readLsof(words: readonly string[]): Promise<string> {
  const { execa } = await import('execa');
  const { stdout } = await execa('lsof', words, { reject: false, timeout: 2_000 });
  return stdout;
}
