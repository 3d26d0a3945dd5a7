/**
 * What `capix dev` costs a server that is busy, and what the busy server costs the screen. The server alone, under `--plain` and under the
 * screen are asked in turn, 2,000 times a second, so that round n of one stands beside round n of the others; then each once more while it
 * writes 200,000 lines at 20,000 a second. Each server has the first core for itself. Load, screen and bundlers share the second.
 *
 *     node test/bench/dev/load.mjs [--seconds 4] [--rounds 7]
 */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from '../measure.mjs';
import { pinLoad } from '../server-process.mjs';
import { createProject, startAlone, startPlain, startScreen } from './busy-servers.mjs';
import { percentile, sendSteadily } from './steady-load.mjs';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, rounds: { type: 'string', default: '7' } },
});
const plan = { requestsPerSecond: 2_000, seconds: Number(options.seconds) };
/** Of a burst after a pause more details are kept than of what goes on. */
const leadIn = { ...plan, seconds: 2 };
const FLOOD_SECONDS = 10;

for (const name of ['NODE_EXTRA_CA_CERTS', 'CI', 'NO_COLOR']) delete process.env[name];
pinLoad();
const folder = await createProject();
const subjects = [];
try {
  subjects.push(
    await startAlone(folder),
    await startPlain(folder, ['--no-requests']),
    await startPlain(folder, []),
  );
  const screen = await startScreen(folder);
  subjects.push(screen);
  for (const subject of subjects) await sendSteadily(subject, leadIn);
  print('2,000 requests a second', await measureRounds(Number(options.rounds)));
  const watched = screen.watchKeysAndMemory();
  print('2,000 requests a second while 20,000 lines a second are written', await measureFloods());
  console.table([watched()]);
} finally {
  for (const subject of subjects) await subject.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

async function measureRounds(count) {
  const rounds = [];
  for (let round = 0; round < count; round++) {
    const measured = [];
    // Another one begins each time: what ran just before does not favour one of them.
    for (let turn = 0; turn < subjects.length; turn++) {
      const at = (turn + round) % subjects.length;
      await sendSteadily(subjects[at], leadIn);
      measured[at] = await sendSteadily(subjects[at], plan);
    }
    rounds.push(measured);
  }
  return rounds;
}

async function measureFloods() {
  const measured = [];
  for (const subject of subjects) {
    await subject.flood();
    measured.push(await sendSteadily(subject, { ...plan, seconds: FLOOD_SECONDS }));
    await sleep(2_000);
  }
  return [measured];
}

function print(title, rounds) {
  console.log(title);
  const [alone] = rounds[0].map((_, at) => at);
  console.table(
    subjects.map(({ name }, at) => ({
      server: name,
      'CPU µs/request': round(median(rounds.map((each) => each[at].cpuUs))),
      'of alone': round(median(rounds.map((each) => each[at].cpuUs / each[alone].cpuUs))),
      'p50 ms': round(median(rounds.map((each) => percentile(each[at].timesMs, 0.5)))),
      'p50 of alone': round(
        median(
          rounds.map(
            (each) => percentile(each[at].timesMs, 0.5) / percentile(each[alone].timesMs, 0.5),
          ),
        ),
      ),
      'p95 ms': round(median(rounds.map((each) => percentile(each[at].timesMs, 0.95)))),
      'requests/s': Math.round(median(rounds.map((each) => each[at].requestsPerSecond))),
    })),
  );
}

function round(value) {
  return Math.round(value * 1000) / 1000;
}
