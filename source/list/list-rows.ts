import { JOB } from '../document/api-operation.ts';
import { type Line, toOneLine } from '../kit/line.ts';
import { type Column, createTable } from '../kit/table.ts';
import { toMethodToken } from '../kit/theme.ts';
import type { Listed } from '../manifest/listed.ts';
import type { ActionRow } from '../screens/use-row-actions.ts';
import { toGuardCount, toRouteText } from './capability-row.ts';

/** A row of the list: a capability, or a group of some. */
export interface ListRow extends ActionRow {
  /** The capability, or those of the group. */
  readonly inside: readonly Listed[];
}

/** More capabilities are in groups. */
const FLAT_UNTIL = 100;

export interface ListTable {
  readonly rows: readonly ListRow[];
  readonly isGrouped: boolean;
  /** The line of the titles in the room that a row has. */
  readonly toTitles: (columns: number) => Line;
}

/** The capabilities in the order of declaration; many are in groups, of which the first one is open. */
export function toListTable(capabilities: readonly Listed[], marked: ReadonlySet<string>): ListTable {
  const toTable = createTable(capabilities, columns);
  const toRow = (capability: Listed): ListRow => {
    const { key, facts } = capability;
    const { source, deprecation } = facts;
    const token = marked.has(key) ? 'changed' : deprecation === undefined ? undefined : 'muted';
    return {
      id: toRowIds(key)[capability.job === undefined ? 0 : 1],
      line: (width) => toTable(width).toLine(capability, token),
      search: toSearched(capability),
      copied: key,
      source,
      route: { screen: 'show', key },
      capability,
      inside: [capability],
    };
  };
  const groups = new Map<string, Listed[]>();
  for (const each of capabilities) {
    const name = each.groups.join('.');
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [each]);
    else known.push(each);
  }
  const isGrouped = capabilities.length > FLAT_UNTIL && groups.size > 1;
  const toTitles: ListTable['toTitles'] = (width) =>
    isGrouped ? [{ text: '    ' }, ...toTable(width - 4).titles] : toTable(width).titles;
  if (!isGrouped) return { rows: capabilities.map(toRow), isGrouped, toTitles };
  const rows = [...groups].map(([name, inside], index): ListRow => {
    const title = name === '' ? 'without a group' : name;
    return {
      id: `group ${name}`,
      line: [
        { text: title, token: 'title' },
        { text: `  ${inside.length}`, token: 'muted' },
      ],
      search: name,
      children: inside.map(toRow),
      isOpen: index === 0,
      copied: title,
      inside,
    };
  });
  return { rows, isGrouped, toTitles };
}

/** A capability may be a job, too, which has a row of its own. */
export function toRowIds(key: string): readonly [capability: string, job: string] {
  return [key, `${JOB} ${key}`];
}

function toSearched(listed: Listed): string {
  const { key, method, facts } = listed;
  const { intent, description = '', deprecation, guards, inputGuards } = facts;
  const names = [...guards, ...inputGuards].map(({ name }) => name);
  const guarded = names.length === 0 ? 'public' : names.join(' ');
  const state = deprecation === undefined ? '' : 'deprecated';
  return [method, key, toRouteText(listed), guarded, intent, state, toOneLine(description)].join(' ');
}

const columns: readonly Column<Listed>[] = [
  { title: 'Key', get: ({ key }) => key, most: 48, least: 12 },
  { title: 'Method', get: ({ method }) => method, token: ({ method }) => toMethodToken(method) },
  { title: 'Route', get: toRouteText, most: 60, least: 8, from: 40 },
  {
    title: 'Guards',
    get: toGuardCount,
    token: ({ facts: { guards, inputGuards } }) => (guards.length + inputGuards.length === 0 ? 'muted' : 'warning'),
    from: 50,
  },
  { title: '', get: ({ facts }) => (facts.deprecation === undefined ? '' : 'deprecated'), from: 70 },
  { title: 'Intent', get: ({ facts }) => facts.intent, token: 'muted', from: 84 },
  {
    title: 'Description',
    get: ({ facts }) => toOneLine(facts.description ?? ''),
    token: 'muted',
    least: 12,
    from: 112,
  },
  {
    title: 'Input',
    get: ({ facts }) => (facts.inputFields ?? []).join(' '),
    token: 'muted',
    most: 40,
    least: 8,
    from: 112,
  },
];
