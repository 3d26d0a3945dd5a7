import { useApp } from 'ink';
import { exitCodes } from '../cli/errors/exit-codes.ts';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { wrapLine } from '../kit/line/wrap-line.ts';
import { FilteredListView } from '../kit/list/filtered-list-view.tsx';
import { GROUP_INDENT, type ListEntry, rowsOf, toGroupHeader } from '../kit/list/list-entry.ts';
import { useBodySize, useUi } from '../kit/theme/use-ui.ts';
import type { Problem } from '../manifest/problem.ts';
import { useMarkedItems } from '../screens/marks/use-marked-items.ts';
import { MasterDetail } from '../screens/master-detail.tsx';
import { LoadingLine } from '../screens/shell/loading-line.tsx';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { failsCheck } from './check-project.ts';
import { toProblemDetails, toProblemId, toProblemLine } from './problem-line.ts';
import { useCheck } from './use-check.ts';

/** `capix check`: what is wrong with the project, why, and what to do, as of now. */
export default function CheckScreen() {
  const { project, entry, findings, settingsProblem } = useScreen();
  const { exit } = useApp();
  const strict = entry.route.screen === 'check' && entry.route.strict === true;
  const { manifest } = project;
  const failure = settingsProblem === undefined ? undefined : { message: settingsProblem };
  const isBroken = project.failure !== undefined || failure !== undefined;
  const fails = entry.id === 0 && (isBroken || (findings && failsCheck({ problems: findings }, { strict })));
  return (
    <ScreenFrame
      screen="check"
      failure={failure}
      {...(fails ? { onLeave: () => exit({ exitCode: exitCodes.failed }) } : {})}
    >
      {manifest === undefined || findings === undefined ? (
        <LoadingLine />
      ) : (
        <Problems problems={findings} capabilityCount={manifest.capabilities.length} />
      )}
    </ScreenFrame>
  );
}

interface ProblemsProps {
  readonly problems: readonly Problem[];
  readonly capabilityCount: number;
}

function Problems({ problems, capabilityCount }: ProblemsProps) {
  const size = useBodySize();
  const { symbols } = useUi();
  const { list, details, isGrouped } = useCheck(problems);
  const marked = useMarkedItems(problems, toProblemId);
  const indent = isGrouped ? GROUP_INDENT : 0;
  if (problems.length === 0) return <NoProblems capabilityCount={capabilityCount} />;
  return (
    <MasterDetail
      {...size}
      details={details}
      listRows={list.items.length + 1}
      toDetails={(columns) => (list.selected ? toEntryDetails(list.selected, columns) : [])}
    >
      {({ columns, rows }) => (
        <FilteredListView
          list={list}
          toLine={(entry, width) =>
            entry.kind === 'group'
              ? toGroupHeader(entry, symbols)
              : [{ text: ' '.repeat(indent) }, ...toProblemLine(entry.row, { symbols, width: width - indent })]
          }
          isMarked={(entry) => rowsOf(entry).some((problem) => marked.has(toProblemId(problem)))}
          columns={columns}
          rows={rows}
          title="Problems"
          isFocused={!details.isFocused}
          onFocus={details.isFocused ? details.toggle : undefined}
          noMatch="No problem matches."
          placeholder="code or text of a problem"
        />
      )}
    </MasterDetail>
  );
}

function toEntryDetails(entry: ListEntry<Problem>, columns: number): readonly Line[] {
  if (entry.kind === 'row') return toProblemDetails(entry.row, columns);
  const title: Line = [{ text: entry.name, token: 'title' }];
  return [
    title,
    [],
    ...entry.rows.flatMap(({ message }) => wrapLine([{ text: message.replaceAll('`', '') }], columns)),
  ];
}

function NoProblems({ capabilityCount }: Pick<ProblemsProps, 'capabilityCount'>) {
  const { project } = useScreen();
  const { columns } = useBodySize();
  const { symbols } = useUi();
  const text = `No problems in ${capabilityCount === 1 ? '1 capability' : `${capabilityCount} capabilities`}`;
  const line: Line =
    project.failure === undefined
      ? [{ text: `  ${symbols.tick} `, token: 'success' }, { text }]
      : [{ text: `  ${text} before it broke`, token: 'muted' }];
  return <LineView line={fitLine(line, columns, symbols.ellipsis)} />;
}
