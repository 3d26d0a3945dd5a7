import { describe, expect, it } from 'vitest';
import { type HomeFacts, toActivity } from '../../../source/home/home-facts.ts';
import { toHomeRows, toServerRow } from '../../../source/home/home-rows.ts';
import { toLineText } from '../../../source/kit/line.ts';
import { toRowLine } from '../../../source/kit/row.ts';
import { initialProjectState } from '../../../source/load/project-state.ts';

const dev = { pid: 1, urls: ['http://localhost:3000'], startedAt: 0, phase: 'ready' } as const;
const here = { ...dev, pid: process.pid };
const failed = {
  time: '2026-11-22T10:00:00.000Z',
  method: 'GET',
  url: '/a',
  capability: 'a.get',
  status: 500,
  durationMs: 12,
};

interface Facts {
  readonly server?: HomeFacts['server'];
  readonly events?: Parameters<typeof toActivity>[0];
  readonly changedFiles?: readonly string[];
}

function toRows({ server = dev, events = [], changedFiles }: Facts) {
  return toHomeRows({
    project: initialProjectState,
    findings: undefined,
    facts: {
      server,
      otherServers: [],
      calls: [{ key: 'a.get', input: { id: '1' }, status: 200, at: 0 }],
      activity: toActivity(events),
    },
    changedFiles,
  });
}

const toText = (row: ReturnType<typeof toRows>[number]) =>
  toLineText(toRowLine(row, 80)).replace(/ +/g, ' ').trim();
const toTexts = (facts: Facts) => toRows(facts).map(toText).join('\n');

it('shows what a project is, what changed and happened, and the way on', () => {
  expect(toTexts({ events: [failed], changedFiles: ['src/a.ts'] })).toMatch(
    /^Capabilities loading\nProblems loading\nServer ● .*\nChanged 1 file since the last commit\nsrc\/a.ts\nErrors 500 GET \/a .* a\.get\nSlowest 12 ms p95 GET a\.get 1 request\nLast calls 200 .*\nNew /,
  );
});

it('names the files that changed, counts what has no room, and leads to the differences', () => {
  const changedFiles = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `src/${name}.ts`);
  const rows = toRows({ changedFiles }).slice(3, 9);
  expect(rows.map(toText)).toEqual([
    'Changed 6 files since the last commit',
    'src/a.ts',
    'src/b.ts',
    'src/c.ts',
    'src/d.ts',
    'and 2 more',
  ]);
  expect(rows.every(({ route }) => route?.screen === 'diff')).toBe(true);
  expect(toTexts({ changedFiles: [] })).toContain('Changed ✓ nothing since the last commit');
  expect(toTexts({})).not.toContain('Changed');
});

it('says that no request has come, and that none has failed', () => {
  expect(toTexts({})).toContain('Errors No request has come yet');
  expect(toTexts({ events: [{ ...failed, status: 200 }] })).toContain(
    'Errors ✓ none of the last request',
  );
  expect(toTexts({ server: null })).not.toContain('Errors');
});

it('leads from an error to the server of this window, else to the capability', () => {
  const find = (facts: Facts) => toRows(facts).find(({ id }) => id.startsWith('error '))?.route;
  expect(find({ events: [failed] })).toEqual({ screen: 'show', key: 'a.get' });
  expect(find({ server: here, events: [failed] })).toEqual({ screen: 'dev' });
  expect(find({ events: [{ ...failed, capability: undefined }] })).toBeUndefined();
});

describe('the server', () => {
  it.each<[HomeFacts['server'], RegExp]>([
    [null, /^not running; Enter starts it$/],
    [dev, /^● http:\/\/localhost:3000 capix dev since [\d:]+$/],
    [here, /^● http:\/\/localhost:3000 in this window since [\d:]+$/],
    [{ ...dev, phase: 'stale' }, /^▲ .* the newest version does not start; /],
    [{ ...dev, phase: 'down', urls: [] }, /^✗ nothing answers: the code does not start; /],
  ])('of %j says so', (server, text) => expect(toText(toServerRow(server))).toMatch(text));
});
