// The public surface of `capix/queue`.

export type { FailedJob, Job, JobOptions } from './job.ts';
export { type JobsOfOptions, type QueueOptions, type QueueTransport, queueTransport } from './queue-transport.ts';
