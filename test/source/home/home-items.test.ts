import { describe, expect, it } from 'vitest';
import { toActivity } from '../../../source/home/activity.ts';
import type { FoundServer } from '../../../source/home/find-server.ts';
import { toHomeItems } from '../../../source/home/home-items.ts';
import type { SinceHead } from '../../../source/home/since-head.ts';
import { toLineText } from '../../../source/kit/line/line.ts';
import { toSymbols } from '../../../source/kit/theme/tokens.ts';
import { initialProjectState } from '../../../source/load/project-state.ts';

const dev: FoundServer = {
  kind: 'dev',
  state: { pid: 1, urls: ['http://localhost:3000'], startedAt: 0, phase: 'ready' },
  isHere: false,
  answers: true,
};
const failed = { event: 'request', method: 'GET', url: '/a', capability: 'a.get', status: 500, durationMs: 12 };

interface Facts {
  readonly server?: FoundServer;
  readonly events?: readonly object[];
  readonly since?: SinceHead;
  readonly isWide?: boolean;
}

function toItems({ server = dev, events = [], since = { kind: 'unknown' }, isWide = true }: Facts) {
  const activity = toActivity(events.map((event) => ({ ...event })));
  return toHomeItems(
    {
      project: initialProjectState,
      findings: undefined,
      hasProject: true,
      facts: { server, calls: [{ key: 'a.get', input: { id: '1' }, status: 200, at: 0 }], activity },
      since,
      help: {
        text: '',
        commands: [],
        program: () => ({ name: '', alias: undefined, summary: '', options: [], commands: [] }),
      },
      symbols: toSymbols({}),
    },
    isWide,
  );
}

const toTexts = (items: ReturnType<typeof toItems>) =>
  items.events.map(({ line }) => toLineText(line).replace(/ +/g, ' ').trim());

it('shows what happens beside the numbers in a wide window, and between them and the ways in a narrow one', () => {
  const wide = toItems({ events: [failed] });
  expect(toTexts(wide).join('\n')).toMatch(
    /^Since HEAD\nErrors 500 .* GET \/a a\.get\nSlowest 12 ms p95 GET a\.get 1 request\nLast calls 200/,
  );
  const narrow = toItems({ events: [failed], isWide: false });
  expect(narrow.events).toEqual([]);
  const ids = narrow.ways.map(({ id }) => id);
  expect(ids.slice(0, 6)).toEqual(['capabilities', 'problems', 'server', 'since', 'error 500 GET /a', 'slow a.get']);
});

describe('without requests', () => {
  it('says that nobody tells of them', () => {
    expect(toTexts(toItems({ server: { kind: 'none' } }))[1]).toBe('Requests Enter starts capix dev');
    expect(toItems({ server: { kind: 'none' }, isWide: false }).ways.some(({ id }) => id === 'requests')).toBe(false);
  });

  it('says that none has come, and that none has failed', () => {
    expect(toTexts(toItems({}))[1]).toBe('Errors No request has come yet');
    expect(toTexts(toItems({ events: [{ ...failed, status: 200 }] }))[1]).toBe('Errors ✓ none of the last request');
  });
});

it('leads from an error to the server of this window, else to the capability', () => {
  expect(toItems({ events: [failed] }).events[1]).toMatchObject({ route: { screen: 'show', key: 'a.get' } });
  expect(toItems({ server: { ...dev, isHere: true }, events: [failed] }).events[1]).toMatchObject({
    route: { screen: 'dev' },
  });
  expect(toItems({ events: [{ ...failed, capability: undefined }] }).events[1]?.route).toBeUndefined();
});

it('names what breaks since the last commit, counts what has no room, and leads to the differences', () => {
  const breaks = ['a', 'b', 'c', 'd'].map((key) => `${key}.get: was removed`);
  const since: SinceHead = { kind: 'files', count: 1, contract: { breaking: 4, risky: 0, safe: 0, breaks } };
  const { ways } = toItems({ since, isWide: false });
  const shown = ways.slice(3, 7);
  expect(shown.map(({ line }) => toLineText(line).trim())).toEqual([
    'Since HEAD    1 file changed, 4 breaking',
    '▲ a.get: was removed',
    '▲ b.get: was removed',
    'and 2 more',
  ]);
  expect(shown.every(({ route }) => route?.screen === 'diff')).toBe(true);
});

it.each([
  [80, /^500 +[\d:]+ GET \/shops\/7\/orders\?page=2&size=100 2 times shops\.listOrders$/],
  [60, /^500 +[\d:]+ GET \/shops\/7\/orders\?page=2&size=100 2 times$/],
  [50, /^500 +GET \/shops\/7\/orders\?page=2&size=100 2 times$/],
  [45, /^500 +[\d:]+ GET \/shops\/7\/orders\?… 2 times$/],
  [36, /^500 +GET \/shops\/7\/orders\?… 2 times$/],
  [34, /^500 +GET shops\.listOrders 2 times$/],
  [26, /^500 +2x shops\.listOrders$/],
  [30, /^500 +2x GET \/shops\/7\/orders\?…$/],
])('tells of an error in %i columns its status, its whole path and how often it came, before when', (columns, text) => {
  const order = {
    ...failed,
    time: '2026-01-02T09:30:01',
    url: '/shops/7/orders?page=2&size=100',
    capability: 'shops.listOrders',
  };
  const { line, shorter = [] } = toItems({ events: [order, order] }).events[1] ?? { line: [] };
  const texts = [line, ...shorter].map((one) => toLineText(one).replace(/^Errors +/, ''));
  const shown = texts.find((one) => one.length <= columns) ?? '';
  expect(shown.replace(/ +/g, ' ')).toMatch(text);
});

it.each([
  [50, '▲ books.search: `author` became required'],
  [38, '▲ books.search: `author` became …'],
  [22, '▲ books.search'],
])('tells of a break in %i columns the capability, and whole words of what happened', (columns, text) => {
  const breaks = ['books.search: `author` became required'];
  const since: SinceHead = { kind: 'files', count: 1, contract: { breaking: 1, risky: 0, safe: 0, breaks } };
  const { line, shorter = [] } = toItems({ since }).events[1] ?? { line: [] };
  const texts = [line, ...shorter].map((one) => toLineText(one).trim());
  expect(texts.find((one) => one.length <= columns)).toBe(text);
});
