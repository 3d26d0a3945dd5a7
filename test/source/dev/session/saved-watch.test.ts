import { expect, it } from 'vitest';
import {
  type DevEvent,
  type StartCause,
  toSavedText,
} from '../../../../source/dev/session/dev-event.ts';
import { SavedWatch, withoutSavedCalls } from '../../../../source/dev/session/saved-watch.ts';
import { SAVED_CALLER } from '../../../../source/files/read-saved-names.ts';
import type { SavedAnswer, SavedQuestion } from '../../../../source/invoke/saved/run-on-save.ts';
import { writeTree } from '../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

/** A watch of a project whose saved calls answer as `answers` says. */
async function openWatch(inspectPort?: number) {
  const root = await temporaryFolder();
  await writeTree(root, { 'package.json': '{}', 'src/capabilities.ts': '' });
  const events: DevEvent[] = [];
  const asked: SavedQuestion[] = [];
  const project = {
    names: ['get'] as readonly string[],
    answers: [] as readonly SavedAnswer[],
    wait: Promise.resolve(),
  };
  const watch = new SavedWatch(
    {
      project: { root, name: 'shop', entryFile: `${root}/src/server.ts` },
      envFiles: [],
      environment: {},
      inspectPort,
      report: (event) => void events.push(event),
    },
    {
      readSavedNames: async () => project.names,
      startRun: () =>
        ({
          ask: async (_name: 'run', question: SavedQuestion) => {
            asked.push(question);
            const { answers } = project;
            await project.wait;
            return answers;
          },
          kill: () => {},
        }) as never,
    },
  );
  const save = async (problems: readonly string[], more: Partial<SavedAnswer> = {}) => {
    project.answers = [{ name: 'get', call: 'items.get', isMade: true, problems, ...more }];
    const count = asked.length;
    watch.take(ready({ kind: 'change', files: ['src/a.ts'] }));
    await expect.poll(() => asked).toHaveLength(count + 1);
    await new Promise((resolve) => void setImmediate(resolve));
  };
  const notices = () =>
    events.flatMap((event) =>
      event.kind === 'notice' && event.notice.code === 'SavedCalls' ? [event.notice] : [],
    );
  const told = () => notices().flatMap(({ changed }) => changed);
  const failing = () =>
    notices()
      .at(-1)
      ?.failing.map(({ name }) => name);
  return { watch, save, told, failing, asked, project, root };
}

const ready = (cause: StartCause): DevEvent => ({
  kind: 'ready',
  cause,
  durationMs: 1,
  urls: ['http://localhost:3000/'],
  routes: [],
});

it('tells of a call that passed before and fails now, once, until it is as expected again', async () => {
  const { save, told, failing, asked, root } = await openWatch();
  await save(['body: wrong']);
  expect(told()).toEqual([]);
  expect(failing()).toEqual([]);
  await save([]);
  await save(['body: wrong']);
  await save(['body: wrong']);
  expect(told()).toMatchObject([{ name: 'get', call: 'items.get', problems: ['body: wrong'] }]);
  expect(asked.at(-1)).toEqual({
    url: 'http://localhost:3000',
    entryFile: `${root}/src/server.ts`,
    files: [`${root}/src/a.ts`],
    failing: ['get'],
    isAll: false,
  });
  expect(failing()).toEqual(['get']);
  await save([]);
  expect(told().at(-1)).toMatchObject({ name: 'get', problems: [] });
  expect(failing()).toEqual([]);
});

it('makes all of them again after a save whose calls were given up, or that could not start', async () => {
  const { watch, save, asked } = await openWatch();
  await save([]);
  expect(asked.at(-1)?.files).toBeUndefined();
  await save([]);
  expect(asked.at(-1)?.files).toHaveLength(1);
  const failure = { code: 'ImportFailed', message: 'no' } as never;
  watch.take({ kind: 'failed', cause: { kind: 'restart' }, failure, stillServing: true });
  await save([]);
  expect(asked.at(-1)?.files).toBeUndefined();
});

it('takes a call that nobody answered for no other answer', async () => {
  const { save, told } = await openWatch();
  await save([]);
  await save(['no answer'], { isMade: false });
  expect(told()).toEqual([]);
});

it('tells of all that fail where the user has made them', async () => {
  const { watch, save, told, project } = await openWatch();
  await save(['body: wrong']);
  project.answers = [
    { name: 'get', call: 'items.get', isMade: true, problems: ['body: wrong'] },
    { name: 'list', call: 'items.list', isMade: true, problems: [] },
  ];
  expect(await watch.runAll()).toBe('1 of 2 saved calls as expected');
  expect(told()).toMatchObject([{ name: 'get', problems: ['body: wrong'] }]);
});

it('makes none without saved calls, and none after a save while a debugger may wait', async () => {
  const { watch, asked, project } = await openWatch();
  project.names = [];
  watch.take(ready({ kind: 'start' }));
  expect(await watch.runAll()).toBe('The project has no saved calls');
  expect(asked).toEqual([]);
  const inspected = await openWatch(9229);
  inspected.watch.take(ready({ kind: 'start' }));
  await inspected.watch.runAll();
  expect(inspected.asked).toMatchObject([{ isAll: true }]);
});

it('looks away from answers of code that a newer save has replaced', async () => {
  const { watch, save, told, project } = await openWatch();
  await save([]);
  let answer = (): void => {};
  project.wait = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await save(['body: wrong']);
  watch.take({ kind: 'starting', cause: { kind: 'restart' } });
  answer();
  await new Promise((resolve) => void setImmediate(resolve));
  expect(told()).toEqual([]);
});

it('forgets a failure whose file is gone', async () => {
  const { save, failing, project } = await openWatch();
  await save([]);
  await save(['body: wrong']);
  project.names = ['list'];
  await save([], { name: 'list' });
  expect(failing()).toEqual([]);
});

it('shows no request of a saved call', () => {
  const toRequest = (agent: string) =>
    ({ url: agent, details: { headers: [['user-agent', agent]] } }) as never;
  const requests = [toRequest('curl'), toRequest(SAVED_CALLER)];
  expect(withoutSavedCalls({ kind: 'requests', requests })).toMatchObject({
    requests: [{ url: 'curl' }],
  });
});

it('says what is wrong in one line', () => {
  const failure = { name: 'items/get', call: 'items.get', savedAt: '2026-11-29T20:00:00.000Z' };
  const problems = ['body.data.name: expected "Pen", got "pen"', 'status: wrong'];
  expect(toSavedText({ ...failure, problems })).toMatch(
    /^@items\/get: body\.data\.name: expected "Pen", got "pen" and 1 more since \d\d:\d\d:\d\d$/,
  );
  expect(toSavedText({ ...failure, problems: [] })).toBe('@items/get is as expected again.');
});
