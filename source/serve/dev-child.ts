import * as inspector from 'node:inspector';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { prepareCompiler } from '../load/hooks/compile.ts';
import { followCode } from '../load/hooks/follow-code.ts';
import { hideOwnFile } from '../patches/hide-own-file.ts';
import type { ListenHandle } from '../patches/intercept-listen.ts';
import type { RequestRecord } from '../record/request-record.ts';
import { RequestRecorder } from '../record/request-recorder.ts';
import { connectToParent, writeLastWords } from '../system/parent-channel.ts';
import { ChildLink } from './child-link.ts';
import { createJobWatch } from './job-watch.ts';
import { Preload, rehearse } from './preload.ts';
import {
  type LastMessage,
  type ServerOrder,
  type ServerOrderOf,
  type ServerProtocol,
  toThrownError,
} from './server-message.ts';

// The process that runs the user's server under `capix dev`. It boots early and waits for what it is to load. Its
// argument is the file that the user's code should see itself started as.

process.setSourceMapsEnabled(true);
hideOwnFile();

/** The time that code may take to end itself after the supervisor has ended, milliseconds. */
const ORPHAN_GRACE_MS = 2_000;
/** The number of files that are compiled at once: whoever waits for the process gets it soon. */
const AT_ONCE = 32;
/** The requests a second of which more than a line is recorded. */
const DETAILS_PER_SECOND = 100;
/** The most characters of requests that the process writes at its end. The error that ended it comes before them. */
const LAST_REQUESTS_LENGTH = 32_768;

const jobs = createJobWatch((overview) => void channel.send(overview));
const channel = connectToParent<ServerProtocol>({
  answers: {
    'retry-job': ({ key, id }) => jobs.retry(key, id),
    drain: async (ports, tell) => {
      const drained = link?.drain(ports);
      void tell('diverted');
      await drained;
      recorder?.flush();
    },
    cut: async ({ closesQuiet }) => link?.cut(closesQuiet) ?? { requests: [], passesOn: false },
    // Code that listens for the signal ends its streams as it would in production.
    'end-streams': async () => {
      link?.stopAccepting();
      if (process.listenerCount('SIGTERM') === 0) await link?.endStreams();
    },
    'end-inspecting': async () => endInspecting(),
    'preload-state': async () => preload.state(),
  },
  onOrder,
  orphanGraceMs: ORPHAN_GRACE_MS,
});
const hooks = followCode((notes) => void channel.send({ kind: 'code', notes }));
const preload = new Preload(hooks);
prepareCompiler(import.meta.filename);
const release = channel.hold();
let warmed: Promise<unknown> = Promise.resolve();
let isAwaited = false;
let isEnding = false;
let recorder: RequestRecorder | undefined;
let link: ChildLink | undefined;
process.on('uncaughtExceptionMonitor', (thrown) =>
  writeLast({ kind: 'failed', during: 'run', error: toThrownError(thrown) }),
);
process.on('exit', () => {
  isEnding = true;
  // A process that ends would wait until its debugger has disconnected.
  endInspecting();
  // The request that made it end is the one to look at.
  recorder?.flush();
  hooks.flush();
});

function writeLast(message: LastMessage): void {
  writeLastWords(`${JSON.stringify(message)}\n`);
}

function tellRequests(requests: readonly RequestRecord[]): void {
  if (!isEnding) return void channel.send({ kind: 'requests', requests });
  let length = 0;
  const last = requests.toReversed().filter((request) => {
    length += JSON.stringify(request).length;
    return length <= LAST_REQUESTS_LENGTH;
  });
  for (const request of last.toReversed()) writeLast({ kind: 'requests', requests: [request] });
}

function onOrder(order: ServerOrder, handle: unknown): void {
  switch (order.kind) {
    case 'warm':
      warmed = warmed.then(() => warm(order));
      return;
    case 'load':
      return void load(order);
    case 'inspect':
      return inspect(order);
    case 'opened':
      return link?.find(order.address)?.opened(order.at);
    case 'refused':
      return refuse(order);
    case 'connection':
      return takeConnection(order.address, handle as Socket | undefined);
    case 'accept':
      return link?.accept(order, handle as ListenHandle);
  }
}

function refuse({ address, error }: ServerOrderOf<'refused'>): void {
  const { message, code, syscall, port } = error;
  const refusal = Object.assign(new Error(message), { code, syscall, port });
  link?.find(address)?.refused(refusal);
}

/** A connection to an address that the code has closed meanwhile is cut. */
function takeConnection(
  address: ServerOrderOf<'connection'>['address'],
  socket: Socket | undefined,
): void {
  void channel.send({ kind: 'taken' });
  const server = link?.find(address)?.linked;
  if (server === undefined) socket?.destroy();
  else if (socket !== undefined) server.connect(socket);
}

/** An import that cannot be warmed is left to the code, which then says what is wrong with it. */
async function warm({
  modules: urls,
  files,
  packages,
  environment,
}: ServerOrderOf<'warm'>): Promise<void> {
  const loading = await Promise.allSettled(urls.map((url) => import(url) as Promise<object>));
  const modules = loading.flatMap((loaded) =>
    loaded.status === 'fulfilled' ? [loaded.value] : [],
  );
  if (!isAwaited && modules.length > 0) await rehearse(modules).catch(() => undefined);
  for (let at = 0; at < files.length && !isAwaited; at += AT_ONCE) {
    hooks.take({ files: files.slice(at, at + AT_ONCE) });
    await nextTurn();
  }
  if (packages.length === 0) return;
  Object.assign(process.env, environment);
  await preload.load(packages, () => isAwaited);
}

/** Opens the port, unless an option of Node has done so already; Node itself says why it cannot. */
function inspect({ port, waits }: ServerOrderOf<'inspect'>): void {
  if (inspector.url() === undefined) inspector.open(port, '127.0.0.1');
  if (waits && inspector.url() !== undefined) inspector.waitForDebugger();
}

function endInspecting(): void {
  if (inspector.url() !== undefined) inspector.close();
}

async function load({
  url,
  environment,
  records,
  allowedHosts,
  ...order
}: ServerOrderOf<'load'>): Promise<void> {
  isAwaited = true;
  await warmed;
  hooks.take({ files: [], ...order.hooks });
  Object.assign(process.env, environment);
  if (records === 'details') recorder = new RequestRecorder(tellRequests, DETAILS_PER_SECOND);
  const isRepeatable = (): boolean => preload.isRepeatable(environment);
  link = new ChildLink({ channel, recorder, jobs, allowedHosts, isRepeatable });
  link.install();
  try {
    await import(url);
  } catch (thrown) {
    hooks.flush();
    await channel.send({ kind: 'failed', during: 'load', error: toThrownError(thrown) });
    process.exit(1);
  }
  hooks.flush();
  link.takeLoaded();
  // From here on the process lives as long as the user's code has something open, as it would by itself.
  release();
}
