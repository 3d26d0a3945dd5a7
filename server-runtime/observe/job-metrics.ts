import { Gauge, type Registry } from 'prom-client';
import { findQueueInternals, type QueueInternals } from '../server/job.ts';
import type { AnyTransport } from '../server/transport.ts';
import { answerWithin } from '../stores/answer-within.ts';

const NAME = 'capix_jobs';
/** How long a queue may take to count its jobs, milliseconds. Later, the metrics are read without them. */
const COUNT_MS = 1000;

/** Two servers of one process count together. */
type JobsGauge = Gauge & { readonly queues: Set<QueueInternals> };

/** Adds the jobs of these queues, by capability and phase. @throws TypeError for what is not a queue */
export function countJobs(registry: Registry, queues: readonly AnyTransport[]): void {
  if (queues.length === 0) return;
  const found = registry.getSingleMetric(NAME) as JobsGauge | undefined;
  const counted = (found ?? createGauge(registry)).queues;
  for (const queue of queues) {
    const internals = findQueueInternals(queue);
    if (internals === undefined)
      throw new TypeError('prometheus queues: expected a list of what queueTransport(…) makes.');
    counted.add(internals);
  }
}

function createGauge(registry: Registry): JobsGauge {
  const queues = new Set<QueueInternals>();
  const gauge = new Gauge({
    name: NAME,
    help: 'Jobs by phase: waiting, delayed, active, failed.',
    labelNames: ['capability', 'phase'],
    // Every process counts the same jobs in Redis.
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const counting = Array.from(queues, (queue) => answerWithin(queue.counts(), COUNT_MS));
      const answers = await Promise.allSettled(counting);
      // A queue that is away has no numbers, and not those of before.
      this.reset();
      for (const answer of answers) {
        if (answer.status === 'rejected') continue;
        for (const { key: capability, ...phases } of answer.value)
          for (const [phase, count] of Object.entries(phases))
            this.inc({ capability, phase }, count);
      }
    },
  });
  return Object.assign(gauge, { queues });
}
