/** The short form for build machines: fails on a gross loss against node:http by hand, which no noise explains. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureScenario, median } from './measure.mjs';
import { scenarios } from './scenarios.mjs';
import { toText } from './table.mjs';

const LOSS = 0.7;
const file = join(import.meta.dirname, 'ratios.json');
const plan = { processes: 3, rounds: 5, requestsPerRound: 500, warmUp: 2000 };
const quickPlan = { processes: 1, rounds: 3, requestsPerRound: 200, warmUp: 300 };

/**
 * `[{scenario, ratio, committed, isLost}]` of the scenarios that `ratios.json` has for this major version of Node, or for any. `server`: absolute path of
 * another server to check in place of the one of this tree.
 */
export async function checkRatios({ node, version, server, isQuick = false }) {
  const committed = JSON.parse(readFileSync(file, 'utf8'));
  const expected = committed[version.split('.')[0]] ?? committed.other;
  const ours = {
    name: 'capix',
    ...(server === undefined ? { file: 'capix.mjs' } : { path: server }),
  };
  const servers = [ours, { name: 'node:http', file: 'node-http.mjs' }];
  const rows = [];
  for (const [name, ratio] of Object.entries(expected)) {
    const scenario = scenarios.find((each) => each.name === name);
    const [capix, byHand] = await measureScenario({
      scenario,
      servers,
      node,
      ...(isQuick ? quickPlan : plan),
    });
    const measured = median(
      byHand.rounds.map(({ cpuUs }, round) => cpuUs / capix.rounds[round].cpuUs),
    );
    rows.push({
      scenario: name,
      ratio: measured,
      committed: ratio,
      isLost: measured < ratio * LOSS,
    });
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
