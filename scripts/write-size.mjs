/**
 * `npm run size`: measures library and tool, prints what they are, and writes it into the tables of
 * `docs/internals/architecture.md`.
 * `npm run size -- paths` measures the paths, too, which takes a minute.
 */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { halves, measurePlaces, measureRooms, measureWhole } from './size/measure-size.mjs';
import { readLimits, writeRows } from './size/size-table.mjs';

const rooms = Object.entries(measureRooms());
writeRows(
  'Rooms',
  rooms.map(([room, { files, characters }]) => [`\`${room}\``, files, characters]),
);
const whole = measureWhole();
writeRows(
  'The whole',
  readLimits('The whole').map(({ label, limit }) => [label, whole[label], limit]),
);

for (const [room, size] of rooms) print(room, size);
for (const [half, places] of Object.entries(halves)) print(`the ${half}`, measurePlaces(places));
for (const { label, limit } of readLimits('The whole')) {
  const excess = whole[label] > limit ? ', which is too many' : '';
  console.log(
    `${label}: ${whole[label].toLocaleString('en')} of ${limit.toLocaleString('en')}${excess}`,
  );
}

if (process.argv.includes('paths')) {
  const args = ['vitest', 'run', 'test/architecture/size.test.ts'];
  const env = { ...process.env, CAPIX_SIZE: 'write' };
  process.exitCode = spawnSync('npx', args, { stdio: 'inherit', env }).status ?? 1;
}

function print(name, { files, characters, lines }) {
  const average = (characters / Math.max(lines, 1)).toFixed(1);
  console.log(
    `${name}: ${files} files, ${characters.toLocaleString('en')} characters, ${average} a line`,
  );
}
