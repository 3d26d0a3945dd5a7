import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Load, Reloader } from '../../../source/load/reloader.ts';
import type { SeenChange } from '../../../source/system/gather-changes.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A reloader whose loads end when the test says so. Each step takes a millisecond. */
function openReloader(isCode: (file: string) => boolean = (file) => /\.(?:ts|json)$/.test(file)) {
  const loads: Load[] = [];
  const ownWrites: (readonly string[])[] = [];
  let end: ((hasRun: boolean) => void) | undefined;
  const reloader = new Reloader({
    counts: (file) => isCode(file),
    load: (load) => {
      loads.push(load);
      return new Promise((resolve) => (end = resolve));
    },
    onOwnWrites: (files) => void ownWrites.push(files),
  });
  const step = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);
  const seen = (file: string): SeenChange => ({ file, at: performance.now(), changedAt: performance.now() });
  return {
    reloader,
    loads,
    ownWrites,
    step,
    save: async (...files: readonly string[]) => {
      await step();
      reloader.take(files.map(seen));
      await step();
    },
    end: async (hasRun = true) => {
      const done = end;
      end = undefined;
      await step();
      done?.(hasRun);
      await step();
    },
    isLoading: () => end !== undefined,
    isCodeFrom: (next: (file: string) => boolean) => (isCode = next),
    last: () => loads.at(-1)?.changes.map(({ file }) => file),
  };
}

async function openLoaded(): Promise<ReturnType<typeof openReloader>> {
  const opened = openReloader();
  opened.reloader.ask('start');
  await opened.end();
  return opened;
}

describe('a reloader', () => {
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

  it('joins what is asked for: a restart stays one', async () => {
    const { reloader, save, end, loads } = await openLoaded();
    await save('a.ts');
    reloader.ask('restart');
    await save('b.ts');
    await end();
    expect(loads.at(-1)).toMatchObject({ why: 'restart', mayBeSame: false });
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

  it('says where the code may be the same: for a change that is told late, or twice, and not for a later save', async () => {
    const { reloader, save, end, loads, step } = await openLoaded();
    await save('a.ts');
    expect(loads.at(-1)?.mayBeSame).toBe(false);
    await save('a.ts');
    await end();
    expect(loads.at(-1)?.mayBeSame).toBe(true);
    const from = performance.now();
    await end();
    reloader.take([{ file: 'a.ts', at: performance.now(), changedAt: from - 5 }]);
    expect(loads.at(-1)?.mayBeSame).toBe(true);
    await end();
    await step();
    await save('a.ts');
    expect(loads.at(-1)?.mayBeSame).toBe(false);
  });

  it('names a save alone where the system tells only now of one that was loaded before', async () => {
    const { reloader, loads, last } = await openLoaded();
    const at = performance.now() + 1;
    reloader.take([
      { file: 'a.ts', at, changedAt: -1 },
      { file: 'b.ts', at, changedAt: at },
    ]);
    expect(last()).toEqual(['b.ts']);
    expect(loads.at(-1)?.mayBeSame).toBe(false);
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
});

describe('code that writes what it is made of', () => {
  type Opened = ReturnType<typeof openReloader>;

  /** A load that writes these files. */
  async function echo({ save, end }: Opened, ...files: readonly string[]): Promise<void> {
    await save(...files);
    await end();
  }

  /** Loads until nothing goes on any more. */
  async function echoToTheEnd(opened: Opened, toFile = (_: number) => 'b.ts'): Promise<void> {
    for (let load = 1; load <= 20; load++) {
      if (!opened.isLoading()) await vi.advanceTimersByTimeAsync(1_000);
      if (!opened.isLoading()) return;
      await echo(opened, toFile(load));
    }
  }

  it('is loaded six more times, three of them after a pause, and never again for that', async () => {
    const opened = await openLoaded();
    await opened.save('a.ts');
    for (let load = 1; load <= 4; load++) await echo(opened, 'b.ts');
    expect(opened.isLoading()).toBe(false);
    await echoToTheEnd(opened);
    expect(opened.ownWrites).toEqual([['b.ts']]);
    expect(opened.loads).toHaveLength(8);
    await opened.save('a.ts');
    await echo(opened, 'b.ts');
    expect(opened.isLoading()).toBe(false);
    expect(opened.loads).toHaveLength(9);
    // A save that comes later is one, also of that file.
    await opened.save('b.ts');
    expect(opened.last()).toEqual(['b.ts']);
  });

  it('is loaded no more often than it has files, where it writes another one each time', async () => {
    const opened = await openLoaded();
    await opened.save('a.ts');
    await echoToTheEnd(opened, (load) => (load % 2 === 0 ? 'a.ts' : 'b.ts'));
    expect(opened.isLoading()).toBe(false);
    expect(opened.loads.length).toBeLessThan(12);
  });

  it('is loaded at once for a save that comes in the pause', async () => {
    const opened = await openLoaded();
    await opened.save('a.ts');
    for (let load = 1; load <= 4; load++) await echo(opened, 'b.ts');
    await opened.save('a.ts');
    expect(opened.last()).toEqual(['b.ts', 'a.ts']);
  });

  it('is loaded for the last of many saves, though each of them came while it was loaded', async () => {
    const opened = await openLoaded();
    await opened.save('a.ts');
    for (let save = 1; save <= 100; save++) {
      if (!opened.isLoading()) await opened.save('b.ts');
      else await echo(opened, 'b.ts');
    }
    if (!opened.isLoading()) await vi.advanceTimersByTimeAsync(1_000);
    expect(opened.isLoading()).toBe(true);
    expect(opened.ownWrites).toEqual([]);
  });

  it('is loaded for each save of code that comes while it ends, and soon no more for its data', async () => {
    const opened = await openLoaded();
    /** A load whose code, when it is told to end, writes a file. */
    const endWriting = async (file: string): Promise<void> => {
      await opened.end();
      let ended = (): void => {};
      opened.reloader.watchEnd(new Promise<void>((resolve) => (ended = resolve)));
      await opened.save(file);
      ended();
    };
    await opened.save('a.ts');
    for (let save = 1; save <= 20; save++) {
      await endWriting('a.ts');
      expect(opened.isLoading()).toBe(true);
    }
    await opened.end();
    await opened.save('a.ts');
    for (let load = 1; load <= 20 && opened.isLoading(); load++) {
      await endWriting('seed.json');
      if (!opened.isLoading()) await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(opened.ownWrites).toEqual([['seed.json']]);
  });
});
