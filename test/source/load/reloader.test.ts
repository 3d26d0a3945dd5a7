import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Load, Reloader } from '../../../source/load/reloader.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A reloader whose loads end when the test says so. */
function openReloader() {
  const loads: Load[] = [];
  /** The files that the last load has read as they are now. */
  const seen = new Set<string>();
  let stale: readonly string[] = [];
  let isCode = (file: string): boolean => /\.(?:ts|json)$/.test(file);
  let end: (() => void) | undefined;
  const reloader = new Reloader({
    code: {
      isSeen: (file) => seen.has(file),
      findStale: () => {
        const found = stale;
        stale = [];
        return found;
      },
    },
    counts: (file) => isCode(file),
    load: (load) => {
      loads.push(load);
      return new Promise((resolve) => (end = resolve));
    },
  });
  const step = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);
  return {
    reloader,
    loads,
    seen,
    save: async (...files: readonly string[]) => {
      for (const file of files) seen.delete(file);
      reloader.take(files);
      await step();
    },
    end: async () => {
      const done = end;
      end = undefined;
      done?.();
      await step();
    },
    goesStale: (...files: readonly string[]) => (stale = files),
    isLoading: () => end !== undefined,
    isCodeFrom: (next: (file: string) => boolean) => (isCode = next),
    last: () => loads.at(-1)?.files,
  };
}

async function openLoaded(): Promise<ReturnType<typeof openReloader>> {
  const opened = openReloader();
  opened.reloader.ask('start');
  await opened.end();
  return opened;
}

it('loads once for the changes of one save, and once more for those that come meanwhile', async () => {
  const { save, end, last, loads, isLoading } = await openLoaded();
  await save('a.ts', 'b.ts', 'data.sqlite');
  expect(last()).toEqual(['a.ts', 'b.ts']);
  await save('c.ts');
  expect(loads.at(-1)?.newer.aborted).toBe(true);
  await save('d.ts');
  await end();
  expect(last()).toEqual(['c.ts', 'd.ts']);
  await end();
  expect(isLoading()).toBe(false);
  expect(loads).toHaveLength(3);
});

it('joins what is asked for: a restart stays one, also of code that was seen', async () => {
  const { reloader, save, end, seen, loads } = await openLoaded();
  await save('a.ts');
  reloader.ask('restart');
  await save('b.ts');
  seen.add('b.ts');
  await end();
  expect(loads.at(-1)?.why).toBe('restart');
});

it('loads again for a file that only the load turned out to need', async () => {
  const { save, end, last, isCodeFrom, reloader } = await openLoaded();
  await save('a.ts');
  await save('new.txt');
  expect(reloader.isBehind()).toBe(false);
  isCodeFrom(() => true);
  expect(reloader.isBehind()).toBe(true);
  await end();
  expect(last()).toEqual(['new.txt']);
});

it('loads nothing for what the load has seen, and names the other files alone', async () => {
  const { reloader, save, end, seen, last, loads, isLoading } = await openLoaded();
  await save('a.ts');
  await save('a.ts', 'b.ts');
  seen.add('a.ts');
  await end();
  expect(last()).toEqual(['b.ts']);
  await save('b.ts');
  seen.add('b.ts');
  expect(reloader.isBehind()).toBe(false);
  await end();
  expect(isLoading()).toBe(false);
  expect(loads).toHaveLength(3);
});

it('loads again for a file that was read before its save', async () => {
  const { save, end, goesStale, last, isLoading } = await openLoaded();
  await save('a.ts');
  goesStale('b.ts');
  await end();
  expect(last()).toEqual(['b.ts']);
  await end();
  expect(isLoading()).toBe(false);
});

it('loads nothing for a file that the code does not need any more when the load has ended', async () => {
  const { save, end, isCodeFrom, isLoading } = await openLoaded();
  await save('a.ts');
  await save('b.json');
  isCodeFrom((file) => file === 'a.ts');
  await end();
  expect(isLoading()).toBe(false);
});

it('loads nothing any more once it has ended', async () => {
  const { reloader, save, end, loads } = await openLoaded();
  await save('a.ts');
  await save('b.ts');
  reloader.end();
  await end();
  await save('c.ts');
  expect(loads).toHaveLength(2);
});
