import type { JobChange, JobChanged } from '../../../../server-runtime/server/jobs/job-board.ts';
import type { AskJobs, ShownJob } from '../../../serve/jobs/job-news.ts';

/** Asks for a change of a job. Gives a line that says what became of it. */
export async function changeJob(ask: AskJobs, change: JobChange, { key, id }: ShownJob): Promise<string> {
  try {
    return toChangedText(change, await ask('change-job', { change, key, id }), `${key} ${id}`);
  } catch (error) {
    return `${key} ${id} is as it was: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function toChangedText(change: JobChange, { isChanged, state }: JobChanged, name: string): string {
  if (!isChanged) return `${name} is as it was: ${toReason(state, change)}`;
  switch (change) {
    case 'retry':
      return `${name} waits for its first attempt again`;
    case 'promote':
      return `${name} waits for its turn now`;
    case 'remove':
      return `${name} is removed`;
  }
}

function toReason(state: JobChanged['state'], change: JobChange): string {
  switch (state) {
    case 'gone':
      return 'it has run, or was removed';
    case 'active':
      return 'it runs now';
    case 'failed':
      return 'it has failed; a tries it again';
    case 'delayed':
      return 'it waits for its time; R runs it now';
    case 'waiting':
      return change === 'retry' ? 'it waits for its turn, and has not failed' : 'it waits for its turn already';
  }
}
