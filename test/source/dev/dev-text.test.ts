import { describe, expect, it } from 'vitest';

import type { ServedRoute } from '../../../server-runtime/server/transport.ts';
import { toFilesText } from '../../../source/dev/dev-state.ts';
import { createDevTextWriter } from '../../../source/dev/dev-text.ts';
import { RouteStats } from '../../../source/dev/screen/dev-store.ts';
import type { DevEvent } from '../../../source/dev/session/dev-event.ts';
import { toDevJson } from '../../../source/dev/session/dev-json.ts';
import { toRequestCurl } from '../../../source/record/curl.ts';
import { toShownUrl } from '../../../source/record/replace-url-secrets.ts';

const route = (method: string, path: string, key: string): ServedRoute => ({ method, path, key });
const items = [
  route('GET', '/items/:id', 'items.getItem'),
  route('POST', '/items', 'items.createItem'),
];
const ready = (routes: readonly ServedRoute[], files?: readonly string[]): DevEvent => ({
  kind: 'ready',
  cause: files === undefined ? { kind: 'start' } : { kind: 'change', files },
  durationMs: 51.7,
  urls: ['http://localhost:3000'],
  routes,
});

it('writes a line for each saved call that a save has broken or mended, and none for the others', () => {
  const write = createWriter();
  const failure = {
    name: 'get',
    call: 'items.get',
    problems: ['status: wrong'],
    savedAt: '2026-11-29T20:00:00.000Z',
  };
  const toNotice = (changed: readonly (typeof failure)[]): DevEvent => ({
    kind: 'notice',
    notice: { code: 'SavedCalls', passed: 1, failing: [failure], changed },
  });
  const mended = { ...failure, name: 'list', problems: [] };
  expect(write(toNotice([failure, mended]))?.text).toMatch(
    /^\[capix\] @get: status: wrong since \d\d:\d\d:\d\d\n\[capix\] @list is as expected again\.\n$/,
  );
  expect(write(toNotice([]))?.text).toBe('');
});

/** Gives what each event writes. */
function createWriter() {
  interface Written {
    readonly stream: string;
    readonly text: string;
  }
  let written: Written | undefined;
  const write = createDevTextWriter({
    writeOut: (text) => (written = { stream: 'stdout', text }),
    writeError: (text) => (written = { stream: 'stderr', text }),
  });
  return (event: DevEvent): Written | undefined => {
    written = undefined;
    write(event);
    return written;
  };
}

