import { useMemo } from 'react';
import type { ToolCall } from '../../../server-runtime/server/log/tool-call.ts';
import { useKept } from '../../kit/kept/use-kept.ts';
import type { KeyBinding } from '../../kit/keys/key-binding.ts';
import { useKeys } from '../../kit/keys/use-keys.ts';
import { type FilteredList, useFilteredList } from '../../kit/list/use-filtered-list.ts';
import { toOutline } from '../../load/project-state.ts';
import type { ToolMeter } from '../../manifest/tools/tool-meter.ts';
import { type Details, paneBinding, useDetails } from '../../screens/use-details.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { type MeterRow, type MeterSort, nextSort, toMeterRows } from './meter-rows.ts';

type MeterAction = 'show' | 'calls' | 'sort' | 'edit' | 'copy' | 'pane';

const bindings: readonly KeyBinding<MeterAction>[] = [
  { action: 'show', keys: ['enter', 's'], help: 'Show the capability', hint: 'show' },
  { action: 'calls', keys: ['v'], help: 'Show the calls of agents, or the tools', hint: 'calls' },
  { action: 'sort', keys: ['>'], help: 'Sort by tokens, by calls, by name', hint: 'sort' },
  { action: 'edit', keys: ['e'], help: 'Open the source in $EDITOR', hint: 'edit' },
  { action: 'copy', keys: ['y'], help: 'Copy the name of the tool', hint: 'copy' },
  paneBinding,
];

export interface MeterView {
  /** Whether the list is that of the calls. */
  readonly showsCalls: boolean;
  readonly tools: FilteredList<MeterRow>;
  readonly calls: FilteredList<ToolCall>;
  readonly sort: MeterSort;
  readonly details: Details;
}

/** The state of the screen, and its keys. */
export function useMeter(meter: ToolMeter, calls: readonly ToolCall[]): MeterView {
  const [showsCalls, setShowsCalls] = useKept('calls shown', false);
  const [sort, setSort] = useKept<MeterSort>('sort', 'tokens');
  const rows = useMemo(() => toMeterRows(meter, calls, sort), [meter, calls, sort]);
  const tools = useFilteredList(rows, { name: 'tools', getKey: getName, getText: getRowText });
  const called = useFilteredList(calls, { name: 'calls', getKey: getCallKey, getText: getCallText });
  const selected = showsCalls ? called.selected : tools.selected;
  const details = useDetails(selected !== undefined);
  const name = showsCalls ? called.selected?.tool : tools.selected?.tool.name;
  const key = showsCalls ? called.selected?.capability : tools.selected?.tool.capability;
  const run = useToolActions(name, key);
  useKeys<MeterAction>({
    title: 'Tool',
    bindings,
    onAction: (action) => {
      if (action === 'calls') setShowsCalls(!showsCalls);
      else if (action === 'sort') setSort(nextSort(sort));
      else if (action === 'pane') details.toggle();
      else run(action);
    },
  });
  return { showsCalls, tools: withRewind(tools, details), calls: withRewind(called, details), sort, details };
}

/** The actions on one tool. `key`: of its capability. */
function useToolActions(name: string | undefined, key: string | undefined) {
  const { go, copy, edit, notify, project } = useScreen();
  return (action: 'show' | 'edit' | 'copy'): void => {
    if (name === undefined) return;
    if (action === 'copy') return copy(name, name);
    const capability = toOutline(project)?.capabilities.find((each) => each.key === key);
    if (capability === undefined) return notify(`${name} has no capability of its own`);
    if (action === 'show') go({ screen: 'show', key: capability.key });
    else edit(capability.source);
  };
}

function withRewind<Item>(list: FilteredList<Item>, details: Details): FilteredList<Item> {
  return {
    ...list,
    onState: (state) => {
      details.rewind();
      list.onState(state);
    },
  };
}

function getName({ tool }: MeterRow): string {
  return tool.name;
}

function getRowText({ tool }: MeterRow): string {
  return `${tool.name} ${tool.capability}`;
}

function getCallKey({ at, tool, durationMs }: ToolCall): string {
  return `${at} ${tool} ${durationMs}`;
}

function getCallText({ tool, client = '' }: ToolCall): string {
  return `${tool} ${client}`;
}
