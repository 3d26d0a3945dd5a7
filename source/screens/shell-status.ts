import type { ProjectState } from '../load/project-state.ts';

/** The state of things in the header. */
export type ShellStatus =
  | { readonly kind: 'loading' }
  /** `at`: milliseconds since 1970. */
  | { readonly kind: 'ready'; readonly at: number; readonly durationMs?: number | undefined }
  /** The last good state is shown. */
  | { readonly kind: 'broken'; readonly at?: number | undefined }
  | { readonly kind: 'none' };

/** `'14:03:09'`, in local time. */
export function toClock(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The state of a project. While a change is loaded, the header says what was: a flicker tells nobody anything. */
export function toShellStatus(project: ProjectState): ShellStatus {
  const { manifest, failure, failedAt, loadedAt, durationMs } = project;
  if (failure !== undefined) return { kind: 'broken', at: failedAt };
  if (manifest === undefined || loadedAt === undefined) return { kind: 'loading' };
  return { kind: 'ready', at: loadedAt, durationMs };
}
