import { kinds } from './walk-app.ts';

/** A request for an operation of the walk, and the status of its answer. */
export interface WalkRequest {
  readonly id: string;
  readonly status: number;
  readonly init: RequestInit;
  readonly query: string;
}

const json = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const fromElsewhere = { origin: 'https://evil.example' };

/** The operation that echoes a value of a kind. */
export function toKindId(name: string): string {
  return `kinds_save${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** A request with a value of each kind that fits, and one with a value that does not. */
export const kindRequests: readonly WalkRequest[] = Object.entries(kinds).flatMap(
  ([name, [, good, bad]]) => [
    { id: toKindId(name), status: 200, init: json({ value: good }), query: '' },
    ...(bad === undefined
      ? []
      : [{ id: toKindId(name), status: 400, init: json({ value: bad }), query: '' }]),
  ],
);

const asked: readonly (readonly [
  id: string,
  status: number,
  init?: RequestInit,
  query?: string,
])[] = [
  ['answers_createIt', 201, { method: 'POST' }],
  ['answers_removeIt', 204],
  ['answers_exportCsv', 200],
  ['answers_readImage', 200],
  ['answers_goAway', 303],
  ['answers_watchAll', 200, { headers: { accept: 'text/event-stream' } }],
  ['answers_watchAll', 200, { headers: { accept: 'application/x-ndjson' } }],
  ['answers_startIt', 200, json({ late: false })],
  ['answers_startIt', 202, json({ late: true })],
  ['answers_fillIt', 200, json({ page: {} })],
  ['answers_turnIt', 200],
  ['answers_watchFilled', 200, { headers: { accept: 'application/x-ndjson' } }],
  ['answers_vendorIt', 200],
  ['answers_peekKept', 200],
  ['answers_peekKept', 304, { headers: { 'if-none-match': '*' } }],
  ['answers_peekOld', 200],
  ['errors_takeName', 409, json({ name: 'ann' })],
  ['errors_takeName', 404, json({ name: 'gone' })],
  ['errors_takeName', 500, json({ name: 'boom' })],
  ['errors_takeName', 400, json({ name: 1 })],
  ['errors_takeName', 400, { headers: { 'content-type': 'application/json' }, body: '{' }],
  ['errors_takeName', 413, json({ name: 'x'.repeat(1_100_000) })],
  ['errors_takeName', 415, { body: 'x', headers: { 'content-type': 'text/plain' } }],
  ['errors_showSecret', 401],
  ['errors_sendNothing', 200],
  ['errors_sendNothing', 413, json({ a: 'x'.repeat(1_100_000) })],
  ['errors_sendNothing', 415, { body: 'x', headers: { 'content-type': 'text/plain' } }],
  ['errors_sendFile', 200, { body: formOf('a.txt', 'text/plain', 'abc') }],
  ['errors_sendFile', 413, { body: formOf('a.txt', 'text/plain', 'abc'.repeat(10)) }],
  ['errors_sendFile', 415, { body: formOf('a.png', 'image/png', 'abc') }],
  ['errors_sendFile', 400, { body: new FormData() }],
  ['errors_sendFile', 403, { body: formOf('a.txt', 'text/plain', 'abc'), headers: fromElsewhere }],
  ['errors_listPages', 200, {}, '?page=1&tags=a&tags=b'],
  ['errors_listPages', 400, {}, '?page=x'],
  ['errors_peekPages', 200, {}, '?where[size]=1&where[tags]=a'],
  ['errors_peekPages', 400, {}, '?where[size]=x'],
  [
    'errors_sendForm',
    200,
    { body: new URLSearchParams({ name: 'a' }), headers: { 'x-version': '1', cookie: 'sid=2' } },
  ],
  [
    'errors_sendForm',
    400,
    { body: new URLSearchParams({ name: 'a' }), headers: { 'x-version': 'x' } },
  ],
  [
    'errors_sendForm',
    403,
    { body: new URLSearchParams({ name: 'a' }), headers: { 'x-version': '1', ...fromElsewhere } },
  ],
];

/** Requests for every kind of answer and refusal. */
export const answerRequests: readonly WalkRequest[] = asked.map(
  ([id, status, init = {}, query = '']) => ({
    id,
    status,
    init,
    query,
  }),
);

export const requests: readonly WalkRequest[] = [...kindRequests, ...answerRequests];

function formOf(name: string, type: string, content: string): FormData {
  const form = new FormData();
  form.append('file', new File([content], name, { type }));
  return form;
}
