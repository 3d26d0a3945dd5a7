import { Box, useApp } from 'ink';
import { useEffect } from 'react';
import { CliError } from '../cli/errors/cli-error.ts';
import { exitCodes } from '../cli/errors/exit-codes.ts';
import { PromptLine } from '../kit/field/prompt-line.tsx';
import { toTextField } from '../kit/field/text-field-state.ts';
import { useKept } from '../kit/kept/use-kept.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { useBodySize } from '../kit/theme/use-ui.ts';
import { DEFAULT_CONFIG } from '../load/expect-project.ts';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { DiffView } from './diff-view.tsx';
import { reachesClass } from './reaches-class.ts';
import { useSides } from './use-sides.ts';

/** `capix diff`: what the open project, or another side, changes for those who call it as the first side has it. */
export default function DiffScreen() {
  const { entry, config, project } = useScreen();
  const { exit } = useApp();
  const { before: given, after, failOn } = entry.route.screen === 'diff' ? entry.route : {};
  const [before, setBefore] = useKept('before', given);
  const [refused, setRefused] = useKept<string | undefined>('problem', undefined);
  const open = useSides(before, after);
  const { judged, problem } = open;
  const isUnknown = before !== undefined && open.loadedAt === undefined && problem !== undefined;
  useEffect(() => {
    if (!isUnknown || problem === undefined) return;
    // A name of the command line is refused there, and one that was typed is asked for again.
    if (given !== undefined && entry.id === 0) exit(problem);
    else {
      setRefused([problem.message, problem instanceof CliError && problem.hint].filter(Boolean).join(' '));
      setBefore(undefined);
    }
  });
  if (before === undefined)
    return (
      <ScreenFrame screen="diff">
        <AskForSide problem={refused} onChoose={setBefore} />
      </ScreenFrame>
    );
  const fails = entry.id === 0 && judged !== undefined && reachesClass(judged.diff, failOn);
  const names = { before, after: after ?? config ?? project.manifest?.project.config ?? DEFAULT_CONFIG };
  return (
    <ScreenFrame screen="diff" {...(fails ? { onLeave: () => exit({ exitCode: exitCodes.failed }) } : {})}>
      <DiffView {...open} names={names} isNamed={after !== undefined} />
    </ScreenFrame>
  );
}

interface AskForSideProps {
  /** Why the name before could not be taken. */
  readonly problem: string | undefined;
  /** Takes the text of the field; without one the last commit. */
  readonly onChoose: (side: string) => void;
}

function AskForSide({ problem, onChoose }: AskForSideProps) {
  const { back } = useScreen();
  const { columns } = useBodySize();
  const [field, setField] = useKept('field', toTextField(''));
  const note =
    'A branch, tag or commit, a URL, or a file from the folder where capix was started; empty: the last commit';
  return (
    <Box flexDirection="column">
      <LineView line={[{ text: ' Compare this project with a git ref, a file, an OpenAPI document or a server.' }]} />
      <PromptLine
        label="As it was in"
        state={field}
        onState={setField}
        onEnter={() => onChoose(field.text.trim() || 'HEAD')}
        onCancel={back}
        columns={columns}
        placeholder="HEAD"
        note={problem === undefined ? { text: note, isProblem: false } : { text: problem, isProblem: true }}
      />
    </Box>
  );
}
