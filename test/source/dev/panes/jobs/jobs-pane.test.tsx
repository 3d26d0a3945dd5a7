import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { JobCounts, JobPhase, JobRange } from '../../../../../server-runtime/server/jobs/job-board.ts';
import { DevStore } from '../../../../../source/dev/dev-store.ts';
import { JobsPane } from '../../../../../source/dev/panes/jobs/jobs-pane.tsx';
import type { DevSession } from '../../../../../source/dev/session/dev-session.ts';
import { textWidth } from '../../../../../source/kit/text/text-width.ts';
import { useBodySize } from '../../../../../source/kit/theme/use-ui.ts';
import { ScreenFrame } from '../../../../../source/screens/shell/screen-frame.tsx';
import type { AskJobs, ShownJob } from '../../../../../source/serve/jobs/job-news.ts';
import { type RenderedScreen, renderScreen } from '../../../../helpers/render-screen.tsx';

let screen: RenderedScreen;
afterEach(() => screen.unmount());

type Jobs = Partial<Record<JobPhase, readonly ShownJob[]>>;

const toJob = (id: string, more: Partial<ShownJob> = {}): ShownJob => ({
  id,
  key: 'mails.send',
  input: { to: 'ada' },
  headers: {},
  phase: 'waiting',
  attempts: 0,
  maxAttempts: 5,
  addedAt: Date.UTC(2026, 0, 1),
  ...more,
});

const some: Jobs = {
  failed: [
    toJob('welcome 7', {
      phase: 'failed',
      attempts: 5,
      endedAt: Date.UTC(2026, 0, 1, 1),
      error: 'ServiceUnavailable (503): \u001B[31mdown\u001B[0m\nsecond line',
      input: { to: 'ada', '\u001B]0;x': '\u001B[2J' },
    }),
  ],
  active: [toJob('now', { key: 'reports.run', phase: 'active', attempts: 1, startedAt: Date.now() })],
  waiting: [toJob('next')],
  delayed: [toJob('later', { phase: 'delayed', dueAt: Date.now() + 3 * 86_400_000 })],
};

/** The pane of a server that has these jobs. */
function open(jobs: Jobs, { columns = 100, rows = 20, counts = toCounts(jobs), trouble = '' } = {}) {
  const asked: JobRange[] = [];
  const changes: object[] = [];
  const answer: { changed: object | Error; list?: Error } = { changed: { isChanged: true, state: 'waiting' } };
  const ask = (async (name: string, question: unknown) => {
    if (name === 'change-job') {
      changes.push(question as object);
      if (answer.changed instanceof Error) throw answer.changed;
      return answer.changed;
    }
    if (answer.list !== undefined) throw answer.list;
    const ranges = question as readonly JobRange[];
    asked.push(...ranges);
    return ranges.map(({ key, phase, from, count }) =>
      (jobs[phase] ?? []).filter((job) => job.key === key).slice(from, from + count),
    );
  }) as AskJobs;
  const store = new DevStore();
  store.take({ kind: 'jobs', overview: { queues: counts, ...(trouble === '' ? {} : { trouble }) } });
  const dev = { store, session: { askJobs: ask } as DevSession, root: '/', name: 'mails' };
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
  return { screen, asked, changes, answer };
}

function toCounts(jobs: Jobs): readonly JobCounts[] {
  const all = Object.values(jobs).flat();
  const count = (key: string, phase: JobPhase) => all.filter((job) => job.key === key && job.phase === phase).length;
  return [...new Set(all.map(({ key }) => key))].map((key) => ({
    key,
    waiting: count(key, 'waiting'),
    delayed: count(key, 'delayed'),
    active: count(key, 'active'),
    failed: count(key, 'failed'),
  }));
}

