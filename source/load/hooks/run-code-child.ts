import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { compiledFile } from '../../package-root.ts';
import { COMMAND, THREADS } from './follow-code.ts';
import { installHooks } from './install-hooks.ts';

// The file that `--import` names in the process of a server, and so in the processes and threads that its code starts:
// they load TypeScript, too, and tell the server's process what they load.

const hooks = installHooks();
if (!isMainThread) {
  const threads = new BroadcastChannel(THREADS);
  threads.unref();
  hooks.onNote = () => void setImmediate(() => threads.postMessage(hooks.notes())).unref();
} else if (process.argv[1] !== compiledFile('serve/dev-child.js') && process.send !== undefined) {
  hooks.onNote = () =>
    void setImmediate(() =>
      process.send?.({ cmd: COMMAND, notes: hooks.notes() }, () => {}),
    ).unref();
}
