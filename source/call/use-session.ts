import { join } from 'node:path';
import { useEffect, useMemo } from 'react';
import { toEnvFiles } from '../load/env-files.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { useScreen } from '../screens/use-screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CallSession, type CallSessionOptions, type PrintedLine, startCallSession } from './run/call-session.ts';

/** The code as it is now, in a process that is there until the code changes or the application ends. */
export type Session = Pick<CallSession, 'validate' | 'call'> & {
  /** Ends what it does, whatever that is. */
  readonly restart: () => void;
  /** Calls `onOutput` with what the code prints, until the returned function is called. */
  readonly watchOutput: (onOutput: (lines: readonly PrintedLine[]) => void) => () => void;
};

interface KnownSession {
  readonly manifest: Manifest;
  readonly session: Session;
}

/** One for all calls of a terminal: what a call has created in memory, the next one finds. */
const sessionOf = new WeakMap<Terminal, KnownSession>();

export function useSession(manifest: Manifest): Session {
  const { terminal, envFile } = useScreen();
  const session = useMemo((): Session => {
    const known = sessionOf.get(terminal);
    if (known?.manifest === manifest) return known.session;
    const { name, root, config } = manifest.project;
    return createSession((ends) =>
      startCallSession({
        ...ends,
        project: { name, root, entryFile: join(root, config) },
        envFiles: toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() }),
      }),
    );
  }, [manifest, envFile, terminal]);
  useEffect(() => {
    const known = sessionOf.get(terminal);
    if (known !== undefined && known.session !== session) known.session.restart();
    sessionOf.set(terminal, { manifest, session });
  }, [terminal, manifest, session]);
  return session;
}

/** Starts a process when it is first asked for, and another one where that has ended. */
function createSession(start: (on: Pick<CallSessionOptions, 'onExit' | 'onOutput'>) => CallSession): Session {
  let running: CallSession | undefined;
  const watchers = new Set<(lines: readonly PrintedLine[]) => void>();
  const current = (): CallSession => {
    if (running !== undefined) return running;
    const started = start({
      onExit: () => {
        if (running === started) running = undefined;
      },
      onOutput: (lines) => {
        for (const watcher of watchers) watcher(lines);
      },
    });
    running = started;
    return started;
  };
  return {
    watchOutput: (onOutput) => {
      watchers.add(onOutput);
      return () => void watchers.delete(onOutput);
    },
    validate: (...asked) => current().validate(...asked),
    call: (request) => current().call(request),
    restart: () => {
      running?.end();
      running = undefined;
    },
  };
}
