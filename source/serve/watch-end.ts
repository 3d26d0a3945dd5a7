import { once } from 'node:events';
import type { ProcessExit, startChild } from '../system/child-channel.ts';
import { readLines } from '../system/read-lines.ts';
import { waitWithin } from '../system/timing.ts';
import type { ServerProtocol } from './server-message.ts';

type OnOutput = (stream: 'stdout' | 'stderr', lines: readonly string[]) => void;

/** Holds what packages write that are loaded ahead, until the process has code: it may never have any. */
export function holdOutput(onOutput: OnOutput) {
  let held: Parameters<OnOutput>[] | undefined = [];
  return {
    take: (...output: Parameters<OnOutput>): void => {
      if (held === undefined) onOutput(...output);
      else held.push(output);
    },
    release: (): void => {
      for (const output of held ?? []) onOutput(...output);
      held = undefined;
    },
  };
}

/** The time for which output may arrive from its children after the process has ended, milliseconds. */
const LATE_OUTPUT_MS = 1_000;

/**
 * Resolves when everything that the process has started has ended, too, and all of its output and messages were
 * delivered.
 */
export async function watchEnd(
  { channel, process: child }: ReturnType<typeof startChild<ServerProtocol>>,
  onOutput: OnOutput,
): Promise<ProcessExit> {
  const closed = Promise.all([once(child, 'close'), once(child, 'disconnect')]).catch(() => {});
  for (const stream of ['stdout', 'stderr'] as const) {
    const output = child[stream];
    if (output !== null) readLines(output, (lines) => onOutput(stream, lines));
  }
  const exit = await channel.exited;
  if (child.pid !== undefined) await endProcessGroup(child.pid);
  // Not for ever: a subprocess that the server has set apart keeps its output open.
  await waitWithin(LATE_OUTPUT_MS, closed);
  return exit;
}

/** The time that processes may take to end in their own way, milliseconds. */
const GRACE_MS = 1_000;
const LOOK_EVERY_MS = 20;

/** Ends what a process has started and left behind, by SIGTERM and then by SIGKILL. Windows has no groups. */
async function endProcessGroup(group: number): Promise<void> {
  if (process.platform === 'win32') return;
  const endAt = performance.now() + GRACE_MS;
  for (let isThere = signalGroup(group, 'SIGTERM'); isThere; isThere = signalGroup(group, 0)) {
    if (performance.now() > endAt) return void signalGroup(group, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function signalGroup(group: number, signalName: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signalName);
  } catch {
    return false;
  }
}
