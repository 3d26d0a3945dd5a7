import type { CommandHelp } from '../cli/command-help.ts';
import type { PastCall } from '../project/call-history.ts';
import type { Manifest } from '../project/manifest.ts';
import type { Line } from '../ui/line-segments.ts';
import type { Route } from '../ui/route.ts';
import type { Symbols } from '../ui/theme.ts';

/** A line of the home screen; one without a way is only read. */
export interface HomeItem {
  readonly id: string;
  readonly line: Line;
  /** Where Enter leads. */
  readonly route?: Route;
  /** The words after `capix` of a command that has no screen here. */
  readonly usage?: string;
}

export interface HomeOptions {
  readonly manifest: Manifest | undefined;
  readonly hasProject: boolean;
  readonly help: CommandHelp;
  /** Where a server answers; undefined where none does. */
  readonly serverUrl: string | undefined;
  /** The last one first. */
  readonly calls: readonly PastCall[];
  readonly symbols: Symbols;
}

/** What home offers: in a project its numbers and the way to each screen; outside of one, how to begin. */
export function toHomeItems(options: HomeOptions): readonly HomeItem[] {
  return [...(options.hasProject ? toProjectItems(options) : toFirstSteps()), ...toCommandItems(options)];
}

const LABEL_WIDTH = 16;

/** The label is the id. */
function item(label: string, rest: Line, route?: Route): HomeItem {
  return {
    id: label,
    line: [{ text: label.padEnd(LABEL_WIDTH), token: 'title' }, ...rest],
    ...(route ? { route } : {}),
  };
}

function toProjectItems({ manifest, serverUrl, calls, symbols }: HomeOptions): readonly HomeItem[] {
  const count = manifest?.capabilities.length ?? 0;
  const guarded =
    manifest?.capabilities.filter(({ guards, inputGuards }) => guards.length + inputGuards.length > 0).length ?? 0;
  const groups = new Set(manifest?.capabilities.map((capability) => capability.groups.join('.'))).size;
  const counts =
    manifest === undefined
      ? 'loading'
      : `${count} in ${groups === 1 ? '1 group' : `${groups} groups`}, ${guarded} guarded`;
  return [
    item('Capabilities', [{ text: counts }], { screen: 'list' }),
    item('Problems', toProblemText(manifest, symbols), { screen: 'check' }),
    item('New capability', [{ text: 'generate one' }], { screen: 'generate', kind: 'capability' }),
    item(
      'Server',
      serverUrl === undefined
        ? [{ text: 'not running: start it', token: 'muted' }]
        : [{ text: `${symbols.live} `, token: 'success' }, { text: serverUrl }],
      serverUrl === undefined ? { screen: 'dev' } : undefined,
    ),
    ...toCallItems(calls),
  ];
}

function toCallItems(calls: readonly PastCall[]): readonly HomeItem[] {
  return calls.slice(0, MAX_CALLS).map(({ key, input, status, at }, index) => ({
    id: `call ${at} ${key}`,
    line: [
      { text: (index === 0 ? 'Last calls' : '').padEnd(LABEL_WIDTH), token: 'title' as const },
      { text: `${status}  `, token: status < 400 ? ('success' as const) : ('warning' as const) },
      { text: `${key} ` },
      { text: JSON.stringify(input) ?? '', token: 'muted' as const },
    ],
    route: { screen: 'call' as const, key, input: JSON.stringify(input) },
  }));
}

/** How many of the last calls home shows. */
const MAX_CALLS = 5;

function toProblemText(manifest: Manifest | undefined, symbols: Symbols): Line {
  if (manifest === undefined) return [];
  const errors = manifest.problems.filter(({ severity }) => severity === 'error').length;
  const warnings = manifest.problems.length - errors;
  if (errors + warnings === 0) return [{ text: `${symbols.tick} none`, token: 'success' }];
  return [
    { text: errors === 1 ? '1 error' : `${errors} errors`, token: errors > 0 ? 'danger' : 'muted' },
    { text: ', ' },
    { text: warnings === 1 ? '1 warning' : `${warnings} warnings`, token: warnings > 0 ? 'warning' : 'muted' },
  ];
}

function toFirstSteps(): readonly HomeItem[] {
  return [
    item('New project', [{ text: 'There is no project in this folder: make one', token: 'muted' }], { screen: 'new' }),
  ];
}

/** Commands that have a screen here. */
const commandRoutes: Readonly<Record<string, Route>> = {
  openapi: { screen: 'openapi' },
  diff: { screen: 'diff' },
  new: { screen: 'new' },
};

/** Commands that the lines above lead to. */
const withScreen: ReadonlySet<string> = new Set(['list', 'show', 'check', 'call', 'generate']);

function toCommandItems({ help, hasProject }: HomeOptions): readonly HomeItem[] {
  return [
    { id: 'commands', line: [] },
    ...help.commands
      .filter(({ name }) => !withScreen.has(name))
      .map(({ name, summary, usage }) => ({
        id: `command ${name}`,
        line: [
          { text: name.padEnd(LABEL_WIDTH), token: 'accent' as const },
          { text: summary, token: 'muted' as const },
        ],
        ...(commandRoutes[name] && (hasProject || name === 'new') ? { route: commandRoutes[name] } : { usage }),
      })),
  ];
}
