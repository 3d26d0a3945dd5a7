import { JOB } from '../document/operations/api-operation.ts';
import { toOneLine } from '../kit/line.ts';
import { type Column, type TableRows, toTableRows } from '../kit/table.ts';
import { toMethodToken } from '../kit/theme.ts';
import type { Listed } from '../manifest/manifest.ts';
import type { ActionRow } from '../screens/use-row-actions.ts';
import { toGuardCount, toRouteText } from './capability-row.ts';

export interface ListRow extends ActionRow {
  readonly inside: readonly Listed[];
}

/** The capabilities in the order of declaration; many are in groups. */
export function toListTable(capabilities: readonly Listed[]): TableRows<ListRow> {
  return toTableRows<Listed, ListRow>(capabilities, {
    columns: [keyColumn, ...columns],
    toRow: (capability, toLine) => ({
      id: toRowId(capability),
      line: toLine(capability.facts.deprecation === undefined ? undefined : 'muted'),
      search: toSearched(capability),
      copied: capability.key,
      source: capability.facts.source,
      route: { screen: 'show', key: capability.key },
      capability,
      inside: [capability],
    }),
    groups: {
      columns: [{ ...keyColumn, get: toShortKey }, ...columns],
      toName: ({ groups }) => groups.join('.'),
      toRow: (group, name, inside) => ({
        ...group,
        line: [
          { text: name, token: 'title' },
          { text: `  ${inside.length}`, token: 'muted' },
        ],
        copied: name,
        inside,
      }),
    },
  });
}

/** The rows that a capability may have: it can be a job, too, which has a row of its own. */
export function toRowIds(key: string): readonly string[] {
  return [key, toJobRowId(key)];
}

function toRowId({ key, job }: Listed): string {
  return job === undefined ? key : toJobRowId(key);
}

function toJobRowId(key: string): string {
  return `${JOB} ${key}`;
}

function toSearched(listed: Listed): string {
  const { key, method, facts } = listed;
  const { intent, description = '', deprecation, guards, inputGuards } = facts;
  const names = [...guards, ...inputGuards].map(({ name }) => name);
  const guarded = names.length === 0 ? 'public' : names.join(' ');
  const state = deprecation === undefined ? '' : 'deprecated';
  return [method, key, toRouteText(listed), guarded, intent, state, toOneLine(description)].join(
    ' ',
  );
}

const keyColumn: Column<Listed> = { title: 'Key', get: ({ key }) => key, most: 48, least: 12 };

/** The key below the row of its group. */
function toShortKey({ key, groups }: Listed): string {
  return key.slice(groups.join('.').length).replace(/^\./, '');
}

const columns: readonly Column<Listed>[] = [
  { title: 'Method', get: ({ method }) => method, token: ({ method }) => toMethodToken(method) },
  { title: 'Route', get: toRouteText, most: 60, least: 24, isCutLast: true },
  {
    title: 'Guards',
    get: toGuardCount,
    token: ({ facts: { guards, inputGuards } }) =>
      guards.length + inputGuards.length === 0 ? 'muted' : 'warning',
    from: 50,
  },
  {
    title: '',
    get: ({ facts }) => (facts.deprecation === undefined ? '' : 'deprecated'),
    from: 70,
  },
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
