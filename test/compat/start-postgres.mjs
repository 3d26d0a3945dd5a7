/** A PostgreSQL of a test's own: that of Debian, in a folder of the system's temp, without a default cluster. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const versions = ['18', '17', '16', '15', '14'];
const folders = [
  ...(process.env.PATH ?? '').split(delimiter),
  ...versions.map((version) => `/usr/lib/postgresql/${version}/bin`),
];

function findProgram(name) {
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Whether this machine has one. */
export const hasPostgres = findProgram('initdb') !== undefined;

/** Starts one on a free port. Its programs refuse root: they run as the user `postgres` then. */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'capix-postgres-'));
  const isRoot = process.getuid?.() === 0;
  const as = (program, args) => {
    const found = findProgram(program) ?? program;
    return isRoot
      ? run('su', ['postgres', '-s', '/bin/sh', '-c', [found, ...args].join(' ')])
      : run(found, args);
  };
  if (isRoot) await run('chown', ['postgres', folder]);
  await chmod(folder, 0o700);
  const data = join(folder, 'data');
  await as('initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync']);
  const port = await findPort();
  const options = `-p ${port} -k ${folder} -c fsync=off -c listen_addresses=localhost`;
  const quoted = isRoot ? `'${options}'` : options;
  await as('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', quoted, 'start']);
  return {
    url: `postgres://postgres@localhost:${port}/postgres`,
    end: async () => {
      await as('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port that is free. */
export async function findPort() {
  const server = createServer().listen(0);
  await new Promise((resolve) => void server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
