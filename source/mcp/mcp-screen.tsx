import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import type { ToolCall } from '../../server-runtime/server/log/tool-call.ts';
import { readToolCalls } from '../files/journals/tool-call-journal.ts';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { FilteredListView } from '../kit/list/filtered-list-view.tsx';
import { wrapText } from '../kit/text/text-width.ts';
import { type Size, useBodySize, useUi } from '../kit/theme/use-ui.ts';
import type { ProjectState } from '../load/project-state.ts';
import { useProject } from '../load/use-project.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { ToolMeter, ToolsRequest } from '../manifest/tools/tool-meter.ts';
import { MasterDetail } from '../screens/master-detail.tsx';
import { LoadingLine } from '../screens/shell/loading-line.tsx';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { usePolled } from '../screens/use-polled.ts';
import { useScreen } from '../screens/use-screen.ts';
import { stripControl } from '../terminal/control/strip-control.ts';
import { type LineStyle, toCallDetails, toCallLine, toCallTitles } from './meter/to-call-details.ts';
import { toMeterHead } from './meter/to-meter-head.ts';
import { toToolDetails, toToolLine, toToolTitles } from './meter/to-tool-details.ts';
import { type MeterView, useMeter } from './meter/use-meter.ts';

const allTools: ToolsRequest = { only: [], tag: [], readOnly: false, search: 'auto' };
/** The tokens that 200 plain tools take. */
const DEFAULT_BUDGET = 15_000;
const noCalls: readonly ToolCall[] = [];

/** `capix mcp --list`: what the tools cost in the window of a model, and the calls of agents as they come. */
export default function McpScreen() {
  const { terminal, config, envFile, exit, entry } = useScreen();
  const { route } = entry;
  const metered = useProject({
    config,
    envFile,
    workingDirectory: useMemo(() => terminal.workingDirectory(), [terminal]),
    detail: 'routes',
    tools: (route.screen === 'mcp' ? route.tools : undefined) ?? allTools,
    onError: (error) => exit(error instanceof Error ? error : new Error(String(error))),
  });
  return <MeterOf metered={metered} />;
}

/** The screen of the open project and its tools. */
export function MeterOf({ metered }: { readonly metered: ProjectState }) {
  const { manifest } = metered;
  return (
    <ScreenFrame screen="mcp" failure={metered.failure}>
      {manifest === undefined ? <LoadingLine /> : <MeterBody manifest={manifest} />}
    </ScreenFrame>
  );
}

function MeterBody({ manifest: { tools, project } }: { readonly manifest: Manifest }) {
  const calls = usePolled(
    useCallback(() => readToolCalls(project.root), [project.root]),
    noCalls,
  );
  if (tools === undefined) return <LoadingLine />;
  if (tools.kind === 'refused')
    return <Words text={`A server with these tools would not start: ${tools.reason}`} token="danger" />;
  return <Meter meter={tools.meter} calls={calls} />;
}

function Meter({ meter, calls }: { readonly meter: ToolMeter; readonly calls: readonly ToolCall[] }) {
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const { entry } = useScreen();
  const view = useMeter(meter, calls);
  const budget = (entry.route.screen === 'mcp' ? entry.route.budget : undefined) ?? DEFAULT_BUDGET;
  const { showsCalls, tools, calls: called, details } = view;
  const toDetails = (width: number): readonly Line[] => {
    if (showsCalls) return called.selected ? toCallDetails(called.selected, width) : [];
    return tools.selected ? toToolDetails(tools.selected, width) : [];
  };
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine(toMeterHead(meter, { budget, calls, showsCalls, symbols }), columns, symbols.ellipsis)} />
      <MasterDetail
        columns={columns}
        rows={rows - 1}
        details={details}
        toDetails={toDetails}
        listRows={(showsCalls ? called : tools).items.length + 2}
      >
        {(size) => (showsCalls ? <Calls {...size} view={view} /> : <Tools {...size} view={view} />)}
      </MasterDetail>
    </Box>
  );
}

interface PaneProps extends Size {
  readonly view: MeterView;
}

function Tools({ view: { tools, details }, columns, rows }: PaneProps) {
  const { symbols } = useUi();
  const toLine = useCallback((row: Parameters<typeof toToolLine>[0], width: number) => toToolLine(row, { width }), []);
  return (
    <FilteredListView
      header={fitLine(toToolTitles({ width: columns }), columns, symbols.ellipsis)}
      list={tools}
      toLine={toLine}
      marksFound={false}
      columns={columns}
      rows={rows}
      title="Tools"
      isFocused={!details.isFocused}
      onFocus={details.isFocused ? details.toggle : undefined}
      empty="No tools: every capability is hidden from agents, or takes a file."
      noMatch="No tool matches."
      placeholder="name of a tool"
    />
  );
}

function Calls({ view: { calls, details }, columns, rows }: PaneProps) {
  const { symbols } = useUi();
  const style = useMemo((): Pick<LineStyle, 'symbols'> => ({ symbols }), [symbols]);
  return (
    <FilteredListView
      header={fitLine(toCallTitles({ width: columns - 3 }), columns, symbols.ellipsis)}
      list={calls}
      toLine={(call, width) => toCallLine(call, { ...style, width })}
      marksFound={false}
      columns={columns}
      rows={rows}
      title="Calls"
      isFocused={!details.isFocused}
      onFocus={details.isFocused ? details.toggle : undefined}
      empty="No calls yet. They show here as agents make them."
      noMatch="No call matches."
      placeholder="tool or client"
    />
  );
}

function Words({ text, token }: { readonly text: string; readonly token: 'danger' }) {
  const { columns } = useBodySize();
  const { symbols } = useUi();
  return (
    <Box flexDirection="column">
      {wrapText(stripControl(text), columns - 4).map((line) => (
        <LineView key={line} line={fitLine([{ text: `  ${line}`, token }], columns, symbols.ellipsis)} />
      ))}
    </Box>
  );
}
