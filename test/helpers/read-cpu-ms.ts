import { readFileSync } from 'node:fs';

/** The CPU time that a process has taken on Linux, milliseconds. */
export function readCpuMs(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10;
}
