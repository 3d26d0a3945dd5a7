import { spawnSync } from 'node:child_process';
import process from 'node:process';

/**
 * The command of a program of the system: the one that the environment names, as `CHROMIUM=/opt/chrome`, else the one in
 * the path. Where there is neither, root installs Debian's package of that name.
 * @throws Error that says what to install
 */
export function findProgram(name) {
  const variable = name.toUpperCase();
  const program = process.env[variable] ?? name;
  const isThere = () => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
  if (isThere()) return program;
  if (program === name && process.getuid?.() === 0) {
    const install = ['install', '--yes', '--no-install-recommends', name];
    const options = {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    const { status } = spawnSync('apt-get', install, options);
    if (status !== 0) {
      spawnSync('apt-get', ['update'], options);
      spawnSync('apt-get', install, options);
    }
    if (isThere()) return program;
  }
  throw new Error(`There is no ${program}: install ${name}, or name another one by ${variable}.`);
}
