import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import type { Unread } from './references/unread.ts';

export interface LoadSideOptions {
  /** The project that is compared; a ref is read as its history. */
  readonly project: Project;
  /** Absolute path that files are relative to. */
  readonly workingDirectory: string;
  /** The env files of a project at an absolute path, as absolute paths. */
  readonly toEnvFiles: (root: string) => readonly string[];
  /** Whether code may run: else its lock file is read in its place. @default true */
  readonly runsCode?: boolean | undefined;
  /**
   * Whether the code of every ref gets the env files and the whole environment. @default those of
   * the history of HEAD
   */
  readonly givesEnv?: boolean | undefined;
  /** Folders, files and addresses that documents may refer to besides what is around them. @default none */
  readonly allow?: readonly string[] | undefined;
  /** MiB that a document of a URL may have, with all that it refers to. @default 64 */
  readonly maxSize?: number | undefined;
  /** Aborted when the user leaves: the processes of the load then end. */
  readonly signal?: AbortSignal | undefined;
  /** Gets what code printed while it was loaded, free of escape sequences. @default nobody */
  readonly onOutput?: ((output: string) => void) | undefined;
}

export interface LoadedSide {
  /** Of a document that was only read: its contract, and nothing of a project. */
  readonly manifest: Manifest;
  /** Sentences about parts that are not as they were at the named commit. */
  readonly notes: readonly string[];
  /** What no comparison looks at. */
  readonly unread: readonly Unread[];
  /** Whether it is a commit that is not in the history of what is checked out. @default false */
  readonly isElsewhere?: boolean | undefined;
}
