import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { type ChildPort, createChildChannel } from '../../../source/system/child-channel.ts';
import { connectToParent, type ParentPort } from '../../../source/system/parent-channel.ts';

/** What a parent and a child could say to each other. */
interface Talk {
  readonly order: string;
  readonly note: string;
  readonly questions: {
    readonly double: {
      readonly question: number;
      readonly progress: string;
      readonly answer: number;
    };
    readonly never: {
      readonly question: string;
      readonly progress: string;
      readonly answer: string;
    };
  };
}

/** Two ends of a channel in this process: what one sends, the other hears in a later turn, as JSON. */
function open() {
  const signals: unknown[] = [];
  const orders: unknown[] = [];
  const notes: string[] = [];
  const parent = Object.assign(new EventEmitter(), {
    connected: true,
    pid: 1 as number | undefined,
    exitCode: null,
    signalCode: null,
    kill: (signalName: NodeJS.Signals) => {
      signals.push(signalName);
      return true;
    },
    send: (message: unknown, ...rest: unknown[]) => {
      deliver(child, message, rest[0] instanceof Socket ? rest[0] : undefined);
      return true;
    },
  });
  const child = Object.assign(new EventEmitter(), {
    connected: true,
    pid: 1,
    channel: { ref: () => {}, unref: () => void signals.push('unref') },
    kill: (_pid: number, signalName: NodeJS.Signals) => parent.kill(signalName),
    send: (message: unknown, _handle: unknown, _options: unknown, done: () => void) => {
      deliver(parent, message, undefined);
      done();
      return true;
    },
  });
  const channel = createChildChannel<Talk>(parent as unknown as ChildPort, (note) =>
    notes.push(note),
  );
  const connect = (orphanGraceMs?: number) =>
    connectToParent<Talk>({
      answers: {
        double: async (number, tell) => {
          if (number < 0) throw new Error('Only what is positive is doubled.');
          await tell(`doubling ${number}`);
          return number * 2;
        },
        never: async (word, tell) => {
          await tell(word);
          return new Promise<string>(() => {});
        },
      },
      onOrder: (order, socket) => orders.push([order, socket instanceof Socket]),
      ...(orphanGraceMs === undefined ? {} : { orphanGraceMs }),
      port: child as unknown as ParentPort,
    });
  return { channel, connect, parent, child, signals, orders, notes };
}

function deliver(to: EventEmitter, message: unknown, socket: Socket | undefined): void {
  const text = JSON.stringify(message);
  queueMicrotask(() => to.emit('message', JSON.parse(text), socket));
}

describe('the channel between a process and its child', () => {
  it('answers several questions at a time, with what is said meanwhile', async () => {
    const { channel, connect } = open();
    connect();
    const said: string[] = [];
    const onProgress = (progress: string) => void said.push(progress);
    const answers = [
      channel.ask('double', 2, { onProgress }),
      channel.ask('double', 3, { onProgress }),
    ];
    expect(await Promise.all(answers)).toEqual([4, 6]);
    expect(said).toEqual(['doubling 2', 'doubling 3']);
  });

  it('rejects with the message of what the child throws, and goes on', async () => {
    const { channel, connect } = open();
    connect();
    await expect(channel.ask('double', -1)).rejects.toThrow('Only what is positive is doubled.');
    expect(await channel.ask('double', 1)).toBe(2);
  });

  it('takes orders to the child with their sockets, and notes to the parent', async () => {
    const { channel, connect, orders, notes } = open();
    const toParent = connect();
    expect(channel.send('stop')).toBe(true);
    expect(channel.send('take', new Socket())).toBe(true);
    await toParent.send('stopping');
    await expect
      .poll(() => [orders, notes])
      .toEqual([
        [
          ['stop', false],
          ['take', true],
        ],
        ['stopping'],
      ]);
  });

  it('gives a socket back where the child cannot be reached any more', () => {
    const { channel, parent } = open();
    parent.connected = false;
    expect(channel.send('take', new Socket())).toBe(false);
  });

  it.each([
    [3, null, 'ended the process with exit code 3'],
    [null, 'SIGSEGV', 'ended the process with SIGSEGV'],
  ])(
    'fails what is asked when the child ends with %s, %s, and whatever is asked later',
    async (code, name, reason) => {
      const { channel, connect, parent } = open();
      connect();
      const asked = channel.ask('never', 'x');
      parent.emit('exit', code, name);
      await expect(asked).rejects.toMatchObject({ reason });
      await expect(channel.ask('double', 1)).rejects.toMatchObject({ reason });
      expect(await channel.exited).toEqual({
        exitCode: code ?? undefined,
        signalName: name ?? undefined,
      });
    },
  );

  it('fails what is asked of a process that cannot be started', async () => {
    const { channel, parent } = open();
    parent.pid = undefined;
    const asked = channel.ask('double', 1);
    parent.emit('error', new Error('spawn ENOENT'));
    await expect(asked).rejects.toMatchObject({ reason: 'could not be run (spawn ENOENT)' });
    expect(await channel.exited).toEqual({ exitCode: undefined, signalName: undefined });
  });

  it('kills a child that takes longer than its limit', async () => {
    vi.useFakeTimers();
    try {
      const { channel, connect, signals } = open();
      connect();
      const failed = channel.ask('never', 'x', { limitMs: 5000 }).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(4999);
      expect(signals).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(signals).toEqual(['SIGKILL']);
      expect(await failed).toMatchObject({ reason: 'was not done after 5 seconds' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('kills a child that is told to end and does not, and none that has ended', async () => {
    vi.useFakeTimers();
    try {
      const [slow, quick] = [open(), open()];
      slow.channel.terminate(100);
      quick.channel.terminate(100);
      quick.parent.emit('exit', 0, null);
      await vi.advanceTimersByTimeAsync(100);
      expect([slow.signals, quick.signals]).toEqual([['SIGTERM', 'SIGKILL'], ['SIGTERM']]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves messages of user code alone, on either side', async () => {
    const { channel, connect, parent, child, notes, orders } = open();
    connect();
    for (const message of [null, 'ready', { kind: 'answer', id: 1 }]) {
      parent.emit('message', message);
      child.emit('message', message);
    }
    expect(await channel.ask('double', 4)).toBe(8);
    expect([notes, orders]).toEqual([[], []]);
  });

  it('ends a child whose parent has ended while it started', () => {
    const { child, connect, signals } = open();
    child.connected = false;
    connect();
    expect(signals).toEqual(['SIGKILL']);
  });

  it('kills an orphan that has come to its own end: Node 20 may wait there for ever', () => {
    const { child, connect, signals } = open();
    connect(60_000);
    child.emit('disconnect');
    child.emit('exit', 0);
    expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
  });

  it('ends the child when its parent is gone, at once or with the time that it has for that', () => {
    const [atOnce, later] = [open(), open()];
    atOnce.connect();
    later.connect(60_000);
    atOnce.child.emit('disconnect');
    later.child.emit('disconnect');
    expect([atOnce.signals[0], later.signals]).toEqual(['SIGKILL', ['SIGTERM']]);
  });

  it('holds the process until the last one lets go', () => {
    const { connect, signals } = open();
    const { hold } = connect();
    const [first, second] = [hold(), hold()];
    first();
    expect(signals).toEqual([]);
    second();
    expect(signals).toEqual(['unref']);
  });
});
