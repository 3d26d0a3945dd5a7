import type { Line } from '../../kit/line.ts';
import type { Row } from '../../kit/row.ts';
import { type Column, createTable } from '../../kit/table.ts';
import { toDuration } from '../../kit/text.ts';
import { toMethodToken, toStatusText, toStatusToken } from '../../kit/theme.ts';
import { toShownUrl } from '../../record/replace-url-secrets.ts';
import { toClock } from '../../screens/shell-status.ts';
import type { RequestEntry } from './dev-store.ts';

export interface RequestRow extends Row {
  readonly request: RequestEntry;
}

export interface RequestTable {
  readonly rows: readonly RequestRow[];
  /** The line of the titles in the room that a row has. */
  readonly toTitles: (columns: number) => Line;
}

/** The requests, the newest first. */
export function toRequestTable(requests: readonly RequestEntry[]): RequestTable {
  const toTable = createTable(requests, columns);
  const rows = requests.toReversed().map((request): RequestRow => {
    const { key, method, status, capability = '' } = request;
    return {
      id: key,
      request,
      line: (width) => toTable(width).toLine(request),
      search: `${method} ${toShownUrl(request)} ${status} ${capability}`,
    };
  });
  return { rows, toTitles: (width) => toTable(width).titles };
}

const columns: readonly Column<RequestEntry>[] = [
  { title: 'Time', get: ({ at }) => toClock(at), token: 'muted', from: 50 },
  { title: 'Code', get: ({ status }) => toStatusText(status), token: ({ status }) => toStatusToken(status) },
  { title: 'Method', get: ({ method }) => method, token: ({ method }) => toMethodToken(method) },
  { title: 'Path', get: toShownUrl, most: 80, least: 14 },
  { title: 'Capability', get: toCapability, token: 'muted', most: 48, least: 10, from: 84 },
  { title: 'Took', get: ({ durationMs }) => toDuration(durationMs), isRight: true },
  {
    title: 'Size',
    get: ({ bytes }) => (bytes === undefined ? '' : toSize(bytes)),
    token: 'muted',
    isRight: true,
    from: 64,
  },
  { title: 'Request id', get: ({ requestId = '' }) => requestId, token: 'muted', least: 8, from: 108 },
];

/** The capability of a job is its path. */
function toCapability({ method, capability = '' }: RequestEntry): string {
  return method === 'JOB' ? '' : capability;
}

function toSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
