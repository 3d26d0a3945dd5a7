import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogBuffer } from '../../../../../source/dev/panes/log/log-buffer.ts';
import { followAll, holdLog, moveLog, toLogWindow, toNextLevel } from '../../../../../source/dev/panes/log/log-view.ts';
import { parseLogLine } from '../../../../../source/dev/panes/log/parse-log-line.ts';

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
    ['Google Cloud', '{"severity":"WARNING","message":"slow"}', 'stdout', { level: 'warn', message: 'slow' }],
    [
      'an error of pino',
      '{"level":50,"err":{"message":"lost","stack":"Error: lost\\n    at x"}}',
      'stdout',
      { message: 'lost', stack: ['Error: lost', '    at x'] },
    ],
    ['fields of every kind', '{"msg":"m","a":"x y","b":{"c":1}}', 'stdout', { fields: 'a="x y" b={"c":1}' }],
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
        expect(logs.size).toBe(Math.min(next, 10_000));
        expect(logs.dropped).toBe(next - logs.size);
        expect(logs.at(0)?.text).toBe(next === 0 ? undefined : String(logs.dropped));
        expect(logs.at(logs.size - 1)?.text).toBe(next === 0 ? undefined : String(next - 1));
      }),
    );
  });

  it('cuts a line that is too long to be read', () => {
    const logs = new LogBuffer();
    logs.add('stdout', ['x'.repeat(5_000)], 0);
    expect(logs.at(0)?.text).toBe(`${'x'.repeat(2_000)}… (5000 characters)`);
  });
});

describe('the window of the log', () => {
  const rows = 5;
  const filled = (count: number): LogBuffer => {
    const logs = new LogBuffer();
    logs.add(
      'stdout',
      Array.from({ length: count }, (_, index) => `line ${index}`),
      0,
    );
    return logs;
  };
  const shown = (logs: LogBuffer, view = followAll) => toLogWindow(logs, view, rows).lines.map(({ text }) => text);

  it('shows the newest lines', () => {
    expect(shown(filled(100))).toEqual(['line 95', 'line 96', 'line 97', 'line 98', 'line 99']);
  });

  const selected = (logs: LogBuffer, view: typeof followAll) => {
    const window = toLogWindow(logs, view, rows);
    return window.lines[window.selected - window.top]?.text;
  };

  it('moves no further than the selected line needs, and stays there while lines come', () => {
    const logs = filled(100);
    const near = moveLog(logs, followAll, { by: -2, rows });
    expect([selected(logs, near), shown(logs, near)[0]]).toEqual(['line 97', 'line 95']);
    const far = moveLog(logs, near, { by: -10, rows });
    expect([selected(logs, far), shown(logs, far)[0]]).toEqual(['line 87', 'line 87']);
    const down = moveLog(logs, far, { by: 4, rows });
    logs.add('stdout', ['more', 'and more'], 0);
    expect([selected(logs, down), shown(logs, down)[0]]).toEqual(['line 91', 'line 87']);
  });

  it('is held as it is', () => {
    const logs = filled(100);
    const held = holdLog(logs, followAll, rows);
    logs.add('stdout', ['more', 'and more'], 0);
    expect([selected(logs, held), shown(logs, held)[0]]).toEqual(['line 99', 'line 95']);
  });

  it('follows again when it is moved to the end', () => {
    const logs = filled(100);
    const held = moveLog(logs, followAll, { by: -10, rows });
    expect(moveLog(logs, held, { by: 10, rows })).toEqual(followAll);
  });

  it('never moves past the first line', () => {
    const logs = filled(100);
    const first = moveLog(logs, followAll, { by: -1_000, rows });
    expect([selected(logs, first), shown(logs, first).at(-1)]).toEqual(['line 0', 'line 4']);
  });

  it('always shows the selected line in a full window, however it is moved', () => {
    const moves = fc.array(fc.integer({ min: -30, max: 30 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), moves, (count, steps) => {
        const logs = filled(count);
        let view = followAll;
        for (const by of steps) {
          view = moveLog(logs, view, { by, rows });
          expect(selected(logs, view)).toBeDefined();
          expect(shown(logs, view)).toHaveLength(Math.min(rows, count));
        }
      }),
    );
  });

  it('goes on with the oldest line when the one that it held is dropped', () => {
    const logs = filled(10);
    const view = moveLog(logs, followAll, { by: -5, rows });
    logs.add(
      'stdout',
      Array.from({ length: 10_000 }, (_, index) => `new ${index}`),
      0,
    );
    expect(shown(logs, view)[0]).toBe('new 0');
  });

  it('shows what the filter and the level let through', () => {
    const logs = filled(100);
    logs.add('stderr', ['line of an error'], 0);
    expect(shown(logs, { ...followAll, filter: 'LINE 9' })).toEqual([
      'line 95',
      'line 96',
      'line 97',
      'line 98',
      'line 99',
    ]);
    expect(shown(logs, { ...followAll, level: 'error' })).toEqual(['line of an error']);
  });

  it('filters what is shown of JSON, not how it was written', () => {
    const logs = filled(3);
    logs.add('stdout', ['{"level":40,"msg":"pool is full","size":7,"err":{"stack":"Error: x\\n    at pool.ts"}}'], 0);
    for (const filter of ['warn pool', 'size=7', 'pool.ts'])
      expect(shown(logs, { ...followAll, filter })).toHaveLength(1);
    expect(shown(logs, { ...followAll, filter: '"msg"' })).toEqual([]);
  });

  it('clears what there is, and goes on with what comes', () => {
    const logs = filled(100);
    logs.clear();
    logs.add('stdout', ['new'], 0);
    expect([logs.size, logs.total, logs.dropped, logs.at(0)?.text]).toEqual([1, 1, 0, 'new']);
  });

  it('gives a line with its stack, also where the lines of that are not in the window, or filtered', () => {
    const logs = filled(3);
    logs.add('stderr', ['Error: lost', '    at a.ts:1:2', '    at b.ts:3:4', 'the next'], 0);
    expect(logs.stackOf(logs.at(3)!)).toBe('Error: lost\n    at a.ts:1:2\n    at b.ts:3:4');
  });

  it('walks through the levels and around', () => {
    expect(['trace', 'info', 'warn', 'error'].map((level) => toNextLevel(level as 'trace'))).toEqual([
      'info',
      'warn',
      'error',
      'trace',
    ]);
  });
});
