import type { Project } from '../../manifest/project.ts';
import type { Recording } from '../../serve/server-message.ts';
import type { WatchedGlob } from '../../system/watched-places.ts';
import type { DevEvent } from './dev-event.ts';

export interface DevOptions {
  readonly project: Project;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute paths of files with variables for the server, the last one first; they need not be there. */
  readonly envFiles: readonly string[];
  /** Port in place of the server's own. */
  readonly port?: number | undefined;
  /** Host in place of the server's own. */
  readonly host?: string | undefined;
  /** The names of hosts that requests may be for, besides those of this machine. */
  readonly allowedHosts: readonly string[];
  readonly inspectPort?: number | undefined;
  /** Whether the first start waits for a debugger, and pauses. */
  readonly debuggerWait?: 'wait' | 'pause' | undefined;
  readonly nodeOptions?: readonly string[] | undefined;
  /** Whether the server is ended before its new code starts. @default where it turns out that it must be */
  readonly stopsFirst?: boolean | undefined;
  /** The time that a server may take to end when it is told to, milliseconds. */
  readonly graceMs: number;
  /** Files that the code reads and does not import: a change of one restarts, too. */
  readonly globs: readonly WatchedGlob[];
  readonly watches: boolean;
  readonly records: Recording;
  readonly report: (event: DevEvent) => void;
}
