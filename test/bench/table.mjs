import { median } from './measure.mjs';
import { findGoal } from './servers.mjs';

/**
 * The rows of one scenario, one for each server. `ratio` is how many times as fast as that server capix is, by CPU time
 * per request: the median of the rounds' ratios; `bestRatio` is that of the best rounds. Where capix is not measured the first server stands in for it.
 */
export function toRows(scenario, measured, nodeVersion = process.versions.node) {
  const capix = measured.find(({ name }) => name === 'capix') ?? measured[0];
  return measured.map(({ name, rounds }) => ({
    scenario: scenario.name,
    server: name,
    cpuUs: median(rounds.map(({ cpuUs }) => cpuUs)),
    bestCpuUs: best(rounds),
    requestsPerSecond: median(rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    ratio: median(rounds.map(({ cpuUs }, round) => cpuUs / capix.rounds[round].cpuUs)),
    bestRatio: best(rounds) / best(capix.rounds),
    goal: findGoal(name, scenario.name, nodeVersion),
  }));
}

/** What else a machine does only adds to a round, so the best one is the least disturbed. */
function best(rounds) {
  return Math.min(...rounds.map(({ cpuUs }) => cpuUs));
}

export function toScenarioText(title, rows) {
  const lines = rows.map(({ server, cpuUs, requestsPerSecond, p99Ms, ratio, bestRatio, goal }) => [
    server,
    cpuUs.toFixed(1),
    Math.round(requestsPerSecond).toLocaleString('en'),
    p99Ms.toFixed(2),
    ratio.toFixed(2),
    bestRatio.toFixed(2),
    goal === undefined ? '' : `${goal.toFixed(2)} ${ratio >= goal ? 'reached' : 'not reached'}`,
  ]);
  return toText(
    [
      title,
      'CPU µs/request',
      'requests/s',
      'p99 ms',
      'capix is × as fast',
      'by best rounds',
      'goal',
    ],
    lines,
  );
}

/** The rows of a scenario on several versions of Node: `[{version, rows}]`. */
export function toSideBySide(title, tables) {
  const head = [
    title,
    ...tables.flatMap(({ version }) => [
      `Node ${version}: µs`,
      'capix is ×',
      'best rounds',
      'goal',
    ]),
  ];
  const lines = tables[0].rows.map(({ server }, index) => [
    server,
    ...tables.flatMap(({ rows }) => {
      const { cpuUs, ratio, bestRatio, goal } = rows[index];
      const reached =
        goal === undefined ? '' : `${goal.toFixed(2)} ${ratio >= goal ? 'reached' : 'not reached'}`;
      return [cpuUs.toFixed(1), ratio.toFixed(2), bestRatio.toFixed(2), reached];
    }),
  ]);
  return toText(head, lines);
}

/** Columns two spaces apart; the first to the left, the others to the right. */
export function toText(head, lines) {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column].length)),
  );
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
        )
        .join('  '),
    )
    .join('\n');
}
