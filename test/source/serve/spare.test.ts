import { expect, it } from 'vitest';
import type { CodeAhead, PreloadState } from '../../../source/serve/server-message.ts';
import { Spare } from '../../../source/serve/spare.ts';
import type { Runner } from '../../../source/serve/supervisor.ts';

interface FakeRunner {
  readonly warmed: CodeAhead[];
  isStopped: boolean;
}

/** A spare whose processes say of their packages what `state` gives. */
function openSpare(state: () => Promise<PreloadState>) {
  const runners: (FakeRunner & Runner)[] = [];
  const spare = new Spare(() => {
    const runner = {
      warmed: [] as CodeAhead[],
      isStopped: false,
      warm: (ahead: CodeAhead) => void runner.warmed.push(ahead),
      preloadState: state,
      stop: async () => {
        runner.isStopped = true;
      },
    };
    runners.push(runner as unknown as FakeRunner & Runner);
    return runner as unknown as Runner;
  });
  return { spare, runners };
}

const ahead = (packages: readonly string[]): CodeAhead => ({
  modules: ['file:///p/node_modules/zod/index.js'],
  files: [],
  packages,
  environment: { A: 'a' },
});
const pg = ['file:///p/node_modules/pg/index.js'];
const code = { url: 'file:///p/server.ts', environment: { A: 'a' }, hooks: {} };

it.each<[string, PreloadState, Partial<typeof code>, boolean]>([
  ['takes what is as it would be loaded now', 'fresh', {}, true],
  ['leaves packages that have changed', 'stale', {}, false],
  ['leaves packages that could not be loaded', 'failed', {}, false],
  ['leaves what saw other variables', 'fresh', { environment: { A: 'b' } }, false],
  ['leaves what was loaded before an installation', 'fresh', { hooks: { isAnew: true } }, false],
])('%s', async (_what, state, more, isTaken) => {
  const { spare, runners } = openSpare(async () => state);
  spare.prepare(ahead(pg));
  const taken = await spare.take({ ...code, ...more });
  expect(taken).toBe(runners[isTaken ? 0 : 1]);
  expect(runners[0]?.isStopped).toBe(!isTaken);
});

it('asks nothing of a process that has no packages, but that it has the capix and zod of now', async () => {
  const { spare, runners } = openSpare(() => Promise.reject(new Error('Nobody asks.')));
  spare.prepare(ahead([]));
  expect(await spare.take({ ...code, environment: { A: 'b' } })).toBe(runners[0]);
  spare.prepare(ahead([]));
  expect(await spare.take({ ...code, hooks: { isAnew: true } })).toBe(runners[2]);
});

it.each<[string, (opened: ReturnType<typeof openSpare>) => Promise<unknown>]>([
  ['could not be loaded', ({ spare }) => spare.take(code)],
  ['ended the process', async ({ spare, runners }) => spare.forget(runners[0] as Runner)],
])('loads no package ahead any more once one %s', async (_what, fail) => {
  const opened = openSpare(async () => 'failed');
  opened.spare.prepare(ahead(pg));
  await fail(opened);
  opened.spare.prepare(ahead(pg));
  expect(opened.runners.at(-1)?.warmed).toEqual([ahead([])]);
});
