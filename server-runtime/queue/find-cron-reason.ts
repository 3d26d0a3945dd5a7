import { readThrown } from '../errors/read-thrown.ts';

/** Why a schedule cannot be read; undefined where it can. */
export async function findCronReason(cron: string, timezone: string | undefined): Promise<string | undefined> {
  const { Cron } = await import('croner');
  try {
    new Cron(cron, { paused: true, ...(timezone === undefined ? {} : { timezone }) }).nextRun();
    return undefined;
  } catch (thrown) {
    return readThrown(thrown).message.replace(/^Cron\w+: /, '');
  }
}
