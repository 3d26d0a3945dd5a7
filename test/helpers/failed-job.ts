import type { StoredJob } from '../../server-runtime/server/jobs/job-board.ts';

/** A job that has failed for the last time. */
export const failedJob = {
  id: '7',
  key: 'mails.send',
  input: { to: 'ada' },
  headers: {},
  phase: 'failed',
  attempts: 3,
  maxAttempts: 3,
  addedAt: 0,
  error: 'Unreachable',
} as const satisfies StoredJob;
