import { unescape } from 'node:querystring';
import { toUnknown } from '../../server-runtime/mcp/server-maker.ts';
import { readServerStates, type ServerState } from '../files/server-state.ts';
import { toLineText } from '../kit/line.ts';
import { toProjectPath } from '../manifest/project.ts';
import type { Marks } from '../record/call-marks.ts';
import { readRequests, type WrittenRequest } from '../record/read-requests.ts';
import {
  toCountsText,
  toRepeatedLines,
  toRowText,
  toWaterfall,
  type WaterfallRow,
} from '../screens/waterfall.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toDuration } from '../values/duration.ts';
import { pick } from '../values/json.ts';

const LIST = 'capix://requests';
const TEMPLATE = `${LIST}/{id}`;
const MAX_LISTED = 100;
/** The columns of the two times of a row. */
const TIME_COLUMNS = 9;

const description =
  'The last requests that `capix dev` of this project has recorded, the newest first, with their times and counts of ' +
  `queries, outgoing calls and commands of Redis. ${TEMPLATE} says where the time of one went.`;

/** What the lists of the protocol say of them. */
const offers: Readonly<Record<string, object>> = {
  'resources/list': {
    uri: LIST,
    name: 'recorded-requests',
    title: 'Recorded requests',
    description,
    mimeType: 'application/json',
  },
  'resources/templates/list': {
    uriTemplate: TEMPLATE,
    name: 'recorded-request',
    title: 'Where the time of a request went',
    description:
      'Each step of one request, and what its code waited for: statements without their values, URLs without their ' +
      `secrets, with the lines that they came from. The id is that of ${LIST}, or the x-request-id of an answer.`,
    mimeType: 'text/plain',
  },
};

/** A list of the protocol with what there is to read of requests. */
export function addRequests(method: string, list: object = {}): object {
  const offer = offers[method];
  if (offer === undefined) return list;
  const [[name, entries]] = Object.entries(list) as [[string, readonly object[]]];
  return { [name]: [...entries, offer] };
}

/**
 * Answers what agents ask of the requests that a `capix dev` of the project has recorded; undefined for anything else.
 * `root`: absolute path of the project.
 */
export function answerOfRequests(
  root: string,
  method: string,
  params: object,
): Promise<object> | undefined {
  const { uri, ref } = params as { uri?: string; ref?: { uri?: string } };
  if (method === 'resources/read' && uri === LIST) return readList(root);
  if (method === 'resources/read' && uri?.startsWith(`${LIST}/`) === true)
    return readOne(root, uri);
  if (method === 'completion/complete' && ref?.uri === TEMPLATE) return completeId(root, params);
  return undefined;
}

async function readList(root: string): Promise<object> {
  const servers = await readServerStates(root);
  const recorded = await readAll(root, servers);
  const requests = recorded.slice(0, MAX_LISTED).map((request) => ({
    id: request.requestId,
    ...pick(request, 'time', 'method', 'url', 'route', 'capability', 'status', 'durationMs'),
    ...toCounts(request.marks),
  }));
  const note = toNote(servers, recorded);
  const text = JSON.stringify({
    note,
    servers: servers.map(({ urls, phase }) => ({ urls, phase })),
    requests,
  });
  return { contents: [{ uri: LIST, mimeType: 'application/json', text }] };
}

function toNote(
  servers: readonly ServerState[],
  requests: readonly WrittenRequest[],
): string | undefined {
  if (servers.length === 0)
    return 'No `capix dev` of this project runs: start it, send the request, and read this again.';
  if (requests.length === 0)
    return 'No request was recorded yet. Send one to the server, and read this again.';
  return undefined;
}

/** The newest first. */
async function readAll(
  root: string,
  servers: readonly ServerState[],
): Promise<readonly WrittenRequest[]> {
  const all = await Promise.all(servers.map(({ pid }) => readRequests(root, pid)));
  return all
    .flat()
    .toReversed()
    .toSorted((one, other) => other.time.localeCompare(one.time));
}

function toCounts(marks: Marks | undefined): object {
  if (marks === undefined) return {};
  const { db = 0, http = 0, redis = 0 } = marks.counts;
  const repeated = toRepeatedLines(marks, Number.POSITIVE_INFINITY).map(toLineText);
  return { queries: db, calls: http, commands: redis, ...(repeated.length > 0 && { repeated }) };
}

async function readOne(root: string, uri: string): Promise<object> {
  const id = unescape(uri.slice(LIST.length + 1));
  const servers = await readServerStates(root);
  const recorded = await readAll(root, servers);
  // A job has the id of the request that has enqueued it.
  const found = recorded.filter(({ requestId }) => requestId === id).toReversed();
  if (found.length === 0)
    throw toUnknown(toNote(servers, recorded) ?? `There is no recorded request '${id}'.`, { uri });
  const text = stripControl(found.map((request) => toText(request, root)).join('\n'));
  return { contents: [{ uri, mimeType: 'text/plain', text }] };
}

function toText(request: WrittenRequest, root: string): string {
  const { method, url, status, durationMs, time, marks, failure } = request;
  const facts = [request.capability, request.route, toCountsText(marks)];
  const lines = [
    `${method} ${url}: ${status === 0 ? 'the client left' : status} after ${toDuration(durationMs)}, ended ${time}`,
    facts.filter(Boolean).join(', '),
    ...(failure === undefined ? [] : ['', failure.error.stack]),
    '',
    ...(marks === undefined
      ? ['Its times were not recorded: there were too many requests.']
      : toTimeLines(marks, durationMs, root)),
  ];
  return `${lines.join('\n')}\n`;
}

function toTimeLines(marks: Marks, durationMs: number, root: string): readonly string[] {
  const { rows, leftOut } = toWaterfall(marks, durationMs);
  const toLines = (row: WaterfallRow, depth: number): readonly string[] => {
    const [{ atMs, tookMs, result, place }] = row.marks;
    const isMoment = tookMs === undefined && row.marks.length === 1;
    const times = [toDuration(atMs), isMoment ? '' : toDuration(row.tookMs)];
    const came = place && `from ${toProjectPath(place.file, root)}:${place.line}`;
    const facts = [result, came].filter(Boolean).join(', ');
    const line = [
      ...times.map((text) => text.padStart(TIME_COLUMNS)),
      `${'  '.repeat(depth)}${toRowText(row)}${facts === '' ? '' : `  (${facts})`}`,
    ].join('  ');
    // Many of one name are one line.
    const inner = row.marks.length === 1 ? row.children : [];
    return [line, ...inner.flatMap((child) => toLines(child, depth + 1))];
  };
  const columns = ['began at', 'took'].map((name) => name.padStart(TIME_COLUMNS)).join('  ');
  return [
    ...toRepeatedLines(marks, Number.POSITIVE_INFINITY).map(toLineText),
    `${columns}  what`,
    ...rows.flatMap((row) => toLines(row, 0)),
    ...(leftOut > 0 ? [`${leftOut} more are counted, and have no line`] : []),
  ];
}

async function completeId(root: string, params: object): Promise<object> {
  const { argument } = params as { argument?: { value?: string } };
  const recorded = await readAll(root, await readServerStates(root));
  const ids = new Set(recorded.flatMap(({ requestId }) => requestId ?? []));
  const fitting = [...ids].filter((id) => id.startsWith(argument?.value ?? ''));
  const values = fitting.slice(0, 100);
  const hasMore = values.length < fitting.length;
  return { completion: { values, total: fitting.length, hasMore } };
}