describe('the jobs of the dev screen', () => {
  it('are listed with what failed first, its error, attempts and time', async () => {
    const frame = await open(some).screen.waitFor('welcome 7');
    expect(frame).toMatch(/\[all\] {2}failed 1 {2}active 1 {2}waiting 1 {2}delayed 1/);
    expect(frame).toMatch(
      /❯ failed +mails\.send +welcome 7 +5 of 5 +\d\d:00:00 +ServiceUnavailable \(503\): down second line/,
    );
    expect(frame).toMatch(/active +reports\.run +now +1 of 5 +for \d s/);
    expect(frame).toMatch(/waiting +mails\.send +next/);
    expect(frame).toMatch(/delayed +mails\.send +later +in 3 days/);
  });

  it.each([
    [40, /❯ failed +mails\.co… +Error: the mail.*…/],
    [60, /❯ failed +mails\.confirmBoo… +Error: the mail server .*…/],
    [80, /❯ failed +mails\.confirmBooking +2 of 5 +\d\d:00:00 +Error: the mail server .*…/],
    [
      140,
      /❯ failed +mails\.confirmBooking +8bed982a-a15e-428f-9793-3d3e0c1fb7a5 +2 of 5 +\d\d:00:00 +Error: the mail server refused .*…/,
    ],
  ])(
    'say in %i columns what failed, before a part of an id that says nothing; one without an error is told by its id',
    async (columns, shown) => {
      const id = '8bed982a-a15e-428f-9793-3d3e0c1fb7a5';
      const error = 'Error: the mail server refused the message, since the guest has moved';
      const job = toJob(id, { key: 'mails.confirmBooking', phase: 'failed', attempts: 2, error, endedAt: 3_600_000 });
      const frame = await open(
        { failed: [job], waiting: [{ ...toJob(`1${id}`), key: job.key }] },
        { columns },
      ).screen.waitFor(shown);
      expect(frame).toMatch(/waiting +mails\.co.* 18bed982a/);
    },
  );

  it('are opened with input and error, without the escape sequences of others', async () => {
    await open(some).screen.waitFor('welcome 7');
    screen.press('\r');
    const frame = await screen.waitFor('Error of the last attempt');
    expect(frame).toMatch(/failed {2}mails\.send\n/);
    expect(frame).toContain('  ServiceUnavailable (503): down\n  second line');
    expect(frame).toMatch(/"to": "ada"/);
    expect(frame).not.toContain('\u001B]0');
    expect(frame).not.toContain('\u001B[2J');
    screen.press('\r');
    await screen.waitFor('[all]');
  });

  it('are shown by phase, and by capability', async () => {
    await open(some).screen.waitFor('welcome 7');
    screen.press('L');
    await screen.waitFor('[failed 1]');
    expect(screen.frame()).not.toContain('reports.run');
    for (const next of ['[active 1]', '[waiting 1]', '[delayed 1]', '[all]']) {
      screen.press('L');
      await screen.waitFor(next);
    }
    await screen.waitFor('welcome 7');
    screen.press('f');
    await screen.waitFor('only mails.send, f shows all');
    expect(screen.frame()).not.toContain('reports.run');
    expect(screen.frame()).toContain('active 0');
  });

  it.each([
    ['a', 'retry', { isChanged: true, state: 'waiting' }, 'mails.send welcome 7 waits for its first attempt again'],
    ['a', 'retry', { isChanged: false, state: 'gone' }, 'is as it was: it has run, or was removed'],
    ['R', 'promote', { isChanged: false, state: 'failed' }, 'is as it was: it has failed; a tries it again'],
    ['a', 'retry', new Error('There is no connection to Redis.'), 'is as it was: There is no connection to Redis.'],
    ['xx', 'remove', { isChanged: true, state: 'gone' }, 'mails.send welcome 7 is removed'],
  ])('%s asks for a %s, and says that %j', async (keys, change, changed, said) => {
    const { changes, answer } = open(some);
    answer.changed = changed;
    await screen.waitFor('welcome 7');
    for (const key of keys) {
      screen.press(key);
      await screen.waitFor(/mails\.send welcome 7/);
    }
    await screen.waitFor(said);
    expect(changes).toEqual([{ change, key: 'mails.send', id: 'welcome 7' }]);
  });

  it('are told in 80 columns what becomes of one whose id is long', async () => {
    const job = toJob('13b3984d-c2fe-474a-8cce-50bdbd6e0ad9', { key: 'mails.confirmBooking', phase: 'failed' });
    open({ failed: [job] }, { columns: 80 });
    await screen.waitFor('❯ failed');
    screen.press('x');
    await screen.waitFor('x again removes mails.confirmBooking 13b3984d…');
    screen.press('a');
    await screen.waitFor('mails.confirmBooking 13b3984d… waits for its first attempt again');
  });

  it('are asked for as far as they are seen, however many there are', async () => {
    const waiting = Array.from({ length: 9_000 }, (_, each) => toJob(`job ${each}`));
    const { asked } = open({ waiting }, { rows: 20 });
    await screen.waitFor('job 3');
    screen.press('G');
    await screen.waitFor('job 8999');
    expect(screen.frame()).toContain('waiting 9000');
    expect(Math.max(...asked.map(({ count }) => count))).toBeLessThanOrEqual(80);
    expect(asked.some(({ from, count }) => from + count === 9_000)).toBe(true);
    screen.resize(40, 12);
    await expect.poll(() => Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(40);
    await screen.waitFor(/❯ waiting +mails/);
  });

  it('say why they cannot be read, and keep what was known', async () => {
    open(some, { trouble: 'There is no connection to Redis.' });
    await screen.waitFor(/▲ The jobs cannot be read: There is no connection to Redis\.[^]*welcome 7/);
    expect(screen.frame()).toContain('failed 1');
  });

  it('say that a queue refuses the list, without an end of the screen', async () => {
    const { answer } = open({}, { counts: toCounts(some) });
    answer.list = new Error('Command timed out');
    await screen.waitFor('The jobs cannot be read: Command timed out');
  });

  it('say where there are none', async () => {
    await open({}).screen.waitFor('No job waits, runs or has failed.');
    screen.press('L');
    await screen.waitFor('No failed job.');
  });
});
