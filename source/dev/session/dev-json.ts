import { toShownUrl } from '../../record/replace-url-secrets.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import type { DevEvent } from './dev-event.ts';
import { type DevNotice, toNoticeLines } from './dev-notice.ts';

/** An event as one JSON document on a line: `{"event": "ready", "time": "2026-11-20T10:00:00.000Z", …}`. */
export function toDevJson(event: DevEvent, time: Date): string {
  return toDocuments(event)
    .map(
      (document) =>
        `${JSON.stringify({ event: names[event.kind] ?? event.kind, time: time.toISOString(), ...document })}\n`,
    )
    .join('');
}

/** Events that give a document each. */
const names: Partial<Record<DevEvent['kind'], string>> = { requests: 'request' };

function toDocuments(event: DevEvent): readonly object[] {
  switch (event.kind) {
    case 'starting':
      return [{ cause: event.cause }];
    case 'ready':
      return [
        {
          cause: event.cause,
          durationMs: Math.round(event.durationMs),
          urls: event.urls,
          networkUrls: event.networkUrls,
          routes: event.routes,
        },
      ];
    case 'failed':
      return [{ cause: event.cause, error: event.failure, stillServing: event.stillServing }];
    case 'port-taken':
      return [{ cause: event.cause, port: event.port, owner: event.owner, stillServing: event.stillServing }];
    case 'exited':
      return [{ exitCode: event.exitCode, signal: event.signalName, error: event.failure }];
    case 'own-writes':
      return [{ files: event.files }];
    case 'notice':
      return [{ ...toNoticeFacts(event.notice), messages: toNoticeLines(event.notice) }];
    case 'watch-trouble':
      return [event.trouble];
    case 'requests':
      return event.requests.map((request) => ({
        method: request.method,
        url: toShownUrl(request),
        capability: request.capability,
        status: request.status,
        bytes: request.bytes,
        requestId: request.requestId,
        durationMs: Math.round(request.durationMs * 10) / 10,
      }));
    case 'jobs':
      return [{ queues: event.overview.queues, trouble: event.overview.trouble }];
    case 'output':
      return event.lines.map((line) => ({ stream: event.stream, line: stripControl(line) }));
  }
}

/** The URLs of requests hold no secrets here either. */
function toNoticeFacts(notice: DevNotice): DevNotice {
  if (notice.code !== 'RequestsCut') return notice;
  const requests = notice.requests.map(({ method, url, durationMs }) => ({
    method,
    url: toShownUrl({ url }),
    durationMs: Math.round(durationMs),
  }));
  return { code: notice.code, requests };
}
