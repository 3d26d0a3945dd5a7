import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { JobCounts } from '../../../../server-runtime/server/job.ts';
import { DevStore } from '../../../../source/dev/screen/dev-store.ts';
import { JobsPane } from '../../../../source/dev/screen/jobs-pane.tsx';
import type { DevSession } from '../../../../source/dev/session/dev-session.ts';
import { textWidth } from '../../../../source/kit/text.ts';
import { useBodySize } from '../../../../source/kit/use-ui.ts';
import { ScreenFrame } from '../../../../source/screens/screen-frame.tsx';
import type { JobOverview, ShownJob } from '../../../../source/serve/job-watch.ts';
import { type RenderedScreen, renderScreen } from '../../../helpers/render-screen.tsx';

let screen: RenderedScreen;
afterEach(() => screen.unmount());

const toJob = (id: string, more: Partial<ShownJob> = {}): ShownJob => ({
  id,
  key: 'mails.send',
  input: { to: 'ada' },
  headers: {},
  attempts: 5,
  maxAttempts: 5,
  addedAtMs: Date.UTC(2026, 0, 1),
  failedAtMs: Date.UTC(2026, 0, 1, 1),
  error: 'ServiceUnavailable (503): down',
  ...more,
});

const welcome = toJob('welcome 7', {
  error: 'ServiceUnavailable (503): \u001B[31mdown\u001B[0m\nsecond line',
  input: { to: 'ada', '\u001B]0;x': '\u001B[2J' },
});
const queues: readonly JobCounts[] = [
  { key: 'mails.send', waiting: 1204, delayed: 1, active: 0, failed: 1 },
  { key: 'reports.run', waiting: 0, delayed: 0, active: 1, failed: 0 },
];

/** The pane of a server that has these jobs. */
function open(overview: Partial<JobOverview> = {}, { columns = 100, rows = 20 } = {}) {
  const asked: object[] = [];
  const answer: { retried: boolean | Error } = { retried: true };
  const retryJob = async (key: string, id: string): Promise<boolean> => {
    asked.push({ key, id });
    if (answer.retried instanceof Error) throw answer.retried;
    return answer.retried;
  };
  const store = new DevStore();
  const show = (more: Partial<JobOverview>): void =>
    store.take({ kind: 'jobs', overview: { queues, failed: [welcome], ...overview, ...more } });
  show({});
  const dev = { store, session: { retryJob } as DevSession, root: '/', name: 'mails' };
  function Pane() {
    const size = useBodySize();
    const [opened, setOpened] = useState<ShownJob>();
    return <JobsPane {...size} dev={dev} opened={opened} onOpened={setOpened} isFocused />;
  }
  const Screen = () => (
    <ScreenFrame screen="dev">
      <Pane />
    </ScreenFrame>
  );
  screen = renderScreen(Screen, { route: { screen: 'dev' }, columns, rows });
  return { screen, asked, answer, show };
}

describe('the jobs of the dev screen', () => {
  it('are counted, and those that failed are listed with error, attempts and time', async () => {
    const frame = await open().screen.waitFor('welcome 7');
    expect(frame).toMatch(/failed 1 {2}active 1 {2}waiting 1204 {2}delayed 1/);
    expect(frame).toMatch(
      /❯ mails\.send +5 of 5 +\d\d:00:00 +welcome 7 +ServiceUnavailable \(503\): down second line/,
    );
  });

  it.each([
    [40, /❯ mails\.co.* +Error: the mail.*…/],
    [60, /❯ mails\.confirm.* +Error: the mail server .*…/],
    [90, /❯ mails\.confirmBooking +2 of 5 +\d\d:00:00 +Error: the mail server .*…/],
    [
      150,
      /❯ mails\.confirmBooking +2 of 5 +\d\d:00:00 +8bed982a-a15e-428f-9793-3d3e0c1fb7a5 +Error: the mail server refused .*…/,
    ],
  ])(
    'say in %i columns what failed, before a part of an id that says nothing',
    async (columns, shown) => {
      const id = '8bed982a-a15e-428f-9793-3d3e0c1fb7a5';
      const error =
        'Error: the mail server refused the message, since the guest has moved to another country';
      const job = toJob(id, { key: 'mails.confirmBooking', attempts: 2, error });
      await open({ failed: [job] }, { columns }).screen.waitFor(shown);
      expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
    },
  );

  it('are opened with input and error, without the escape sequences of others', async () => {
    const { show } = open();
    await screen.waitFor('welcome 7');
    screen.press('\r');
    const frame = await screen.waitFor('Error of the last attempt');
    expect(frame).toMatch(/failed {2}mails\.send\n/);
    expect(frame).toMatch(/ {3}ServiceUnavailable \(503\): down\n {3}second line/);
    expect(frame).toMatch(/"to": "ada"/);
    expect(frame).not.toContain('\u001B]0');
    expect(frame).not.toContain('\u001B[2J');
    expect(frame).not.toContain('no longer among the failed');
    show({ failed: [] });
    screen.resize(90, 20);
    await screen.waitFor('no longer among the failed  mails.send');
    screen.press('\r');
    await screen.waitFor('No job has failed.');
  });

  it.each([
    [true, 'Waits for its first attempt again: mails.send welcome 7'],
    [false, 'Not tried again: it has not failed'],
    [
      new Error('There is no connection to Redis.'),
      'Not tried again: There is no connection to Redis.',
    ],
  ])('are tried again, and where the answer is %s it says so', async (retried, said) => {
    const { asked, answer } = open();
    answer.retried = retried;
    await screen.waitFor('welcome 7');
    screen.press('a');
    await screen.waitFor(said);
    expect(asked).toEqual([{ key: 'mails.send', id: 'welcome 7' }]);
  });

  it('say why they cannot be read, and keep what was known', async () => {
    open({ trouble: 'There is no connection to Redis.' });
    await screen.waitFor(
      /▲ The jobs cannot be read: There is no connection to Redis\.[^]*welcome 7/,
    );
    expect(screen.frame()).toContain('failed 1');
  });

  it('say where none has failed', async () => {
    await open({ failed: [], queues: [] }).screen.waitFor('No job has failed.');
  });
});