describe('the lines of capix dev', () => {
  it('are those of the server at the start, and what changed after a reload', () => {
    const toText = createWriter();
    expect(toText(ready(items))?.text).toBe(
      '[capix] Server started on http://localhost:3000\n[capix] Routes:\n  GET   /items/:id  items.getItem\n  POST  /items      items.createItem\n',
    );
    expect(
      toText(ready([...items.slice(1), route('GET', '/users', 'users.listUsers')], ['src/a.ts']))
        ?.text,
    ).toBe(
      '  - GET   /items/:id  items.getItem\n  + GET   /users      users.listUsers\n[capix] src/a.ts changed, reloaded in 52 ms\n',
    );
    expect(
      toText(ready([...items.slice(1), route('GET', '/users', 'users.listUsers')], ['src/b.ts']))
        ?.text,
    ).toBe('[capix] src/b.ts changed, reloaded in 52 ms\n');
  });

  it('name what is mounted, at the start and not again', () => {
    const toText = createWriter();
    const notes = ['/auth/* is answered by what is mounted there.'];
    const first = {
      kind: 'ready',
      cause: { kind: 'start' },
      durationMs: 51.7,
      urls: ['http://localhost:3000'],
      routes: items.slice(1),
      notes,
    } as const satisfies DevEvent;
    expect(toText(first)?.text).toBe(
      '[capix] Server started on http://localhost:3000\n[capix] Routes:\n  POST  /items  items.createItem\n[capix] /auth/* is answered by what is mounted there.\n',
    );
    expect(toText({ ...first, isLate: true })?.text ?? '').not.toContain('/auth');
  });

  it('name the port and its owner', () => {
    const event: DevEvent = {
      kind: 'port-taken',
      cause: { kind: 'start' },
      port: 3000,
      isFirst: true,
      owner: { pid: 7, program: 'nginx' },
      stillServing: false,
    };
    expect(createWriter()(event)).toEqual({
      stream: 'stderr',
      text: '[capix] Port 3000 is taken by process 7 (nginx).\nEnd it, or choose another port: capix dev --port 3001\n[capix] Waiting for a change.\n',
    });
  });

  it('keep the streams of the server apart, without its escape sequences', () => {
    expect(
      createWriter()({ kind: 'output', stream: 'stderr', lines: ['\u001B[31ma', 'b'] }),
    ).toEqual({
      stream: 'stderr',
      text: 'a\nb\n',
    });
  });

  it('tell the counts of the jobs with --json only', () => {
    const queues = [{ key: 'mails.send', waiting: 1, delayed: 0, active: 0, failed: 2 }];
    const event: DevEvent = { kind: 'jobs', overview: { queues, failed: [] } };
    expect(createWriter()(event)).toBeUndefined();
    expect(JSON.parse(toDevJson(event, new Date(0)))).toEqual({
      event: 'jobs',
      time: '1970-01-01T00:00:00.000Z',
      queues,
    });
  });

  it('say of a connection when it opens, and then who closed it and what it carried', () => {
    const opened = {
      id: '1-1',
      at: 0,
      method: 'GET',
      url: '/_call?token=abc',
      status: 101,
      durationMs: 2,
      requestId: 'r',
    };
    const closed = {
      by: 'client',
      code: 1001,
      reason: '\u001B[31m',
      calls: 3,
      received: 4,
      sent: 5,
      openMs: 2500.4,
    } as const;
    const open: DevEvent = { kind: 'requests', requests: [opened] };
    const end: DevEvent = { kind: 'requests', requests: [{ ...opened, closed }] };
    const write = createWriter();
    expect(write(open)?.text).toBe('[capix] GET /_call?token=••• 101 in 2.0 ms\n');
    expect(write(end)?.text).toBe(
      '[capix] GET /_call?token=••• closed by the client with 1001 after 2.5 s\n',
    );
    expect(JSON.parse(toDevJson(open, new Date(0)))).toMatchObject({
      event: 'request',
      status: 101,
    });
    const { openMs: _, ...carried } = closed;
    expect(JSON.parse(toDevJson(end, new Date(0)))).toEqual({
      event: 'connection-closed',
      time: '1970-01-01T00:00:00.000Z',
      url: '/_call?token=•••',
      requestId: 'r',
      ...carried,
      durationMs: 2500,
    });
  });

  it.each([
    [['a.ts'], 'a.ts'],
    [['a.ts', 'b.ts'], 'a.ts and b.ts'],
    [['a.ts', 'b.ts', 'c.ts', 'd.ts'], 'a.ts and 3 more'],
  ])('name %j as %s', (files, text) => {
    expect(toFilesText(files)).toBe(text);
  });

  it('are one JSON document each with --json', () => {
    const lines = toDevJson({ kind: 'output', stream: 'stdout', lines: ['a', 'b'] }, new Date(0));
    expect(lines).toBe(
      '{"event":"output","time":"1970-01-01T00:00:00.000Z","stream":"stdout","line":"a"}\n{"event":"output","time":"1970-01-01T00:00:00.000Z","stream":"stdout","line":"b"}\n',
    );
  });
});

