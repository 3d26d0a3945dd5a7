import type { CommandHelp } from '../cli/command-help.ts';
import type { Line } from '../kit/line/line.ts';
import type { Symbols } from '../kit/theme/tokens.ts';
import { type ProjectState, toOutline } from '../load/project-state.ts';
import { toEventItems } from './event-items.ts';
import { type HomeItem, type HomeOptions, toGroup } from './home-item.ts';
import { toServerItem } from './server-item.ts';

/** The items of home, of each pane that it has. */
export interface HomeItems {
  /** In a project its numbers and the way to each screen; outside of one, how to begin. */
  readonly ways: readonly HomeItem[];
  /** The events of the project, which a wide window shows beside its numbers, and another one below them. */
  readonly events: readonly HomeItem[];
}

/** `isWide`: whether there are two panes. */
export function toHomeItems(options: HomeOptions, isWide: boolean): HomeItems {
  const { hasProject, help } = options;
  const project = hasProject ? toProjectItems(options) : [];
  const events = hasProject ? toEventItems(options, isWide) : [];
  const commands = [
    ...toGroup('New', hasProject ? [newCapability, newGroup, newProject] : [newProject], true),
    ...(hasProject ? toGroup('Contract', [openapi, diff], true) : []),
    ...toGroup('More', toCommandItems(help), true),
  ];
  return isWide && hasProject
    ? { ways: [...project, ...commands], events }
    : { ways: [...project, ...events, ...commands], events: [] };
}

const NAME_WIDTH = 16;

function toWay(name: string, text: string, way: Pick<HomeItem, 'route' | 'usage' | 'copied'>): HomeItem {
  return { id: `${name} ${text}`, line: [{ text: name.padEnd(NAME_WIDTH), token: 'accent' }], hint: text, ...way };
}

const newCapability = toWay('capability', 'An operation with a route', {
  route: { screen: 'generate', kind: 'capability' },
});
const newGroup = toWay('group', 'A folder of capabilities', { route: { screen: 'generate', kind: 'group' } });
const newProject = toWay('project', 'A project, step by step', { route: { screen: 'new' } });
const openapi = {
  ...toWay('openapi', 'The OpenAPI document, as a tree', { route: { screen: 'openapi' } }),
  brief: 'The document, as a tree',
};
const diff = toWay('diff', 'What changes for callers', {
  route: { screen: 'diff' },
});

function toProjectItems({ project, findings, facts, symbols }: HomeOptions): readonly HomeItem[] {
  const { config, root } = toOutline(project)?.project ?? {};
  const source = config === undefined ? undefined : { file: `${root}/${config}` };
  return [
    ...toGroup('Capabilities', [
      {
        id: 'capabilities',
        line: [{ text: toCounts(project) }],
        shorter: [[{ text: toCounts(project).replace(/,.*/, '') }]],
        route: { screen: 'list' },
        source,
      },
    ]),
    ...toGroup('Problems', [
      {
        id: 'problems',
        line: toProblemLine(findings, project, symbols),
        route: { screen: 'check' },
        source,
      },
    ]),
    ...toGroup('Server', [toServerItem(facts.server, symbols)]),
  ];
}

/** The words for what is not known yet. */
function toAbsence({ failure }: ProjectState): string {
  return failure === undefined ? 'loading' : 'not known until it loads';
}

function toCounts(project: ProjectState): string {
  const outline = toOutline(project);
  if (outline === undefined) return toAbsence(project);
  const { capabilities } = outline;
  const guarded = capabilities.filter(({ guards, inputGuards }) => guards.length + inputGuards.length > 0).length;
  const groups = new Set(capabilities.map((capability) => capability.groups.join('.'))).size;
  return `${capabilities.length} in ${groups === 1 ? '1 group' : `${groups} groups`}, ${guarded} guarded`;
}

function toProblemLine(findings: HomeOptions['findings'], project: ProjectState, symbols: Symbols): Line {
  if (findings === undefined) return [{ text: toAbsence(project), token: 'muted' }];
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
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

/** The summaries of commands in at most 25 columns: those that a pane of 60 has after their names. */
const briefs: Readonly<Record<string, string>> = {
  'ai-context': 'The API for assistants',
  client: 'A typed client with fetch',
  docs: 'The API as Markdown',
  lock: 'The contract as a file',
  'sync-ai-context': 'Renew the shared context',
  mcp: 'The API as tools of agents',
  start: 'The server, built',
};

function toCommandItems({ commands }: CommandHelp): readonly HomeItem[] {
  return commands
    .filter(({ name }) => !withScreen.has(name))
    .map(({ name, summary, usage }) => ({
      ...toWay(name, summary, { usage, copied: `capix ${usage}` }),
      brief: briefs[name] ?? summary,
    }));
}
