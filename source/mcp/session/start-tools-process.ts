import { CliError, type CliErrorOptions } from '../../cli/errors/cli-error.ts';
import { toEndedFailure } from '../../load/load-failure.ts';
import { compiledFile } from '../../package-root.ts';
import { ChildEnded } from '../../system/child/child-ended.ts';
import { startChild } from '../../system/child/start-child.ts';
import { findLoadLimitMs } from '../../system/import-within.ts';
import type { RelayServer } from './relay.ts';
import type { LoadTools, ToolsAnswer, ToolsProtocol } from './tools-protocol.ts';

/** A process that runs one state of the project's code, and serves its tools. */
export interface ToolsProcess {
  readonly server: RelayServer;
  /** Answers also where the code ends the process, crashes it, or never finishes. */
  readonly load: (code: LoadTools) => Promise<ToolsAnswer>;
  /** Resolves when it is gone and everything that it said was heard: undefined where it was told to end, else `ended the process with SIGSEGV`. */
  readonly gone: Promise<string | undefined>;
  readonly kill: () => void;
}

/** The time that loading may take beside what the code itself may, milliseconds. */
const EXTRA_MS = 15_000;

/** Starts a process that waits for the code to load. It ends with this process. */
export function startToolsProcess(onMessage: (message: string) => void): ToolsProcess {
  const { channel, process: child } = startChild<ToolsProtocol>(compiledFile('mcp/session/tools-child.js'), {
    output: 'stderr',
    onNote: onMessage,
  });
  let wasTold = false;
  // A process may be seen to end before the last of its messages is read.
  const heard = new Promise<void>((resolve) => void child.once('disconnect', () => resolve()));
  const gone = channel.exited.then(async ({ exitCode, signalName }) => {
    if (child.connected) await heard;
    return wasTold ? undefined : `ended the process with ${signalName ?? `exit code ${exitCode ?? 1}`}`;
  });
  return {
    server: {
      send: (text) => void channel.send({ kind: 'message', text }),
      end: () => {
        if (!wasTold) channel.send({ kind: 'end' });
        wasTold = true;
      },
    },
    load: (code) =>
      channel
        .ask('load', code, { limitMs: findLoadLimitMs() + EXTRA_MS })
        .catch((error: unknown) => ({ kind: 'failed', error: toEndError(error) })),
    gone,
    kill: () => {
      wasTold = true;
      channel.kill();
    },
  };
}

function toEndError(error: unknown): Omit<CliErrorOptions, 'cause'> {
  if (error instanceof ChildEnded) return toEndedFailure(error.reason);
  throw error instanceof CliError ? error : new Error(String(error), { cause: error });
}
