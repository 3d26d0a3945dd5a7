import { toShownUrl } from '../../record/replace-url-secrets.ts';
import type { ServeNotice } from '../../serve/server-message.ts';
import { stripControl } from '../../terminal/strip-control.ts';

/** An event besides starts and ends, for people to know. */
export type DevNotice =
  | ServeNotice
  /** A start took too long while a newer save waited. */
  | { readonly code: 'StartGivenUp'; readonly durationMs: number }
  | { readonly code: 'MemoryLost' };

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
    case 'MemoryLost':
      return [
        'What the code keeps in memory began anew, as it does with each reload; a file or a database keeps it.',
      ];
  }
}

function toSeconds(durationMs: number): string {
  return `${Math.round(durationMs / 100) / 10} s`;
}
