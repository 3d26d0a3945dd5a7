import { describe, expect, it } from 'vitest';
import { findItemSource, type ItemSource } from '../../../server-runtime/resources/item-source.ts';
import { type Sink, startPump } from '../../../server-runtime/resources/pump.ts';
import { defer } from '../../helpers/start-rest.ts';

/** The items, and what their source was asked for. */
function sourceOf(items: readonly unknown[], fault?: Error) {
  const seen = { pulled: 0, ended: 0 };
  const source = findItemSource({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const at = seen.pulled++;
        if (at === items.length && fault !== undefined) throw fault;
        return { done: at >= items.length, value: items[at] };
      },
      return: async () => {
        seen.ended += 1;
        return { done: true, value: undefined };
      },
    }),
  }) as ItemSource;
  return { source, seen };
}

/** A sink that notes what it is told, and resolves once it is told of an end. */
function recordSink(write: Sink['write'] = () => undefined) {
  const calls: unknown[] = [];
  const { promise: over, resolve } = defer();
  const sink: Sink = {
    write: (item) => {
      calls.push(item);
      return write(item);
    },
    end: () => {
      calls.push('end');
      resolve();
    },
    fail: (thrown) => {
      calls.push(['fail', thrown]);
      resolve();
    },
    beat: () => void calls.push('beat'),
  };
  return { sink, calls, over };
}

const calm = () => ({ signal: new AbortController().signal, beatMs: 60_000 });

describe('a pump', () => {
  it('moves the items, ends the sink once, and the source, too', async () => {
    const { source, seen } = sourceOf([1, 2, 3]);
    const { sink, calls, over } = recordSink();
    const pump = startPump(source, sink, calm());
    await over;
    pump.leave();
    expect([calls, seen]).toEqual([[1, 2, 3, 'end'], { pulled: 4, ended: 1 }]);
  });

  it('asks for the next item when the sink has taken the one before', async () => {
    const { source, seen } = sourceOf(['a', 'b']);
    const written = defer();
    const room = defer();
    const { sink, over } = recordSink((item) => {
      if (item !== 'a') return undefined;
      written.resolve();
      return room.promise;
    });
    startPump(source, sink, calm());
    await written.promise;
    await new Promise(setImmediate);
    expect(seen.pulled).toBe(1);
    room.resolve();
    await over;
    expect(seen.pulled).toBe(3);
  });

  it.each([
    ['its source throws', [1], new Error('source'), () => undefined],
    [
      'its sink throws',
      [1, 2],
      new Error('sink'),
      (item: unknown) => {
        if (item === 2) throw new Error('sink');
        return undefined;
      },
    ],
    [
      'its sink rejects',
      [1],
      new Error('later'),
      (item: unknown) => (item === 1 ? Promise.reject(new Error('later')) : undefined),
    ],
  ])('fails the sink once where %s, and ends the source', async (_name, items, fault, write) => {
    const { source, seen } = sourceOf(items, fault);
    const { sink, calls, over } = recordSink(write);
    startPump(source, sink, calm());
    await over;
    expect([calls, seen.ended]).toEqual([[...items, ['fail', fault]], 1]);
  });

  it('fails the sink with the reason of its signal, also one that has fired before', async () => {
    for (const isLate of [false, true]) {
      const { source, seen } = sourceOf(['a', 'b']);
      const controller = new AbortController();
      const reason = new Error('stop');
      const written = defer();
      const { sink, calls, over } = recordSink(() => {
        written.resolve();
        return new Promise(() => {});
      });
      if (!isLate) controller.abort(reason);
      startPump(source, sink, { signal: controller.signal, beatMs: 60_000 });
      if (isLate) await written.promise;
      controller.abort(reason);
      await over;
      expect([calls, seen.ended]).toEqual([[...(isLate ? ['a'] : []), ['fail', reason]], 1]);
    }
  });

  it('tells the sink nothing more once that has left', async () => {
    const { source, seen } = sourceOf(['a', 'b']);
    const room = defer();
    const written = defer();
    const { sink, calls } = recordSink(() => {
      written.resolve();
      return room.promise;
    });
    const pump = startPump(source, sink, calm());
    await written.promise;
    pump.leave();
    room.resolve();
    await new Promise(setImmediate);
    expect([calls, seen]).toEqual([['a'], { pulled: 1, ended: 1 }]);
  });

  it('beats in each pause of its source, and not while the sink is full', async () => {
    const next = defer<IteratorResult<unknown>>();
    const full = defer();
    const written = defer();
    const source = findItemSource({
      [Symbol.asyncIterator]: () => ({ next: () => next.promise }),
    }) as ItemSource;
    const { sink, calls } = recordSink(() => {
      written.resolve();
      return full.promise;
    });
    const pump = startPump(source, sink, { signal: new AbortController().signal, beatMs: 5 });
    await expect.poll(() => calls.length, { interval: 1 }).toBeGreaterThan(2);
    next.resolve({ done: false, value: 'item' });
    await written.promise;
    const count = calls.length;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([calls.length, calls.at(-1)]).toEqual([count, 'item']);
    pump.leave();
  });
});
