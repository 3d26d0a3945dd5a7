// The public surface of `capix/queue`.

export type { FailedJob } from '../server/jobs/job-board.ts';
export type { JobOptions } from './job.ts';
export { type QueueOptions, type QueueTransport, queueTransport } from './queue-transport.ts';
export type { JobsOfOptions } from './to-settings.ts';
