import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerMessage, ServerOrder } from '../../../source/serve/server-message.ts';
import type { startServerProcess } from '../../../source/serve/start-server-process.ts';
import { Supervisor } from '../../../source/serve/supervisor.ts';
import type { ProcessExit } from '../../../source/system/child-channel.ts';

/** What a process of the server would be. */
interface FakeProcess {
  readonly received: ServerOrder[];
  readonly asked: { readonly name: string; readonly question: unknown }[];
  readonly say: (message: ServerMessage) => void;
  readonly exit: (exit: ProcessExit) => void;
}

const supervisors: Supervisor[] = [];
afterEach(async () => {
  for (const supervisor of supervisors.splice(0)) await supervisor.stop();
});

function open() {
  const processes: FakeProcess[] = [];
  const exits: ProcessExit[] = [];
  const startProcess: typeof startServerProcess = ({ onMessage }) => {
    let exit: (exit: ProcessExit) => void = () => {};
    const exited = new Promise<ProcessExit>((resolve) => {
      exit = resolve;
    });
    const received: ServerOrder[] = [];
    const asked: FakeProcess['asked'] = [];
    processes.push({ received, asked, say: onMessage, exit });
    return Promise.resolve({
      send: (message, socket) => {
        received.push(message);
        socket?.destroy();
        return true;
      },
      ask: async (name, question) => {
        asked.push({ name, question });
        throw new Error('The process is gone.');
      },
      exited,
      stop: async () => {
        exit({ exitCode: undefined, signalName: 'SIGTERM' });
        await exited;
      },
    });
  };
  const supervisor = new Supervisor({
    startProcess,
    nodeOptions: [],
    entryFile: '',
    workingDirectory: '',
    environment: {},
    keepsSpare: false,
    records: 'nothing',
    allowedHosts: [],
    onCode: () => {},
    onRequests: () => {},
    onJobNews: () => {},
    onOutput: () => {},
    graceMs: 0,
    onNotice: () => {},
    onLateStart: () => {},
    onEnding: () => {},
    onExit: (exit) => void exits.push(exit),
  });
  supervisors.push(supervisor);
  const serve = async (answer: (child: FakeProcess) => void) => {
    const count = processes.length;
    const outcome = supervisor.serve(
      { url: 'file:///x.mjs', environment: {}, imports: [], hooks: {} },
      new AbortController().signal,
    );
    await expect.poll(() => processes[count]?.received.some(({ kind }) => kind === 'load')).toBe(true);
    const child = processes[count] as FakeProcess;
    answer(child);
    return { outcome: await outcome, child };
  };
  return { supervisor, serve, exits };
}

const address = { host: '127.0.0.1', port: 0 } as const;

function start(child: FakeProcess): void {
  child.say({ kind: 'listen', address });
  child.say({ kind: 'started', running: [] });
}

describe('the supervisor', () => {
  it('opens the port that a server asks for, and hands it the connections', async () => {
    const { serve } = open();
    const { outcome, child } = await serve(start);
    expect(outcome).toMatchObject({ kind: 'ready' });
    const [port = 0] = child.received.flatMap((order) => (order.kind === 'opened' ? [order.at.port] : []));
    connect({ host: '127.0.0.1', port }).on('error', () => {});
    await expect.poll(() => child.received.map(({ kind }) => kind)).toContain('connection');
  });

  it('keeps the port for the next code, and lets the code before finish', async () => {
    const { supervisor, serve } = open();
    const { outcome: first, child: before } = await serve(start);
    const { outcome: second } = await serve(start);
    expect(second).toEqual(first);
    expect(before.asked[0]).toMatchObject({ name: 'drain', question: { '127.0.0.1:0': { host: '127.0.0.1' } } });
    expect(supervisor.isServing).toBe(true);
  });

  it('lets the code before answer where the next one cannot start', async () => {
    const { supervisor, serve, exits } = open();
    await serve(start);
    const { outcome } = await serve((child) => child.exit({ exitCode: 1, signalName: undefined }));
    expect(outcome).toMatchObject({ kind: 'failed', exit: { exitCode: 1 } });
    expect(supervisor.isServing).toBe(true);
    expect(exits).toEqual([]);
  });

  it('tells of a server that has ended by itself', async () => {
    const { supervisor, serve, exits } = open();
    const { child } = await serve(start);
    child.exit({ exitCode: 7, signalName: undefined });
    await expect.poll(() => exits).toEqual([{ exitCode: 7, signalName: undefined }]);
    expect(supervisor.isServing).toBe(false);
  });
});
