import { useApp } from 'ink';
import { useMemo } from 'react';
import { exitCodes } from '../cli/cli-errors.ts';
import { fitLine, type Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { signs } from '../kit/theme.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import type { Problem } from '../manifest/check-rules.ts';
import { RowsWithDetails } from '../screens/master-detail.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useMarkedRows } from '../screens/use-marks.ts';
import { useRowActions } from '../screens/use-row-actions.ts';
import { useNavigation, useProject } from '../screens/use-screen.ts';
import { failsCheck } from './check-project.ts';
import { toCapabilityCount } from './check-text.ts';
import { toProblemRows } from './problem-line.ts';

/** `capix check`: what is wrong with the project, why, and what to do, as of now. */
export default function CheckScreen() {
  const { entry } = useNavigation();
  const { project, findings, settingsProblem } = useProject();
  const { exit } = useApp();
  const strict = entry.route.screen === 'check' && entry.route.strict === true;
  const { manifest } = project;
  const failure = settingsProblem === undefined ? undefined : { message: settingsProblem };
  const isBroken = project.failure !== undefined || failure !== undefined;
  const fails =
    entry.id === 0 && (isBroken || (findings && failsCheck({ problems: findings }, { strict })));
  return (
    <ScreenFrame
      screen="check"
      failure={failure}
      {...(fails ? { onLeave: () => exit({ exitCode: exitCodes.failed }) } : {})}
    >
      {manifest === undefined || findings === undefined ? (
        <LoadingLine />
      ) : (
        <Problems problems={findings} capabilityCount={manifest.keys.length} />
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
  const { go } = useNavigation();
  const { project } = useProject();
  const isBroken = project.failure !== undefined;
  const rows = useMemo(() => toProblemRows(problems), [problems]);
  const marked = useMarkedRows(rows, ({ id }) => id);
  const list = useRows(rows, 'list');
  const row = useRowActions(list);
  const { selected } = list;
  const key = selected?.key;
  const actions = {
    go: {
      help: 'Open the source in $EDITOR',
      hint: 'edit',
      run: selected?.source === undefined ? row.go.run : row.edit.run,
    },
    edit: { ...row.edit, hint: undefined },
    show: key === undefined ? row.show : () => go({ screen: 'show', key }),
    copy: row.copy,
  };
  if (problems.length === 0) {
    const text = `No problems in ${toCapabilityCount(capabilityCount)}`;
    const line: Line = isBroken
      ? [{ text: `  ${text} before it broke`, token: 'muted' }]
      : [{ text: `  ${signs.tick} `, token: 'success' }, { text }];
    return <LineView line={fitLine(line, size.columns)} />;
  }
  return (
    <RowsWithDetails
      {...size}
      list={list}
      toDetails={(columns) => list.selected?.toDetails(columns) ?? []}
      marked={marked}
      actions={actions}
      noMatch="No problem matches."
      placeholder="words of a code or a problem"
    />
  );
}
