import { expect, it } from 'vitest';
import type { FoundServer } from '../../../source/home/find-server.ts';
import { toServerItem } from '../../../source/home/server-item.ts';
import { toLineText } from '../../../source/kit/line/line.ts';
import { toSymbols } from '../../../source/kit/theme/tokens.ts';

const url = 'http://localhost:3000';
const state = { pid: 7, urls: [url], startedAt: new Date(2026, 0, 2, 9, 30, 1).getTime(), phase: 'ready' } as const;
const owner = { pid: 9, program: 'nginx' };

it.each<[string, FoundServer, string, object]>([
  ['none', { kind: 'none' }, 'not running; Enter starts it', { route: { screen: 'dev' }, copied: 'capix dev' }],
  [
    'that of another window',
    { kind: 'dev', state, isHere: false, answers: true },
    `● ${url}  capix dev since 09:30:01, pid 7`,
    { url, copied: url },
  ],
  [
    'that of this window',
    { kind: 'dev', state, isHere: true, answers: true },
    `● ${url}  in this window since 09:30:01`,
    { route: { screen: 'dev' } },
  ],
  [
    'one that hangs',
    { kind: 'dev', state, isHere: false, answers: false },
    `▲ ${url}  does not answer; capix dev since 09:30:01, pid 7`,
    { url },
  ],
  [
    'one whose newest code is broken',
    { kind: 'dev', state: { ...state, phase: 'stale' }, isHere: false, answers: true },
    `▲ ${url}  the newest version does not start; capix dev since 09:30:01, pid 7`,
    { url },
  ],
  [
    'one that never started',
    { kind: 'dev', state: { ...state, urls: [], phase: 'down' }, isHere: false, answers: false },
    '✗ nothing answers: the code does not start; capix dev since 09:30:01, pid 7',
    { route: { screen: 'dev' } },
  ],
  [
    'one started in the project',
    { kind: 'other', url, owner, isOfProject: true },
    `● ${url}  nginx, pid 9, started here`,
    { url },
  ],
  [
    "another's",
    { kind: 'other', url, owner, isOfProject: false },
    '▲ not running  localhost:3000 is taken by nginx, pid 9',
    { route: { screen: 'dev' } },
  ],
  [
    'one that the system does not name',
    { kind: 'other', url, owner: undefined, isOfProject: false },
    '▲ not running  localhost:3000 is taken by something',
    { route: { screen: 'dev' } },
  ],
])('tells of a server: %s', (_, server, text, way) => {
  const item = toServerItem(server, toSymbols({}));
  expect(toLineText(item.line)).toBe(text);
  expect(item).toMatchObject(way);
});

it.each<[number, FoundServer, string]>([
  [59, { kind: 'dev', state, isHere: false, answers: true }, `● ${url}  capix dev since 09:30:01, pid 7`],
  [48, { kind: 'dev', state, isHere: false, answers: true }, `● ${url}  since 09:30:01, pid 7`],
  [42, { kind: 'dev', state, isHere: false, answers: true }, `● ${url}  since 09:30:01`],
  [24, { kind: 'dev', state, isHere: false, answers: true }, `● ${url}`],
  [22, { kind: 'dev', state, isHere: false, answers: true }, '● localhost:3000'],
  [42, { kind: 'dev', state, isHere: true, answers: true }, `● ${url}  since 09:30:01`],
  [42, { kind: 'dev', state, isHere: false, answers: false }, `▲ ${url}  does not answer`],
  [
    60,
    { kind: 'dev', state: { ...state, phase: 'stale' }, isHere: false, answers: true },
    `▲ ${url}  the newest version does not start`,
  ],
  [
    42,
    { kind: 'dev', state: { ...state, phase: 'stale' }, isHere: false, answers: true },
    '▲ localhost:3000  newest is broken',
  ],
  [24, { kind: 'dev', state: { ...state, phase: 'stale' }, isHere: false, answers: true }, '▲ newest is broken'],
  [
    42,
    { kind: 'dev', state: { ...state, urls: [], phase: 'down' }, isHere: false, answers: false },
    '✗ nothing answers: the code does not start',
  ],
  [
    24,
    { kind: 'dev', state: { ...state, urls: [], phase: 'down' }, isHere: false, answers: false },
    '✗ does not start',
  ],
  [42, { kind: 'other', url, owner, isOfProject: true }, `● ${url}  nginx, pid 9`],
  [42, { kind: 'other', url, owner, isOfProject: false }, '▲ localhost:3000 is taken by nginx, pid 9'],
  [24, { kind: 'other', url, owner, isOfProject: false }, '▲ taken by nginx'],
])('tells in %i columns what matters most of a server, whole', (columns, server, text) => {
  const { line, shorter = [] } = toServerItem(server, toSymbols({}));
  expect([line, ...shorter].map(toLineText).find((one) => one.length <= columns)).toBe(text);
});
