import type { CommandHelp } from '../cli/command-help.ts';
import type { PastCall } from '../files/past-call.ts';
import type { Line } from '../kit/line/line.ts';
import type { Symbols } from '../kit/theme/tokens.ts';
import { type ProjectState, toOutline } from '../load/project-state.ts';
import type { Location } from '../screens/location.ts';
import { toClock } from '../screens/shell/shell-status.ts';
import type { EditorPlace } from '../system/open-editor.ts';
import { toServerItem } from './server-item.ts';
import type { HomeFacts } from './use-home-facts.ts';

/** A line of the home screen. */
export interface HomeItem {
  readonly id: string;
  readonly line: Line;
  /** The screen that Enter leads to. */
  readonly route?: Location;
  /** The address that Enter opens in the browser. */
  readonly url?: string;
  /** The words after `capix` of a command that has no screen. */
  readonly usage?: string;
  /** The text that is copied. */
  readonly copied?: string | undefined;
  /** The place that is opened in the editor. */
  readonly source?: EditorPlace | undefined;
}

export interface HomeOptions {
  readonly project: ProjectState;
  readonly hasProject: boolean;
  readonly facts: HomeFacts;
  readonly help: CommandHelp;
  readonly symbols: Symbols;
}

/** The items of home: in a project its numbers and the way to each screen; outside of one, how to begin. */
export function toHomeItems(options: HomeOptions): readonly HomeItem[] {
  const { hasProject, help } = options;
  return [
    ...(hasProject ? toProjectItems(options) : []),
    ...toGroup('New', hasProject ? [newCapability, newGroup, newProject] : [newProject]),
    ...(hasProject ? toGroup('Contract', [openapi, diff]) : []),
    ...toGroup('More', toCommandItems(help)),
  ];
}

/** Columns of what stands before a line: the name of what it tells, or of the group that begins with it. */
export const LABEL_WIDTH = 16;
const NAME_WIDTH = 16;

function toGroup(label: string, items: readonly HomeItem[]): readonly HomeItem[] {
  return items.map((item, index) => ({
    ...item,
    line: [{ text: (index === 0 ? label : '').padEnd(LABEL_WIDTH), token: 'title' as const }, ...item.line],
  }));
}

function toWay(name: string, text: string, way: Pick<HomeItem, 'route' | 'usage' | 'copied'>): HomeItem {
  const line: Line = [
    { text: name.padEnd(NAME_WIDTH), token: 'accent' },
    { text, token: 'muted' },
  ];
  return { id: `${name} ${text}`, line, ...way };
}

const newCapability = toWay('capability', 'Its file, key and route are seen before they are written', {
  route: { screen: 'generate', kind: 'capability' },
});
const newGroup = toWay('group', 'A folder of capabilities', { route: { screen: 'generate', kind: 'group' } });
const newProject = toWay('project', 'A few questions, and a server runs', { route: { screen: 'new' } });
const openapi = toWay('openapi', 'The OpenAPI document, as a tree', { route: { screen: 'openapi' } });
const diff = toWay('diff', 'What changes for callers, against a git ref or another file', {
  route: { screen: 'diff' },
});

function toProjectItems({ project, facts, symbols }: HomeOptions): readonly HomeItem[] {
  const { config, root } = toOutline(project)?.project ?? {};
  const source = config === undefined ? undefined : { file: `${root}/${config}` };
  return [
    ...toGroup('Capabilities', [
      { id: 'capabilities', line: [{ text: toCounts(project) }], route: { screen: 'list' }, source },
    ]),
    ...toGroup('Problems', [
      { id: 'problems', line: toProblemLine(project, symbols), route: { screen: 'check' }, source },
    ]),
    ...toGroup('Server', [toServerItem(facts.server, symbols)]),
    ...toGroup(
      'Last calls',
      facts.calls.slice(0, MAX_CALLS).map((call) => toCallItem(call, project)),
    ),
  ];
}

/** The number of last calls that home shows. */
const MAX_CALLS = 5;

function toCallItem({ key, input, status, at }: PastCall, project: ProjectState): HomeItem {
  const text = JSON.stringify(input);
  return {
    id: `call ${at} ${key}`,
    line: [
      { text: `${status}`, token: status < 400 ? 'success' : status < 500 ? 'warning' : 'danger' },
      { text: `  ${toClock(at)}  `, token: 'muted' },
      { text: `${key} ` },
      { text: text ?? '', token: 'muted' },
    ],
    route: { screen: 'call', key, input: text },
    copied: text === undefined ? key : `${key} ${text}`,
    source: toOutline(project)?.capabilities.find((capability) => capability.key === key)?.source,
  };
}

function toCounts(project: ProjectState): string {
  const outline = toOutline(project);
  if (outline === undefined) return project.failure === undefined ? 'loading' : 'not known until it loads';
  const { capabilities } = outline;
  const guarded = capabilities.filter(({ guards, inputGuards }) => guards.length + inputGuards.length > 0).length;
  const groups = new Set(capabilities.map((capability) => capability.groups.join('.'))).size;
  return `${capabilities.length} in ${groups === 1 ? '1 group' : `${groups} groups`}, ${guarded} guarded`;
}

function toProblemLine({ manifest, outline }: ProjectState, symbols: Symbols): Line {
  if (manifest === undefined) return outline === undefined ? [] : [{ text: 'loading', token: 'muted' }];
  const errors = manifest.problems.filter(({ severity }) => severity === 'error').length;
  const warnings = manifest.problems.length - errors;
  if (errors + warnings === 0) return [{ text: `${symbols.tick} none`, token: 'success' }];
  return [
    { text: errors === 1 ? '1 error' : `${errors} errors`, token: errors > 0 ? 'danger' : 'muted' },
    { text: ', ' },
    { text: warnings === 1 ? '1 warning' : `${warnings} warnings`, token: warnings > 0 ? 'warning' : 'muted' },
  ];
}

/** Commands that the other lines lead to, and the one that only shells are for. */
const withScreen: ReadonlySet<string> = new Set([
  'list',
  'show',
  'check',
  'call',
  'dev',
  'generate',
  'new',
  'openapi',
  'diff',
  'completion',
]);

function toCommandItems({ commands }: CommandHelp): readonly HomeItem[] {
  return commands
    .filter(({ name }) => !withScreen.has(name))
    .map(({ name, summary, usage }) => toWay(name, summary, { usage, copied: `capix ${usage}` }));
}
