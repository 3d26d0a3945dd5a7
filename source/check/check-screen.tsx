import { useApp } from 'ink';
import { useMemo } from 'react';
import { exitCodes } from '../cli/cli-errors.ts';
import { fitLine, type Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { wrapText } from '../kit/text.ts';
import { signs, type Token } from '../kit/theme.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import type { Problem } from '../manifest/check-rules.ts';
import { RowsWithDetails } from '../screens/master-detail.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useMarkedRows } from '../screens/use-marks.ts';
import { type ActionRow, useRowActions } from '../screens/use-row-actions.ts';
import { useNavigation, useProject } from '../screens/use-screen.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { failsCheck } from './check-project.ts';
import { toCapabilityCount, toPlaceText } from './check-text.ts';

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

interface ProblemRow extends ActionRow {
  /** The text beside the list, in lines of at most `columns`. */
  readonly toDetails: (columns: number) => readonly Line[];
  /** The first capability that it concerns. */
  readonly key?: string | undefined;
}

/** Columns from which on a line has the code of the problem: the details say it, too. */
const CODE_FROM = 60;

function toProblemRows(problems: readonly Problem[]): readonly ProblemRow[] {
  return problems.map((problem) => {
    const { severity, code, message, hint = '', keys, file, line } = problem;
    const text = message.replaceAll('`', '');
    const [sign, token]: readonly [string, Token] =
      severity === 'error' ? [signs.cross, 'danger'] : [signs.warning, 'warning'];
    return {
      // Stays the same while the problem does.
      id: `${code} ${keys.join(' ')} ${message}`,
      line: (width) => [
        { text: `${sign} `, token },
        { text: width < CODE_FROM ? '' : code.padEnd(22), token: 'muted' },
        { text },
      ],
      search: `${code} ${text}`,
      copied: `${message}\n${hint}`,
      source: file === undefined ? undefined : { file, line },
      toDetails: (columns) => [
        [{ text: `${severity} ${code}`, token }],
        ...toDetailLines(problem, columns),
      ],
      key: keys[0],
    };
  });
}

/** The message, the next step and the place of a problem. */
function toDetailLines(
  { message, hint, keys, file, line }: Problem,
  width: number,
): readonly Line[] {
  const toText = (words: string): readonly Line[] =>
    wrapText(stripControl(words), width).map((text) => [{ text }]);
  const toFact = (label: string, text: string): readonly Line[] =>
    text === '' ? [] : [[{ text: label.padEnd(10), token: 'muted' }, { text }]];
  return [
    ...toText(message),
    ...(hint === undefined
      ? []
      : [[], [{ text: 'How to fix it', token: 'accent' } as const], ...toText(hint)]),
    [],
    ...toFact('Concerns', keys.join(', ')),
    ...toFact('Source', toPlaceText({ file, line })),
  ];
}
