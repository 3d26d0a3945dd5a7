import type { PastCall } from '../files/past-call.ts';
import type { Line } from '../kit/line/line.ts';
import { toDuration } from '../kit/text/to-duration.ts';
import { toMethodToken } from '../kit/theme/tokens.ts';
import { type ProjectState, toOutline } from '../load/project-state.ts';
import type { Location } from '../screens/location.ts';
import { toClock } from '../screens/shell/shell-status.ts';
import { toStatusText, toStatusToken } from '../screens/status-token.ts';
import type { RecentError, SlowRoute } from './activity.ts';
import { type HomeItem, type HomeOptions, toGroup } from './home-item.ts';
import { toShorterLines, toSinceHeadLine } from './since-head.ts';

/** The events of a project: what changed since the last commit and whom it breaks, errors, slow routes, calls. */
export function toEventItems(options: HomeOptions, isWide: boolean): readonly HomeItem[] {
  const { project, facts } = options;
  const limit = isWide ? 5 : 3;
  return [
    ...toGroup('Since HEAD', toSinceHeadItems(options, limit), !isWide),
    ...toServerEvents(options, { isWide, limit }),
    ...toGroup(
      'Last calls',
      facts.calls.slice(0, MAX_CALLS).map((call) => toCallItem(call, project)),
      true,
    ),
  ];
}

/** The number of last calls that home shows. */
const MAX_CALLS = 5;

function toSinceHeadItems({ since, symbols }: HomeOptions, limit: number): readonly HomeItem[] {
  const route: Location = { screen: 'diff', before: 'HEAD' };
  const first: HomeItem =
    since.kind === 'none'
      ? { id: 'since', line: toSinceHeadLine(since, symbols) }
      : {
          id: 'since',
          line: toSinceHeadLine(since, symbols),
          shorter: toShorterLines(since),
          route,
          copied: 'capix diff HEAD',
        };
  const breaks = since.kind === 'files' && typeof since.contract === 'object' ? since.contract.breaks : [];
  const shown = breaks.length > limit ? breaks.slice(0, limit - 1) : breaks;
  const rest = breaks.length - shown.length;
  return [
    first,
    ...shown.map((text): HomeItem => {
      const [line = [], ...shorter] = [text, ...toFewerWords(text, symbols.ellipsis)].map((words) =>
        toBreakLine(words, symbols.warning),
      );
      return { id: `break ${text}`, line, shorter, route, copied: text };
    }),
    ...(rest > 0 ? [{ id: 'breaks', line: toBreakLine(`and ${rest} more`, ' '), route }] : []),
  ];
}

/** ``orders.getOrder: `unit` was added`` without its last words, down to the capability alone. */
function toFewerWords(text: string, ellipsis: string): readonly string[] {
  const words = text.split(' ');
  return words
    .slice(1)
    .map((_, index) => words.length - 1 - index)
    .map((count) =>
      count === 1 ? (words[0] ?? '').replace(/:$/, '') : `${words.slice(0, count).join(' ')} ${ellipsis}`,
    );
}

function toBreakLine(text: string, sign: string): Line {
  return [{ text: `${sign} ${text}`, token: 'warning' }];
}

/** The requests of `capix dev`, in whichever window it runs; where none does, a wide window says that it would tell of them. */
function toServerEvents(
  { facts: { server, activity }, project, symbols }: HomeOptions,
  { isWide, limit }: { readonly isWide: boolean; readonly limit: number },
): readonly HomeItem[] {
  if (server.kind === 'unknown') return [];
  if (server.kind !== 'dev') {
    const note: Line = [{ text: 'Enter starts capix dev', token: 'muted' }];
    const item: HomeItem = { id: 'requests', line: note, route: { screen: 'dev' }, copied: 'capix dev' };
    return isWide ? toGroup('Requests', [item], true) : [];
  }
  const { requestCount, errors, slowest } = activity;
  const about: EventPlace = { project, isHere: server.isHere, ellipsis: symbols.ellipsis };
  const none: Line =
    requestCount === 0
      ? [{ text: 'No request has come yet', token: 'muted' }]
      : [
          { text: `${symbols.tick} none`, token: 'success' },
          { text: ` of the last ${requestCount === 1 ? 'request' : `${requestCount} requests`}`, token: 'muted' },
        ];
  const noErrors: readonly HomeItem[] = [{ id: 'errors', line: none }];
  return [
    ...toGroup(
      'Errors',
      errors.length === 0 ? noErrors : errors.slice(0, limit).map((one) => toErrorItem(one, about)),
      isWide,
    ),
    ...toGroup(
      'Slowest',
      slowest.slice(0, limit).map((one) => toSlowItem(one, about)),
      isWide,
    ),
  ];
}

