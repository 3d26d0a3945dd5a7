import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LogBuffer,
  parseLogLine,
  toLogDetails,
  toLogText,
} from '../../../../source/dev/screen/log-lines.ts';
import { toLineText } from '../../../../source/kit/line.ts';

describe('readLogLine', () => {
  it.each<[string, string, 'stdout' | 'stderr', object]>([
    ['text', 'hello', 'stdout', { level: 'info', at: 5, message: 'hello', fields: '' }],
    ['text on stderr', 'oops', 'stderr', { level: 'error', message: 'oops' }],
    ['escape sequences', '\u001B[31mred\u001B[0m', 'stdout', { message: 'red' }],
    [
      'pino',
      '{"level":50,"time":9,"pid":1,"hostname":"h","msg":"down","port":5432}',
      'stdout',
      { level: 'error', at: 9, message: 'down', fields: 'port=5432' },
    ],
    [
      'winston',
      '{"level":"warn","message":"slow","timestamp":"1970-01-01T00:00:00.009Z"}',
      'stdout',
      { level: 'warn', at: 9, message: 'slow' },
    ],
    [
      'Google Cloud',
      '{"severity":"WARNING","message":"slow"}',
      'stdout',
      { level: 'warn', message: 'slow' },
    ],
    [
      'an error of pino',
      '{"level":50,"err":{"message":"lost","stack":"Error: lost\\n    at x"}}',
      'stdout',
      { message: 'lost', stack: ['Error: lost', '    at x'] },
    ],
    [
      'fields of every kind',
      '{"msg":"m","a":"x y","b":{"c":1}}',
      'stdout',
      { fields: 'a="x y" b={"c":1}' },
    ],
    ['what only looks like JSON', '{not json}', 'stdout', { message: '{not json}' }],
  ])('reads %s', (_, text, stream, entry) => {
    expect(parseLogLine({ text, stream, at: 5 })).toMatchObject(entry);
  });

  it('reads any line, and lets no control character through', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.object().map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const { message, fields } = parseLogLine({ text, stream: 'stdout', at: 0 });
          expect(`${message}${fields}`).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
        },
      ),
    );
  });
});

describe('LogBuffer', () => {
  it('keeps the newest lines and counts the others, however many come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9_000 }), { maxLength: 8 }), (sizes) => {
        const logs = new LogBuffer();
        let next = 0;
        for (const size of sizes)
          logs.add(
            'stdout',
            Array.from({ length: size }, () => String(next++)),
            0,
          );
        expect(logs.total).toBe(next);
        expect(logs.lines()).toHaveLength(Math.min(next, 10_000));
        expect(logs.dropped).toBe(next - logs.lines().length);
        expect(logs.lines()[0]?.text).toBe(next === 0 ? undefined : String(logs.dropped));
        expect(logs.lines().at(-1)?.text).toBe(next === 0 ? undefined : String(next - 1));
      }),
    );
  });

  it('cuts a line that is too long to be read', () => {
    const logs = new LogBuffer();
    logs.add('stdout', ['x'.repeat(5_000)], 0);
    expect(logs.lines()[0]?.text).toBe(`${'x'.repeat(2_000)}… (5000 characters)`);
  });
});

describe('the lines of the log', () => {
  const filled = (count: number): LogBuffer => {
    const logs = new LogBuffer();
    const lines = Array.from({ length: count }, (_, index) => `line ${index}`);
    logs.add('stdout', lines, 0);
    return logs;
  };

  it('are the same array until one comes', () => {
    const logs = filled(2);
    const before = logs.lines();
    expect(logs.lines()).toBe(before);
    logs.add('stdout', ['more'], 0);
    expect(logs.lines().map(({ text }) => text)).toEqual(['line 0', 'line 1', 'more']);
  });

  it('are cleared, and go on with what comes', () => {
    const logs = filled(100);
    logs.clear();
    logs.add('stdout', ['new'], 0);
    expect([logs.lines().length, logs.total, logs.dropped, logs.lines()[0]?.text]).toEqual([
      1,
      1,
      0,
      'new',
    ]);
  });

  it('are one entry where they are an error with its stack, in whatever parts that comes', () => {
    const logs = filled(3);
    logs.add('stderr', ['Error: lost', '    at a.ts:1:2'], 0);
    logs.add('stderr', ['    at b.ts:3:4 {', "  code: 'E1'", '}', 'the next', '  indented'], 1);
    logs.add('stdout', ['    at the other stream'], 2);
    expect(logs.lines().slice(3).map(toLogText)).toEqual([
      "Error: lost\n    at a.ts:1:2\n    at b.ts:3:4 {\n  code: 'E1'\n}",
      'the next',
      '  indented',
      '    at the other stream',
    ]);
    expect(logs.total).toBe(7);
    expect(logs.lines()[3]?.search).toContain('b.ts');
  });

  it('show the error of a failed call first, and its request last', () => {
    const logs = new LogBuffer();
    const head = '[capix] POST /orders/break-order failed (request jyhN17) TypeError: no `total`';
    const frames = [
      '    at run (file:///shop/src/orders.ts:3:9)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    ];
    logs.add('stderr', [head, ...frames], 0);
    const [entry] = logs.lines();
    expect(toLineText(entry!.line)).toMatch(
      /^\S+ ! TypeError: no `total` {2}POST \/orders\/break-order {2}request jyhN17 {2}▸ 2 lines$/,
    );
    const opened = toLogDetails(entry!, 120).map(toLineText);
    expect(opened.slice(2)).toEqual([
      'TypeError: no `total`',
      'POST /orders/break-order  request jyhN17',
      frames[0],
    ]);
  });
});
