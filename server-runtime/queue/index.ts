// The public surface of `capix/queue`.

export type { FailedJob, JobOptions } from '../server/job.ts';
export { type QueueOptions, type QueueTransport, queueTransport } from './queue-transport.ts';
