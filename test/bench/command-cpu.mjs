import { spawnSync } from 'node:child_process';

/** CPU of a command and the processes that it starts, milliseconds: the shell waits for them, and says what they took. `stdout`: a pipe. */
export function measureCommand(folder, [program, ...words]) {
  const quoted = [program, ...words].map((word) => `'${word}'`).join(' ');
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const { stderr } = spawnSync(
    'bash',
    ['-c', `TIMEFORMAT='%U %S'; time ${quoted} 2>/dev/null | cat >/dev/null`],
    {
      cwd: folder,
      encoding: 'utf8',
      env,
    },
  );
  const [user, system] = stderr.trim().split(/\s+/).map(Number);
  return (user + system) * 1000;
}
