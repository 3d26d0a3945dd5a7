import type { PastCall } from '../files/past-call.ts';
import type { Line } from '../kit/line.ts';
import { signs, toMethodToken, toStatusText, toStatusToken } from '../kit/theme.ts';
import type { ProjectState } from '../load/project-state.ts';
import type { Problem } from '../manifest/check-rules.ts';
import { findSource, toCapabilities } from '../manifest/manifest.ts';
import type { Location } from '../screens/location.ts';
import type { ActionRow } from '../screens/use-row-actions.ts';
import { ownProcessId } from '../system/own-process-id.ts';
import { toCount } from '../values/count.ts';
import { toClock, toDuration } from '../values/duration.ts';
import type { HomeFacts, RecentError, SlowRoute } from './home-facts.ts';

export interface HomeRow extends ActionRow {
  readonly line: Line;
  /** The address that Enter opens in the browser. */
  readonly url?: string;
}

interface HomeOptions {
  /** The problems of the project; undefined until they are known. */
  readonly findings: readonly Problem[] | undefined;
  readonly project: ProjectState;
  readonly facts: HomeFacts;
  /** The files that differ from the last commit; undefined until they are known, or where there is none. */
  readonly changedFiles: readonly string[] | undefined;
}

/** The facts of a project, its events, and the way to each screen. */
export function toHomeRows(options: HomeOptions): readonly HomeRow[] {
  const { project, facts } = options;
  const calls = facts.calls.slice(0, MAX_SHOWN).map((call) => toCallRow(call, project));
  return [
    ...toGroup('Capabilities', [toCapabilitiesRow(project)]),
    ...toGroup('Problems', [toProblemsRow(options)]),
    ...toGroup('Server', [
      toServerRow(facts.server),
      ...facts.otherServers.map((server) => ({
        ...toServerRow(server),
        id: `server ${server.pid}`,
      })),
    ]),
    ...toGroup('Changed', toChangedRows(options)),
    ...toRequestRows(options),
    ...toGroup('Last calls', calls),
    ...toGroup('New', [toWay('new', 'A capability, a group or a project', { screen: 'generate' })]),
    ...toGroup('Contract', [
      toWay('openapi', 'The OpenAPI document', { screen: 'openapi' }),
      toWay('diff', 'What changes for callers', { screen: 'diff' }),
    ]),
  ];
}

export const rowsWithoutProject = toGroup('New', [
  toWay('project', 'A project, step by step', { screen: 'new' }),
]);

/** The number of rows that a group has at most. */
const MAX_SHOWN = 5;

function toWay(name: string, text: string, route: Location): HomeRow {
  return {
    id: `way ${name}`,
    line: [{ text: name.padEnd(10), token: 'accent' }, toMuted(text)],
    route,
  };
}

function toMuted(text: string): Line[number] {
  return { text, token: 'muted' };
}

/** Puts the name of a group before its first row. */
function toGroup(label: string, rows: readonly HomeRow[]): readonly HomeRow[] {
  return rows.map(({ line, ...row }, index) => ({
    ...row,
    line: [{ text: (index === 0 ? label : '').padEnd(14), token: 'title' }, ...line],
  }));
}

/** The words for what is not known yet. */
function toAbsence({ failure }: ProjectState): Line {
  return [toMuted(failure === undefined ? 'loading' : 'not known until it loads')];
}

function toConfigFile(project: ProjectState): HomeRow['source'] {
  const { config, root } = project.manifest?.project ?? {};
  return config === undefined ? undefined : { file: `${root}/${config}` };
}

function toCapabilitiesRow(project: ProjectState): HomeRow {
  const row = {
    id: 'capabilities',
    route: { screen: 'list' },
    source: toConfigFile(project),
  } as const;
  const { manifest } = project;
  if (manifest === undefined) return { ...row, line: toAbsence(project) };
  const capabilities = toCapabilities(manifest);
  const guarded = capabilities.filter(
    ({ facts: { guards, inputGuards } }) => guards.length + inputGuards.length > 0,
  );
  const groups = new Set(capabilities.map((capability) => capability.groups.join('.')));
  const text = `${capabilities.length} in ${toCount(groups.size, 'group')}, ${guarded.length} guarded`;
  return { ...row, line: [{ text }], copied: text };
}

function toProblemsRow({ findings, project }: HomeOptions): HomeRow {
  const row = {
    id: 'problems',
    route: { screen: 'check' },
    source: toConfigFile(project),
  } as const;
  if (findings === undefined) return { ...row, line: toAbsence(project) };
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  if (findings.length === 0)
    return { ...row, line: [{ text: `${signs.tick} none`, token: 'success' }] };
  const line: Line = [
    { text: toCount(errors, 'error'), token: errors > 0 ? 'danger' : 'muted' },
    { text: ', ' },
    { text: toCount(warnings, 'warning'), token: warnings > 0 ? 'warning' : 'muted' },
  ];
  return { ...row, line };
}

