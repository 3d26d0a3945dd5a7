/** The short form for build machines: fails on a gross loss against node:http by hand, which no noise explains. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureScenario, median } from './measure.mjs';
import { scenarios } from './scenarios.mjs';
import { toText } from './table.mjs';

const LOSS = 0.7;
const file = join(import.meta.dirname, 'ratios.json');
const servers = [
  { name: 'capix', file: 'capix.mjs' },
  { name: 'node:http', file: 'node-http.mjs' },
];
const plan = { processes: 3, rounds: 5, requestsPerRound: 500, warmUp: 2000 };

/** `[{scenario, ratio, committed, isLost}]` of the scenarios that `ratios.json` has for this major version of Node, or for any. */
export async function checkRatios({ node, version }) {
  const committed = JSON.parse(readFileSync(file, 'utf8'));
  const expected = committed[version.split('.')[0]] ?? committed.other;
  const rows = [];
  for (const [name, ratio] of Object.entries(expected)) {
    const scenario = scenarios.find((each) => each.name === name);
    const [capix, byHand] = await measureScenario({ scenario, servers, node, ...plan });
    const measured = median(byHand.rounds.map(({ cpuUs }, round) => cpuUs / capix.rounds[round].cpuUs));
    rows.push({ scenario: name, ratio: measured, committed: ratio, isLost: measured < ratio * LOSS });
  }
  return rows;
}

export function toCheckedText(rows) {
  return toText(
    ['capix, × as fast as node:http by hand', 'now', 'committed', ''],
    rows.map(({ scenario, ratio, committed, isLost }) => [
      scenario,
      ratio.toFixed(2),
      committed.toFixed(2),
      isLost ? `below ${LOSS} of it` : 'ok',
    ]),
  );
}
