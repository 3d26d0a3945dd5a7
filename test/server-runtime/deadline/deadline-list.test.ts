import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Deadline, DeadlineList } from '../../../server-runtime/deadline/deadline-list.ts';
import { DeadlineTimers } from '../../../server-runtime/deadline/deadline-timers.ts';

const expired: string[] = [];

function deadline(name: string): Deadline {
  return { dueAt: 0, previous: undefined, next: undefined, expire: () => void expired.push(name) };
}

beforeEach(() => {
  vi.useFakeTimers();
  expired.length = 0;
});
afterEach(() => vi.useRealTimers());

describe.each([
  ['DeadlineList', DeadlineList, 1],
  ['DeadlineTimers', DeadlineTimers, 2],
] as const)('%s', (_name, Deadlines, timers) => {
  it('expires each deadline at its own time', () => {
    const list = new Deadlines(100);
    list.add(deadline('a'));
    vi.advanceTimersByTime(60);
    list.add(deadline('b'));
    expect(vi.getTimerCount()).toBe(timers);
    vi.advanceTimersByTime(40);
    expect(expired).toEqual(['a']);
    vi.advanceTimersByTime(59);
    expect(expired).toEqual(['a']);
    vi.advanceTimersByTime(2);
    expect(expired).toEqual(['a', 'b']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['first', 0],
    ['middle', 1],
    ['last', 2],
  ])('never expires one that was taken off: the %s', (_, index) => {
    const list = new Deadlines(100);
    const three = ['a', 'b', 'c'].map(deadline);
    for (const each of three) list.add(each);
    const removed = three[index] as Deadline;
    list.remove(removed);
    vi.advanceTimersByTime(200);
    expect(expired).toEqual(['a', 'b', 'c'].filter((_name, at) => at !== index));
  });

  it('takes new deadlines after it was empty, and while it expires others', () => {
    const list = new Deadlines(100);
    const again = deadline('again');
    list.add({ ...deadline('first'), expire: () => list.add(again) });
    vi.advanceTimersByTime(100);
    vi.advanceTimersByTime(101);
    expect(expired).toEqual(['again']);
  });
});
