import type { ServedRoute } from '../../../server-runtime/server/transport.ts';
import { type RoutedRequest, toShownUrl } from '../../record/replace-url-secrets.ts';
import type { JobReport } from '../../serve/job-watch.ts';
import type { ServeNotice } from '../../serve/server-message.ts';
import type { PortOwner } from '../../system/find-port-owner.ts';
import type { WatchTrouble } from '../../system/watch-files.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { toClock } from '../../values/duration.ts';
import type { DevFailure } from './dev-failure.ts';
import type { SaveEffect } from './save-effects.ts';

export type StartCause =
  | { readonly kind: 'start' }
  | { readonly kind: 'change'; readonly files: readonly string[] }
  | { readonly kind: 'restart' };

/** An event under `capix dev`, in the order of events. Text of others is as they wrote it. */
export type DevEvent =
  | { readonly kind: 'starting'; readonly cause: StartCause }
  /** The code of `cause` answers from now on. */
  | {
      readonly kind: 'ready';
      readonly cause: StartCause;
      /** The code has answered before: it listens at more addresses, or has more routes. @default false */
      readonly isLate?: boolean;
      /** The time from the change to the first possible answer, milliseconds. */
      readonly durationMs: number;
      /** The addresses at which clients reach it; none for a server that says nothing of them. */
      readonly urls: readonly string[];
      /** The address at which other machines reach it; missing unless it listens at every address of this one. */
      readonly networkUrls?: readonly string[] | undefined;
      readonly routes: readonly ServedRoute[];
      /** What the server says besides, such as the paths of mounts. @default none */
      readonly notes?: readonly string[] | undefined;
    }
  /** The code of `cause` could not start. What answered before still answers, if anything did. */
  | {
      readonly kind: 'failed';
      readonly cause: StartCause;
      readonly failure: DevFailure;
      readonly stillServing: boolean;
    }
  | {
      readonly kind: 'port-taken';
      readonly cause: StartCause;
      readonly port: number;
      /** Whether `--port` would replace it. */
      readonly isFirst: boolean;
      readonly owner: PortOwner | undefined;
      readonly stillServing: boolean;
    }
  /** The server has ended by itself; nothing answers until the next change. */
  | {
      readonly kind: 'exited';
      readonly failure: DevFailure | undefined;
      readonly exitCode: number | undefined;
      readonly signalName: string | undefined;
    }
  | { readonly kind: 'notice'; readonly notice: DevNotice }
  /** Saves may be seen late, or not at all. */
  | { readonly kind: 'watch-trouble'; readonly trouble: WatchTrouble }
  | { readonly kind: 'requests'; readonly requests: readonly RoutedRequest[] }
  /** A request costs more since a save; without changes, it costs no more than before it again. */
  | { readonly kind: 'save-effect'; readonly effect: SaveEffect }
  | JobReport
  | {
      readonly kind: 'output';
      readonly stream: 'stdout' | 'stderr';
      readonly lines: readonly string[];
    };

/** An event besides starts and ends, for people to know. */
export type DevNotice =
  | ServeNotice
  /** A start took too long while a newer save waited. */
  | { readonly code: 'StartGivenUp'; readonly durationMs: number }
  | { readonly code: 'MemoryLost' }
  /** Saved calls were made on the server. */
  | {
      readonly code: 'SavedCalls';
      readonly passed: number;
      readonly failing: readonly SavedFailure[];
      /** Those that fail otherwise than the last time, or that are as expected again. */
      readonly changed: readonly SavedFailure[];
    };

/** One line for each thing to know, free of escape sequences. */
export function toNoticeLines(notice: DevNotice): readonly string[] {
  switch (notice.code) {
    case 'RequestsCut':
      return notice.requests.map(
        ({ method, url, durationMs }) =>
          `${method} ${stripControl(toShownUrl({ url }))} was cut after ${toSeconds(durationMs)}: newer code ` +
          'needs its place.',
      );
    case 'Killed':
      return [
        `The server did not end within ${toSeconds(notice.graceMs)} of SIGTERM and was killed. \`capix dev ` +
          `--stop-grace <seconds>\` gives it more time.`,
      ];
    case 'StopsFirst':
      return [
        'From now on the server is stopped before its new code starts, as with --stop-first: ' +
          `${stripControl(notice.reason)}.`,
      ];
    case 'StartGivenUp':
      return [
        `A start was given up after ${toSeconds(notice.durationMs)}, because a newer save waits.`,
      ];
    case 'SavedCalls':
      return notice.changed.map((failure) => stripControl(toSavedText(failure)));
    case 'MemoryLost':
      return [
        'What the code keeps in memory began anew, as it does with each reload; a file or a database keeps it.',
      ];
  }
}

function toSeconds(durationMs: number): string {
  return `${Math.round(durationMs / 100) / 10} s`;
}

/** A saved call whose answer is not as expected any more. */
export interface SavedFailure {
  readonly name: string;
  /** The key of the capability. */
  readonly call: string;
  /** A sentence each; none where it is as expected again. */
  readonly problems: readonly string[];
  /** When the save came: an instant in the words of ISO 8601. */
  readonly savedAt: string;
}

/** `@items/get: body.data.name: expected "Pen", got "pen" since 14:03:09` */
export function toSavedText({ name, problems, savedAt }: SavedFailure): string {
  const [first, ...others] = problems;
  if (first === undefined) return `@${name} is as expected again.`;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `@${name}: ${first}${more} since ${toClock(Date.parse(savedAt))}`;
}
