/** The import of a library alone, in a fresh process each time. */
import { execFileSync } from 'node:child_process';
import process from 'node:process';

export const units = 5;
export const warmUpRounds = 1;

const importing = (specifier) => {
  const code = `
    await import(${JSON.stringify(specifier)});
    const { user, system } = process.cpuUsage();
    process.stdout.write(String(user + system));
  `;
  const importOnce = () =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }),
    );
  return {
    work: () => Array.from({ length: units }, importOnce).reduce((sum, cpuUs) => sum + cpuUs, 0),
  };
};

export const peers = {
  capix: () => importing(new URL('../../../dist/server-runtime/index.js', import.meta.url).href),
  Fastify: () => importing(import.meta.resolve('fastify')),
  'an empty Node': () => importing('node:path'),
};
