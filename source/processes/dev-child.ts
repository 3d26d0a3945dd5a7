import { createChildLink } from './child-link.ts';
import { type AddressName, type ToChild, toThrownError } from './dev-messages.ts';
import { observePorts } from './observe-ports.ts';
import { connectToParent } from './parent-channel.ts';
import { createRequestRecorder, type RequestRecorder } from './record-requests.ts';
import type { RequestRecord } from './request-record.ts';

// The process that runs the user's server under `capix dev`. It boots early and waits for what it is to load. Its argument is the file
// that the user's code should see itself started as.

process.setSourceMapsEnabled(true);
process.argv.splice(1, 1);

const channel = connectToParent();
const release = channel.hold();
let recorder: RequestRecorder | undefined;
const { link, opened, connect, drain } = createChildLink(channel, () => recorder);
Object.assign(globalThis, { [Symbol.for('capix.devLink')]: link });
observePorts((port) => void channel.send({ kind: 'listening', port }));
process.on(
  'uncaughtExceptionMonitor',
  (thrown) => void channel.send({ kind: 'failed', during: 'run', error: toThrownError(thrown) }),
);

channel.onMessage((message, socket) => {
  switch (message.kind) {
    case 'warm':
      return void Promise.allSettled(message.modules.map((url) => import(url)));
    case 'load':
      return void load(message);
    case 'opened':
      return opened(message.address, message.port);
    case 'connection':
      return socket && connect(message.address, socket);
    case 'drain':
      return void endServing(message.ports);
  }
});

async function load({ url, environment, records }: Extract<ToChild, { readonly kind: 'load' }>): Promise<void> {
  Object.assign(process.env, environment);
  if (records !== 'nothing') {
    const tell = (requests: readonly RequestRecord[]) => void channel.send({ kind: 'requests', requests });
    recorder = createRequestRecorder(tell, { detailsPerSecond: records === 'details' ? 100 : 0 });
  }
  try {
    await import(url);
  } catch (thrown) {
    await channel.send({ kind: 'failed', during: 'load', error: toThrownError(thrown) });
    process.exit(1);
  }
  // From here on the process lives as long as the user's code has something open, as it would by itself.
  release();
}

async function endServing(ports: Readonly<Record<AddressName, number>>): Promise<void> {
  const drained = drain(ports);
  void channel.send({ kind: 'diverted' });
  await drained;
  recorder?.flush();
  await channel.send({ kind: 'drained' });
}
