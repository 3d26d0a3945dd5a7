import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { FOUND, type StuckThreadData, watchStates } from './stuck-thread-data.ts';

// A thread that waits for the end of what the main thread does, and interrupts it where that does not come.

const { state, limitMs, lastWords } = workerData as StuckThreadData;

/** The main thread has a timer of its own, which is enough where it is not blocked. Milliseconds. */
const TIMER_MS = 250;
/** The time that the interruption may take, milliseconds. */
const INTERRUPTION_MS = 2000;
/** The time that the main thread takes to hear that nobody looks at it any more, milliseconds. */
const DISCONNECTION_MS = 50;
/** The time that the main thread may take to stop where it can be looked at, milliseconds. */
const PAUSE_MS = 1000;
/** Between two looks at the time that has been used, and what a process uses meanwhile that does nothing, milliseconds. */
const LOOK_MS = 250;
const REST_MS = 2;
/** The first frame is the question itself. */
const TELL_PLACE = `globalThis[Symbol.for('${FOUND}')]?.(new Error().stack.replace(/^ *at eval .*\\n?/gm, ''))`;

if (Atomics.wait(state, 0, watchStates.watching, limitMs + TIMER_MS) === 'timed-out') {
  Atomics.store(state, 0, watchStates.interrupting);
  afterUse(INTERRUPTION_MS, kill);
  // Where an engine has no inspector, the process is killed.
  interrupt().catch(() => {});
}

function kill(): void {
  if (Atomics.load(state, 0) === watchStates.over) return;
  writeSync(lastWords.descriptor, lastWords.text);
  process.kill(process.pid, 'SIGKILL');
}

async function interrupt(): Promise<void> {
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    session.post('Runtime.terminateExecution');
    // The child answers this even where nothing is paused.
    session.post('Debugger.resume', () => {
      session.disconnect();
      // A process that ends with a debugger at it says so on stderr.
      setTimeout(() => parentPort?.postMessage('released'), DISCONNECTION_MS);
    });
  };
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    if (isEnding) return;
    const callFrameId = callFrames[0]?.callFrameId ?? '';
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: TELL_PLACE }, end);
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  afterUse(PAUSE_MS, end);
}

/**
 * Acts when the main thread has had so much time: of the processor, which a busy machine gives it rarely, or of the clock where it uses none, as one that
 * waits in a call of the system.
 */
function afterUse(ms: number, act: () => void): void {
  let left = ms;
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const now = process.cpuUsage();
    const usedMs = (now.user + now.system - before.user - before.system) / 1000;
    before = now;
    left -= usedMs < REST_MS ? LOOK_MS : Math.min(usedMs, LOOK_MS);
    if (left > 0) return;
    clearInterval(timer);
    act();
  }, LOOK_MS);
}
