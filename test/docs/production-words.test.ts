import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const scaling = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');

it.each([
  ['how long idle connections are kept behind a proxy', 'limits: { keepAliveTimeoutMs: 65_000 }'],
  ['the same of nginx', '`keepalive_timeout`'],
  ['the same of a balancer of AWS', '`idle_timeout`'],
  ['that readiness fails first', 'server.stop({ readinessMs: 5000 })'],
  ['how a pod waits without code', 'preStop: { sleep: { seconds: 5 } }'],
  ['how long a pod may take to end', '`terminationGracePeriodSeconds`'],
  ['how many proxies are trusted', 'trustProxy: 1'],
])('the page of production says %s', (_, words) => {
  expect(scaling).toContain(words);
});
