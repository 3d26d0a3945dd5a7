import type { JobChange, JobChanged } from '../../../../server-runtime/server/jobs/job-board.ts';
import type { AskJobs, ShownJob } from '../../../serve/jobs/job-news.ts';

/** Asks for a change of a job. Gives a line that says what became of it. */
export async function changeJob(ask: AskJobs, change: JobChange, job: ShownJob): Promise<string> {
  const { key, id } = job;
  try {
    return toChangedText(change, await ask('change-job', { change, key, id }), toJobName(job));
  } catch (error) {
    return `${toJobName(job)} is as it was: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Longer ids were made by a program; as many characters of one tell it from others. */
const MAX_ID = 20;
const ID_START = 8;

/** A job in a sentence, which is to have room beside it: `mails.send welcome 7`, `mails.send 13b3984d…`. */
export function toJobName({ key, id }: Pick<ShownJob, 'key' | 'id'>): string {
  return `${key} ${id.length > MAX_ID ? `${id.slice(0, ID_START)}…` : id}`;
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
