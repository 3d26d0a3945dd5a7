import { toRouteLines, toStartLines } from '../../server-runtime/server/start-lines.ts';
import type { ServedRoute, TransportStarted } from '../../server-runtime/server/transport.ts';
import { type RoutedRequest, toShownUrl } from '../record/replace-url-secrets.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toDuration } from '../values/duration.ts';
import { toBroken, toFilesText } from './dev-state.ts';
import { type DevEvent, type StartCause, toNoticeLines } from './session/dev-event.ts';
import { toCalledText, toCloser } from './session/request-words.ts';
import { toEffectText } from './session/save-effects.ts';

/**
 * Writes the lines of `capix dev` without a screen, an event at a time. Start line and routes are those that the server
 * itself prints elsewhere; after a reload, only the routes that were added or removed.
 */
export function createDevTextWriter({
  writeOut,
  writeError,
}: Pick<Terminal, 'writeOut' | 'writeError'>) {
  const writers = { stdout: writeOut, stderr: writeError };
  let shown: Shown | undefined;
  return (event: DevEvent): void => {
    switch (event.kind) {
      case 'starting':
      case 'jobs':
        return;
      case 'output':
        return writers[event.stream](toLines(event.lines.map(stripControl)));
      case 'requests':
        return writeOut(toLines(event.requests.map(toRequestLine)));
      case 'ready':
        writeOut(toLines(toReadyLines(event, shown)));
        shown = event;
        return;
      case 'failed':
      case 'port-taken':
      case 'exited':
        return writeError(toLines(toBrokenLines(event)));
      case 'notice':
        return writeError(toLines(toNoticeLines(event.notice).map((line) => `[capix] ${line}`)));
      case 'save-effect':
        return writeOut(`[capix] ${stripControl(toEffectText(event.effect))}\n`);
      case 'watch-trouble':
        return writeError(`[capix] ${event.trouble.message} ${event.trouble.hint}\n`);
    }
  };
}

function toBrokenLines(event: Parameters<typeof toBroken>[0]): readonly string[] {
  const { failure, text } = toBroken(event);
  const why = event.kind === 'failed' ? 'The server cannot start: ' : '';
  const { message, frame, hint } = failure;
  const lines = [`[capix] ${why}${message}`, frame, hint, `[capix] ${text}.`];
  return lines.filter((line) => line !== undefined);
}

/** `[capix] GET /items/7 404 in 1.2 ms  items.getItem` */
function toRequestLine(request: RoutedRequest): string {
  const { method, status, durationMs, operation, closed } = request;
  const [way, what] = operation ? [operation.kind, operation.title] : [method, toShownUrl(request)];
  const place = `[capix] ${way} ${stripControl(what)}`;
  if (closed !== undefined)
    return `${place} closed by ${toCloser(closed)} with ${closed.code} after ${toDuration(closed.openMs)}`;
  const called = toCalledText(request);
  const name = called === '' ? '' : `  ${called}`;
  return `${place} ${status === 0 ? 'left' : status} in ${toDuration(durationMs)}${name}`;
}

type Ready = Extract<DevEvent, { readonly kind: 'ready' }>;
type Shown = Pick<Ready, 'urls' | 'networkUrls' | 'routes' | 'notes'>;

function toReadyLines(
  { cause, isLate = false, durationMs, urls, networkUrls, routes, notes }: Ready,
  shown: Shown | undefined,
): readonly string[] {
  const ready = { urls, networkUrls, routes, notes };
  if (isLate && shown !== undefined) return toStartLines(toRunning(toUnprinted(ready, shown)));
  const start = toStartLines(toRunning(ready));
  if (shown === undefined || cause.kind === 'start') return start;
  const reloaded = `[capix] ${toCauseText(cause)} in ${Math.round(durationMs)} ms`;
  if (`${urls} ${networkUrls}` !== `${shown.urls} ${shown.networkUrls}`)
    return [...start, reloaded];
  return [...toChangedRoutes(shown.routes, routes), reloaded];
}

function toRunning({ urls, networkUrls, routes, notes }: Shown): readonly TransportStarted[] {
  return [...urls.map((url) => ({ url, routes: [] })), { networkUrls, routes, notes }];
}

/** The facts that were not printed before. */
function toUnprinted({ urls, networkUrls, routes, notes }: Shown, shown: Shown): Shown {
  return {
    urls: urls.filter((url) => !shown.urls.includes(url)),
    networkUrls: `${networkUrls}` === `${shown.networkUrls}` ? undefined : networkUrls,
    routes: without(routes, shown.routes),
    notes: notes?.filter((note) => shown.notes?.includes(note) !== true),
  };
}

function toChangedRoutes(
  before: readonly ServedRoute[],
  after: readonly ServedRoute[],
): readonly string[] {
  const removed = without(before, after);
  const lines = toRouteLines([...removed, ...without(after, before)]);
  return lines.map((line, index) => `  ${index < removed.length ? '-' : '+'} ${line}`);
}

function without(
  routes: readonly ServedRoute[],
  others: readonly ServedRoute[],
): readonly ServedRoute[] {
  const names = new Set(others.map(toName));
  return routes.filter((route) => !names.has(toName(route)));
}

function toName({ method, path, key }: ServedRoute): string {
  return `${method} ${path} ${key}`;
}

/** `src/x.ts changed, reloaded`, as far as it goes before ` in 52 ms`. */
function toCauseText(cause: StartCause): string {
  if (cause.kind === 'change') return `${toFilesText(cause.files)} changed, reloaded`;
  return cause.kind === 'start' ? 'Started' : 'Restarted';
}

function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