interface EventPlace {
  readonly project: ProjectState;
  /** Whether the server is that of this window. */
  readonly isHere: boolean;
  readonly ellipsis: string;
}

/** Status, path and number before when and which capability, whose name stands in for a path that would be cut. */
function toErrorItem(error: RecentError, place: EventPlace): HomeItem {
  const { method, url, capability, status, at, count } = error;
  const first: Line = [{ text: toStatusText(status).padEnd(4), token: toStatusToken(status) }];
  const clock: Line = [{ text: ` ${toClock(at)}  `, token: 'muted' }];
  const gap: Line = [{ text: ' ' }];
  const verb: Line = [{ text: `${method} `, token: toMethodToken(method) }];
  const times: Line = [{ text: count === 1 ? '' : `  ${count} times`, token: 'warning' }];
  const path = url.replace(/\?.+/, `?${place.ellipsis}`);
  const key: Line = [{ text: capability === undefined ? '' : `  ${capability}`, token: 'muted' }];
  const brief: Line = [{ text: count === 1 ? ' ' : ` ${count}x `, token: 'warning' }];
  const named: Line = [...verb, { text: capability ?? '' }, ...times];
  return {
    id: `error ${status} ${method} ${url}`,
    line: [...first, ...clock, ...verb, { text: url }, ...times, ...key],
    shorter: [
      [...first, ...clock, ...verb, { text: url }, ...times],
      [...first, ...gap, ...verb, { text: url }, ...times],
      [...first, ...clock, ...verb, { text: path }, ...times],
      [...first, ...gap, ...verb, { text: path }, ...times],
      ...(capability === undefined ? [] : [clock, gap].map((before) => [...first, ...before, ...named])),
      [...first, ...brief, ...verb, { text: path }],
      ...(capability === undefined ? [] : [[...first, ...brief, { text: capability }]]),
    ],
    copied: `${method} ${url}`,
    ...toWay(capability, place),
  };
}

/** The time and the capability before the number of its requests. */
function toSlowItem({ key, method, p95Ms, count }: SlowRoute, place: EventPlace): HomeItem {
  const time = { text: toDuration(p95Ms).padStart(7) };
  const route: Line = [{ text: `${method} `, token: toMethodToken(method) }, { text: key }];
  const short: Line = [time, { text: '  p95  ', token: 'muted' }, ...route];
  return {
    id: `slow ${key}`,
    line: [...short, { text: `  ${count === 1 ? '1 request' : `${count} requests`}`, token: 'muted' }],
    shorter: [short, [time, { text: '  ' }, ...route], [{ text: `${time.text.trim()}  ` }, { text: key }]],
    copied: key,
    ...toWay(key, place),
  };
}

/** To the server in this window, which has the request; else to the capability. */
function toWay(key: string | undefined, { project, isHere }: EventPlace): Pick<HomeItem, 'route' | 'source'> {
  const source = findSource(key, project);
  if (isHere) return { route: { screen: 'dev' }, source };
  return key === undefined ? { source } : { route: { screen: 'show', key }, source };
}

function toCallItem({ key, input, status, at }: PastCall, project: ProjectState): HomeItem {
  const text = JSON.stringify(input);
  const first: Line = [{ text: toStatusText(status).padEnd(4), token: toStatusToken(status) }];
  const clock: Line = [{ text: ` ${toClock(at)}  `, token: 'muted' }];
  const called: Line = [{ text: `${key} ` }, { text: text ?? '', token: 'muted' }];
  return {
    id: `call ${at} ${key}`,
    line: [...first, ...clock, ...called],
    shorter: [[...first, { text: ' ' }, ...called]],
    route: { screen: 'call', key, input: text },
    copied: text === undefined ? key : `${key} ${text}`,
    source: findSource(key, project),
  };
}

function findSource(key: string | undefined, project: ProjectState): HomeItem['source'] {
  return toOutline(project)?.capabilities.find((capability) => capability.key === key)?.source;
}
