/**
 * One peer of one row, in a process of its own: `node child.mjs <module of the row> <peer>`. Says where it listens, and
 * answers the questions of `run.mjs`: `cpu` and `work`.
 */
import process from 'node:process';

const [file, peer] = process.argv.slice(2);
const { peers } = await import(file);
const { url, work, end } = await peers[peer]();

/** What processes that the work started have cost, and said. */
let othersUs = 0;

process.on('message', (question) => void answer(question));
process.on('disconnect', () => void leave());
process.send({ url });

async function answer(question) {
  if (question === 'work') othersUs += (await work()) ?? 0;
  const { user, system } = process.cpuUsage();
  process.send({ cpuUs: user + system + othersUs });
}

async function leave() {
  await end?.();
  process.exit(0);
}
