import { resolve } from 'node:path';

const ROUNDS = 11;
const REQUESTS = 2000;

/**
 * Prints what requests cost in µs of CPU, asked in memory, without a socket, so that nothing hides it. The builds (that of `dist/`, and the one whose folder is the first argument) and the cases
 * take turns; each figure is the median of its rounds. `toCases` gives the cases of a build by name: functions that send one request.
 */
export async function measureInMemory(toCases) {
  const builds = { 'this build': new URL('../../dist', import.meta.url).pathname };
  if (process.argv[2] !== undefined) builds['the other'] = resolve(process.argv[2]);
  const cases = [];
  for (const [build, folder] of Object.entries(builds)) {
    const capix = await import(`${folder}/server-runtime/index.js`);
    for (const [name, send] of Object.entries(toCases(capix)))
      cases.push({ name: `${name}, ${build}`, send, rounds: [] });
  }
  for (let round = 0; round < ROUNDS + 2; round++) {
    for (const each of cases) {
      const before = process.cpuUsage();
      for (let n = 0; n < REQUESTS; n++) await each.send();
      const { user, system } = process.cpuUsage(before);
      if (round > 1) each.rounds.push((user + system) / REQUESTS);
    }
  }
  for (const { name, rounds } of cases) {
    const [median] = rounds.toSorted((a, b) => a - b).slice(rounds.length >> 1);
    console.log(name.padEnd(64), median.toFixed(2).padStart(7));
  }
}