/** The files that are not as the last commit has them; what that means for callers is for `diff`. */
function toChangedRows({ changedFiles: files }: HomeOptions): readonly HomeRow[] {
  if (files === undefined) return [];
  if (files.length === 0)
    return [
      {
        id: 'changed',
        line: [{ text: `${signs.tick} nothing since the last commit`, token: 'success' }],
      },
    ];
  const shown = files.slice(0, files.length > MAX_SHOWN ? MAX_SHOWN - 1 : MAX_SHOWN);
  const more = files.length - shown.length;
  const lines: readonly Line[number][] = [
    { text: `${toCount(files.length, 'file')} since the last commit` },
    ...shown.map(toMuted),
    ...(more === 0 ? [] : [{ text: `and ${more} more` }]),
  ];
  return lines.map((segment) => ({
    id: `changed ${segment.text}`,
    line: [segment],
    route: { screen: 'diff', before: 'HEAD' },
    copied: 'capix diff HEAD',
  }));
}

/** The requests of `capix dev`, in whichever window it runs. */
function toRequestRows(options: HomeOptions): readonly HomeRow[] {
  const { server, activity } = options.facts;
  if (!server) return [];
  const { requestCount: count, errors, slowest } = activity;
  const requests = count === 1 ? 'request' : `${count} requests`;
  const none: Line =
    count === 0
      ? [toMuted('No request has come yet')]
      : [{ text: `${signs.tick} none`, token: 'success' }, toMuted(` of the last ${requests}`)];
  const errorRows = errors.map((error) => toErrorRow(error, options));
  const slowRows = slowest.map((slow) => toSlowRow(slow, options));
  return [
    ...toGroup('Errors', errorRows.length === 0 ? [{ id: 'errors', line: none }] : errorRows),
    ...toGroup('Slowest', slowRows),
  ];
}

function toErrorRow(
  { method, url, capability, status, time, count }: RecentError,
  options: HomeOptions,
): HomeRow {
  return {
    id: `error ${status} ${method} ${url}`,
    line: [
      toStatusCell(status),
      { text: `${method} `, token: toMethodToken(method) },
      { text: url },
      { text: count === 1 ? '' : `  ${count} times`, token: 'warning' },
      toMuted(`  ${toClock(Date.parse(time))}  ${capability ?? ''}`),
    ],
    copied: `${method} ${url}`,
    ...toTarget(capability, options),
  };
}

function toSlowRow({ key, method, p95Ms, count }: SlowRoute, options: HomeOptions): HomeRow {
  return {
    id: `slow ${key}`,
    line: [
      { text: toDuration(p95Ms).padStart(7) },
      toMuted('  p95  '),
      { text: `${method} `, token: toMethodToken(method) },
      { text: key },
      toMuted(`  ${toCount(count, 'request')}`),
    ],
    copied: key,
    ...toTarget(key, options),
  };
}

function toCallRow({ key, input, status, at }: PastCall, project: ProjectState): HomeRow {
  const text = JSON.stringify(input);
  return {
    id: `call ${at} ${key}`,
    line: [
      toStatusCell(status),
      toMuted(`${toClock(at)}  `),
      { text: `${key} ` },
      toMuted(text ?? ''),
    ],
    route: { screen: 'call', key, input: text },
    copied: text === undefined ? key : `${key} ${text}`,
    source: findSource(project.manifest, key),
  };
}

function toStatusCell(status: number): Line[number] {
  return { text: toStatusText(status).padEnd(5), token: toStatusToken(status) };
}

/** To the server in this window, which has the request; else to the capability. */
function toTarget(
  key: string | undefined,
  { project, facts }: HomeOptions,
): Pick<HomeRow, 'route' | 'source'> {
  const source = findSource(project.manifest, key);
  if (facts.server?.pid === ownProcessId) return { route: { screen: 'dev' }, source };
  return { route: key === undefined ? undefined : { screen: 'show', key }, source };
}

const healths = {
  ready: { sign: signs.live, token: 'success', problem: '' },
  stale: { sign: signs.warning, token: 'warning', problem: 'the newest version does not start; ' },
  down: {
    sign: signs.cross,
    token: 'danger',
    problem: 'nothing answers: the code does not start; ',
  },
} as const;

/** The server of a project: its address, what is wrong with it, since when it runs. */
export function toServerRow(server: HomeFacts['server']): HomeRow {
  const row = { id: 'server', route: { screen: 'dev' } } as const;
  if (server === undefined) return { ...row, line: [] };
  if (server === null)
    return { ...row, line: [toMuted('not running; Enter starts it')], copied: 'capix dev' };
  const { pid, urls, startedAt, phase } = server;
  const [url] = urls;
  const { sign, token, problem } = healths[phase];
  const isHere = pid === ownProcessId;
  const where = `${isHere ? 'in this window' : 'capix dev'} since ${toClock(startedAt)}`;
  return {
    ...(isHere || url === undefined ? row : { id: 'server', url }),
    line: [{ text: `${sign} `, token }, { text: url ?? '' }, toMuted(`  ${problem}${where}`)],
    copied: url,
  };
}
