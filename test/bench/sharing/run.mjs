/** `npm run bench -- --sharing`: what each enhancer costs a request, alone and with Redis, and the same by hand with other packages. */
import { parseArgs } from 'node:util';
import { pinLoad } from '../server-process.mjs';
import { inMemory, measureCases, shared, toEnhancerServers, toLimitServers } from './cases.mjs';
import { measureJobs, toJobsText } from './jobs.mjs';
import { measureProcesses, toProcessesText } from './processes.mjs';
import { startRedis } from './redis.mjs';
import { measureRoundTrips, toRoundTripsText } from './round-trips.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'round-trips,enhancers,limits,jobs,processes' },
  },
});
const only = options.only.split(',');
const isQuick = options.quick;
const plan = {
  node: process.execPath,
  processes: isQuick ? 1 : 2,
  rounds: isQuick ? 3 : 5,
  requestsPerRound: isQuick ? 3000 : 8000,
  warmUp: isQuick ? 3000 : 10_000,
};

const redis = await startRedis();
try {
  if (only.includes('round-trips'))
    print('Steps of the store', toRoundTripsText(await measureRoundTrips(redis.url)));
  if (only.includes('jobs'))
    print('Jobs', toJobsText(await measureJobs(redis.url, isQuick ? 2000 : 10_000)));
  if (only.includes('processes'))
    print('Processes', toProcessesText(await measureProcesses(redis.url, isQuick)));
  pinLoad();
  if (only.includes('enhancers')) {
    for (const name of inMemory)
      print(name, await measureCases(name, toEnhancerServers(name), plan));
    for (const name of shared)
      print(name, await measureCases(name, toEnhancerServers(name, redis.url), plan));
  }
  if (only.includes('limits')) {
    print('Limits in memory', await measureCases('withRateLimit', toLimitServers(), plan));
    print('Limits in Redis', await measureCases('withRateLimit', toLimitServers(redis.url), plan));
  }
} finally {
  await redis.end();
}

function print(title, text) {
  console.log(`\n${title}\n${text}`);
}
