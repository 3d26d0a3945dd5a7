import { type RoutedRequest, toShownUrl } from '../../record/replace-url-secrets.ts';
import type { ClosedRecord, FieldRecord } from '../../record/request-record.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { pick } from '../../values/json.ts';
import { type DevEvent, type DevNotice, toNoticeLines } from './dev-event.ts';

/** An event as JSON documents, each on a line: `{"event": "ready", "time": "2026-11-20T10:00:00.000Z", …}`. */
export function toDevJson(event: DevEvent, time: Date): string {
  const name = event.kind === 'requests' ? 'request' : event.kind;
  return toDocuments(event)
    .map(
      (document) => `${JSON.stringify({ event: name, time: time.toISOString(), ...document })}\n`,
    )
    .join('');
}

function toDocuments(event: DevEvent): readonly object[] {
  switch (event.kind) {
    case 'starting':
      return [{ cause: event.cause }];
    case 'ready': {
      const durationMs = Math.round(event.durationMs);
      return [{ cause: event.cause, durationMs, ...pick(event, 'urls', 'networkUrls', 'routes') }];
    }
    case 'failed':
      return [{ cause: event.cause, error: event.failure, stillServing: event.stillServing }];
    case 'port-taken':
      return [pick(event, 'cause', 'port', 'owner', 'stillServing')];
    case 'exited':
      return [{ exitCode: event.exitCode, signal: event.signalName, error: event.failure }];
    case 'notice':
      return [toNoticeDocument(event.notice)];
    case 'watch-trouble':
      return [event.trouble];
    case 'requests':
      return event.requests.map((request) => {
        if (request.closed !== undefined) return toClosedDocument(request, request.closed);
        return {
          method: request.method,
          url: toShownUrl(request),
          ...pick(request, 'route', 'capability', 'operation'),
          fields: request.fields?.map(toFieldDocument),
          ...pick(request, 'status', 'bytes', 'requestId'),
          durationMs: toTenths(request.durationMs),
          marks: request.details?.marks,
        };
      });
    case 'save-effect': {
      const { title, since, changes } = event.effect;
      return [{ request: title, savedAt: new Date(since).toISOString(), changes }];
    }
    case 'jobs':
      return [{ queues: event.overview.queues, trouble: event.overview.trouble }];
    case 'output':
      return event.lines.map((line) => ({ stream: event.stream, line: stripControl(line) }));
  }
}

function toNoticeDocument(notice: DevNotice): object {
  const messages = toNoticeLines(notice);
  if (notice.code !== 'RequestsCut') return { ...notice, messages };
  const requests = notice.requests.map(({ method, url, durationMs }) => ({
    method,
    url: toShownUrl({ url }),
    durationMs: Math.round(durationMs),
  }));
  return { code: notice.code, requests, messages };
}

function toFieldDocument(field: FieldRecord): object {
  const facts = pick(field, 'path', 'capability', 'calls', 'failed', 'status', 'error');
  return { ...facts, durationMs: toTenths(field.durationMs) };
}

function toTenths(durationMs: number): number {
  return Math.round(durationMs * 10) / 10;
}

/** The end of a connection, whose `request` was written when it opened. */
function toClosedDocument(request: RoutedRequest, { openMs, ...closed }: ClosedRecord): object {
  const { requestId } = request;
  const event = 'connection-closed';
  return { event, url: toShownUrl(request), requestId, ...closed, durationMs: Math.round(openMs) };
}
