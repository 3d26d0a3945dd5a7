import { describe, expect, it } from 'vitest';
import { createDevTextWriter } from '../../../source/dev/dev-text.ts';
import { toEffectLines } from '../../../source/dev/screen/alarm-lines.ts';
import type { DevEvent } from '../../../source/dev/session/dev-event.ts';
import { toDevJson } from '../../../source/dev/session/dev-json.ts';
import { SaveEffects, toEffectText } from '../../../source/dev/session/save-effects.ts';
import { toLineText } from '../../../source/kit/line.ts';
import type { RoutedRequest } from '../../../source/record/replace-url-secrets.ts';
import { toClock } from '../../../source/values/duration.ts';

interface Sent {
  readonly at: number;
  readonly url?: string;
  readonly db?: number;
  readonly http?: number;
  readonly bytes?: number;
  readonly durationMs?: number;
  readonly status?: number;
}

const toRequest = ({
  at,
  url = '/orders',
  db = 0,
  http = 0,
  bytes = 500,
  durationMs = 9,
  status = 200,
}: Sent): RoutedRequest => ({
  id: `${at}`,
  at,
  method: 'GET',
  url,
  status,
  durationMs,
  bytes,
  details: {
    headers: [],
    answerHeaders: [],
    guards: [],
    logs: [],
    hasRun: true,
    marks: { list: [], repeated: [], counts: { db, http } },
  },
});

const saved = 60_000;
const clock = toClock(saved);

/** What is worse after a save at `saved`. */
function look(before: readonly Sent[], after: readonly Sent[]): readonly string[] {
  const effects = new SaveEffects();
  for (const sent of before) effects.add(toRequest(sent));
  effects.save(saved);
  for (const sent of after) effects.add(toRequest(sent));
  return effects.toEffects().map(toEffectText);
}

describe('what a save made worse', () => {
  it('is said of the same request: queries, outgoing calls, bytes', () => {
    expect(look([{ at: 1, db: 2 }], [{ at: saved + 1, db: 41 }])).toEqual([
      `GET /orders: queries 2 → 41 since ${clock}`,
    ]);
    expect(look([{ at: 1 }], [{ at: saved + 1, http: 1, bytes: 40_000 }])).toEqual([
      `GET /orders: outgoing calls 0 → 1, bytes 500 B → 40.0 kB since ${clock}`,
    ]);
  });

  it('is nothing where it costs about as much, is another request, or failed', () => {
    expect(look([{ at: 1, db: 20 }], [{ at: saved + 1, db: 22 }])).toEqual([]);
    expect(look([{ at: 1, db: 41 }], [{ at: saved + 1, db: 2 }])).toEqual([]);
    expect(look([{ at: 1, db: 2 }], [{ at: saved + 1, db: 41, url: '/orders?limit=99' }])).toEqual(
      [],
    );
    expect(look([{ at: 1, db: 2 }], [{ at: saved + 1, db: 41, status: 500 }])).toEqual([]);
  });

  it('says a time only beyond noise: the fastest of three after it against the slowest of three before', () => {
    const times = (at: number, ...all: readonly number[]): readonly Sent[] =>
      all.map((durationMs) => ({ at, durationMs }));
    expect(look(times(1, 10, 40, 12), times(saved + 1, 90, 95, 99))).toEqual([
      `GET /orders: time, beyond noise, 40 ms → 90 ms since ${clock}`,
    ]);
    expect(look(times(1, 10, 40, 12), times(saved + 1, 90, 95))).toEqual([]);
    expect(look(times(1, 10, 80, 12), times(saved + 1, 90, 95, 99))).toEqual([]);
  });

  it('stays over further saves, and is gone once it is mended', () => {
    const effects = new SaveEffects();
    effects.add(toRequest({ at: 1, db: 2 }));
    effects.save(saved);
    effects.add(toRequest({ at: saved + 1, db: 41 }));
    effects.save(saved + 10_000);
    expect(effects.toEffects().map(toEffectText)).toEqual([
      `GET /orders: queries 2 → 41 since ${clock}`,
    ]);
    effects.add(toRequest({ at: saved + 10_001, db: 40 }));
    expect(effects.toEffects().map(toEffectText)).toEqual([
      `GET /orders: queries 2 → 40 since ${clock}`,
    ]);
    effects.save(saved + 20_000);
    effects.add(toRequest({ at: saved + 20_001, db: 3 }));
    expect(effects.toEffects().map(toEffectText)).toEqual([]);
  });

  it('is an event once, in words and as JSON, and another one when it is mended', () => {
    const effects = new SaveEffects();
    const take = (...sent: readonly Sent[]): readonly DevEvent[] =>
      effects.take({ kind: 'requests', requests: sent.map(toRequest) }, saved);
    const write = (event: DevEvent): string => {
      const written: string[] = [];
      const add = (text: string): void => void written.push(text);
      createDevTextWriter({ writeOut: add, writeError: add })(event);
      return [...written, toDevJson(event, new Date(0))].join('');
    };
    expect(take({ at: 1, db: 2 })).toEqual([]);
    const cause = { kind: 'change', files: ['/app/orders.ts'] } as const;
    effects.take({ kind: 'ready', cause, durationMs: 9, urls: [], routes: [] }, saved + 9);
    const time =
      '"time":"1970-01-01T00:00:00.000Z","request":"GET /orders","savedAt":"1970-01-01T00:01:00.000Z"';
    // The new code has answered before the tool says that it does.
    expect(take({ at: saved + 8, db: 41 }).map(write)).toEqual([
      `[capix] GET /orders: queries 2 → 41 since ${clock}\n` +
        `{"event":"save-effect",${time},"changes":[{"of":"queries","before":2,"after":41}]}\n`,
    ]);
    expect(take({ at: saved + 10, db: 40 })).toEqual([]);
    expect(take({ at: saved + 11, db: 2 }).map(write)).toEqual([
      `[capix] GET /orders costs no more than before ${clock}.\n{"event":"save-effect",${time},"changes":[]}\n`,
    ]);
    expect(take({ at: saved + 12, db: 2 })).toEqual([]);
  });

  it('counts a request that began before the save for the code before, whenever it is known', () => {
    const effects = new SaveEffects();
    effects.save(saved);
    effects.add(toRequest({ at: saved - 1, db: 2 }));
    effects.add(toRequest({ at: saved + 1, db: 41 }));
    expect(effects.toEffects().map(toEffectText)).toHaveLength(1);
  });

  it('is one line, with as many as have room', () => {
    const texts = [
      'GET /orders: queries 2 → 41 since 14:03:09',
      'GET /users: queries 1 → 9 since 14:03:09',
    ];
    const draw = (columns: number) => toEffectLines(texts, columns).map(toLineText);
    expect(draw(100)).toEqual([` ▲ ${texts.join(' · ')}`]);
    expect(draw(60)).toEqual([` ▲ ${texts[0]} · 1 more`]);
    expect(toEffectLines([], 60)).toEqual([]);
  });
});
