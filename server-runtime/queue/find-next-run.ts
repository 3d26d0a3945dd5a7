import { readThrown } from '../errors/read-thrown.ts';

interface Schedule {
  readonly cron: string;
  readonly timezone?: string | undefined;
}

/** The first time of a schedule after another, milliseconds since 1970; undefined without one. @throws Error */
export async function findNextRun({ cron, timezone }: Schedule, afterMs: number): Promise<number | undefined> {
  const { Cron } = await import('croner');
  const schedule = new Cron(cron, { paused: true, ...(timezone === undefined ? {} : { timezone }) });
  return schedule.nextRun(new Date(afterMs))?.getTime();
}

/** Why a schedule cannot be read; undefined where it can. */
export async function findCronReason(schedule: Schedule): Promise<string | undefined> {
  try {
    await findNextRun(schedule, Date.now());
    return undefined;
  } catch (thrown) {
    return readThrown(thrown).message.replace(/^Cron\w+: /, '');
  }
}
