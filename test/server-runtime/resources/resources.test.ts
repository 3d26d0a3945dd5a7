import { describe, expect, it } from 'vitest';
import { createResources } from '../../../server-runtime/resources/resources.ts';

const never = new AbortController().signal;
const unexpected = (fault: unknown): never => {
  throw fault;
};

describe('resources', () => {
  it('are let go of once, the last one first, each awaited', async () => {
    const log: string[] = [];
    const resources = createResources(never, unexpected);
    resources.use({ [Symbol.dispose]: () => void log.push('first') });
    resources.defer(async () => {
      await Promise.resolve();
      log.push('second');
    });
    const both = {
      [Symbol.dispose]: () => void log.push('no'),
      [Symbol.asyncDispose]: async () => void log.push('third'),
    };
    expect(resources.use(both)).toBe(both);
    expect(resources.use(undefined)).toBeUndefined();
    await resources.release();
    await resources.release();
    expect(log).toEqual(['third', 'second', 'first']);
  });

  it('are all let go of where some fail, which rejects with every fault', async () => {
    const log: string[] = [];
    const resources = createResources(never, unexpected);
    resources.defer(() => void log.push('first'));
    resources.defer(() => Promise.reject(new Error('the third')));
    resources.defer(() => {
      throw new Error('the last');
    });
    await expect(resources.release()).rejects.toMatchObject({
      errors: [{ message: 'the last' }, { message: 'the third' }],
    });
    expect(log).toEqual(['first']);
  });

  it('that come too late are let go of at once, with an error', async () => {
    const log: string[] = [];
    const resources = createResources(never, unexpected);
    await resources.release();
    expect(() => resources.defer(() => void log.push('late'))).toThrow('The request is over');
    await expect.poll(() => log).toEqual(['late']);
  });

  it('must be disposable', () => {
    expect(() => createResources(never, unexpected).use({ close: () => {} })).toThrow(
      '[Symbol.asyncDispose] or [Symbol.dispose]',
    );
  });

  it('of a handler that never ends are let go of some time after nobody waits for it', async () => {
    const log: string[] = [];
    const leave = new AbortController();
    createResources(leave.signal, unexpected, 1).defer(() => void log.push('left'));
    expect(log).toEqual([]);
    leave.abort();
    createResources(leave.signal, unexpected, 1).defer(() => void log.push('left before'));
    await expect.poll(() => log).toEqual(['left', 'left before']);
  });

  it('that fail when nobody waits for them are reported', async () => {
    const faults: unknown[] = [];
    const leave = new AbortController();
    const resources = createResources(leave.signal, (fault) => faults.push(fault), 1);
    resources.defer(() => Promise.reject(new Error('late')));
    leave.abort();
    await expect.poll(() => faults).toEqual([new Error('late')]);
  });
});