describe('RouteStats', () => {
  it('tells the time of most, the number of errors and the last status', () => {
    const stats = new RouteStats();
    for (let durationMs = 1; durationMs <= 100; durationMs++)
      stats.add({ status: durationMs > 90 ? 500 : 200, durationMs });
    expect(stats).toMatchObject({ count: 100, errorCount: 10, lastStatus: 500 });
    expect(stats.p95Ms()).toBe(95);
  });

  it('forgets all but the last 500 durations', () => {
    const stats = new RouteStats();
    for (let count = 0; count < 500; count++) stats.add({ status: 200, durationMs: 1_000 });
    for (let count = 0; count < 500; count++) stats.add({ status: 200, durationMs: 1 });
    expect([stats.count, stats.p95Ms()]).toEqual([1_000, 1]);
  });
});

describe('toCurl', () => {
  const details = { guards: [], logs: [], hasRun: true, answerHeaders: [] };
  const json = [['Content-Type', 'application/json']] as const;

  it('sends the request again, with secrets as variables and every quote safe', () => {
    const headers = [
      ['Host', 'localhost'],
      ['Content-Type', 'application/json'],
      ['Authorization', 'Bearer abc'],
      ['X-Api-Key', 'k'],
      ['Content-Length', '9'],
    ] as const;
    expect(
      toRequestCurl(
        {
          method: 'POST',
          url: "/items?q='",
          details: { ...details, headers, body: `{"a":"it's"}` },
        },
        'http://localhost:3000',
      ),
    ).toBe(
      `curl -X POST 'http://localhost:3000/items?q='\\''' -H 'Content-Type: application/json' -H 'Authorization: '"$AUTHORIZATION" -H 'X-Api-Key: '"$X_API_KEY" --data-binary '{"a":"it'\\''s"}'`,
    );
  });

  it.each([
    [
      'a field of JSON',
      '{"name":"a","login":{"password":"hunter2"}}',
      `'{"name":"a","login":{"password":"'"$PASSWORD"'"}}'`,
    ],
    ['a field of a form', 'name=a&password=hunter2', `'name=a&password='"$PASSWORD"`],
    ['nothing', '{ "name": "a" }', `'{ "name": "a" }'`],
  ])('makes a variable of %s in the body', (_, body, written) => {
    const command = toRequestCurl(
      { method: 'POST', url: '/', details: { ...details, headers: json, body } },
      'http://h',
    );
    expect(command.slice(command.indexOf('--data-binary ') + 14)).toBe(written);
  });

  it('makes variables of secrets in the URL', () => {
    expect(
      toRequestCurl(
        { method: 'GET', url: '/resets/abc?apiKey=k&a=1', route: '/resets/:token' },
        'http://h',
      ),
    ).toBe(`curl 'http://h/resets/'"$TOKEN"'?apiKey='"$APIKEY"'&a=1'`);
  });
});

describe('the URL of a request', () => {
  it.each([
    ['/users?limit=1', undefined, '/users?limit=1'],
    ['/users?limit=1&access_token=abc&x=', '/users', '/users?limit=1&access_token=•••&x='],
    ['/users?api%5Fkey=abc', '/users', '/users?api%5Fkey=•••'],
    ['/users?password=&%=1', '/users', '/users?password=&%=1'],
    ['/resets/abc/token', '/resets/:resetToken/token', '/resets/•••/token'],
    ['/tokens/7', '/tokens/:id', '/tokens/7'],
  ])('%s of the route %s is shown as %s', (url, route, shown) => {
    expect(toShownUrl({ url, route })).toBe(shown);
  });

  it('is masked in the lines without a screen too', () => {
    const request = {
      id: '7-1',
      at: 0,
      method: 'GET',
      url: '/a?token=abc',
      status: 200,
      durationMs: 1,
    };
    const event: DevEvent = { kind: 'requests', requests: [request] };
    expect(createWriter()(event)?.text).toBe('[capix] GET /a?token=••• 200 in 1.0 ms\n');
    expect(JSON.parse(toDevJson(event, new Date(0)))).toMatchObject({ url: '/a?token=•••' });
  });
});
