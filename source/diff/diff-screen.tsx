import { Box, useApp } from 'ink';
import { useEffect } from 'react';
import { CliError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import { LineView } from '../kit/line-view.tsx';
import { useKept } from '../kit/use-kept.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { DEFAULT_CONFIG } from '../load/expect-project.ts';
import { AskLines } from '../screens/prompts.tsx';
import { ScreenFrame } from '../screens/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { reachesClass } from './diff-totals.ts';
import { DiffView } from './diff-view.tsx';
import { useSides } from './use-sides.ts';

/** `capix diff`: what the open project, or another side, changes for those who call it as the first side has it. */
export default function DiffScreen() {
  const { entry, config, project } = useScreen();
  const { exit } = useApp();
  const { before: given, after, failOn } = entry.route.screen === 'diff' ? entry.route : {};
  const [before, setBefore] = useKept('before', given);
  const [refused, setRefused] = useKept<RefusedSide | undefined>('refused', undefined);
  const open = useSides(before, after);
  const { judged, problem } = open;
  const isUnknown = before !== undefined && open.loadedAt === undefined && problem !== undefined;
  useEffect(() => {
    if (!isUnknown || problem === undefined) return;
    // A name of the command line is refused there, and one that was typed is asked for again.
    if (given !== undefined && entry.id === 0) exit(problem);
    else {
      const hint = problem instanceof CliError ? problem.hint : undefined;
      setRefused({ side: before, reason: [problem.message, hint].filter(Boolean).join(' ') });
      setBefore(undefined);
    }
  });
  if (before === undefined)
    return (
      <ScreenFrame screen="diff">
        <AskForSide refused={refused} onChoose={setBefore} />
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

interface RefusedSide {
  readonly side: string;
  readonly reason: string;
}

const note =
  'A branch, tag or commit, a URL, or a file from the folder where capix was started; empty: the last commit';

interface AskForSideProps {
  /** The name that could not be taken, and why. */
  readonly refused: RefusedSide | undefined;
  /** Takes what was typed; without a text the last commit. */
  readonly onChoose: (side: string) => void;
}

function AskForSide({ refused, onChoose }: AskForSideProps) {
  const { back, exit } = useScreen();
  const { columns } = useBodySize();
  const shown = { text: refused?.reason ?? note, isProblem: refused !== undefined };
  return (
    <Box flexDirection="column">
      <LineView line={[{ text: ' Compare this project with a git ref, a file, an OpenAPI document or a server.' }]} />
      <AskLines
        question={{ label: 'As it was in', value: refused?.side ?? '', placeholder: 'HEAD', note: shown }}
        answer={(side) => (side === undefined ? (back ?? exit)() : onChoose(side || 'HEAD'))}
        columns={columns}
        isModal={false}
      />
    </Box>
  );
}
