import { useApp } from 'ink';
import { useEffect } from 'react';
import { PromptLine } from '../kit/field/prompt-line.tsx';
import { LineView } from '../kit/line/line-view.tsx';
import { useBodySize } from '../kit/theme/use-ui.ts';
import { initialProjectState } from '../load/project-state.ts';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import type { DocumentSource } from '../sides/load-document-side.ts';
import { useTwoSides } from './compare/use-two-sides.ts';
import { DiffView } from './diff-view.tsx';
import { type AskedSide, useAskedSide } from './use-asked-side.ts';
import {
  type DocumentSide,
  useDescribedProject,
  useDocumentSide,
  useRefSide,
  useSideSource,
  useWatchedSide,
} from './use-diff.ts';

/** `capix diff`: what the open project, or another side, changes for those who call it as the first side has it. */
export default function DiffScreen() {
  const { entry } = useScreen();
  const side = useAskedSide();
  const { before: given, after } = entry.route.screen === 'diff' ? entry.route : {};
  if (given !== undefined && after !== undefined) return <TwoSidesComparison before={given} after={after} />;
  if (side.before === undefined) return <AskForSide side={side} />;
  return <Comparison config={side.before} onProblem={side.refuse} />;
}

interface TwoSidesProps {
  readonly before: string;
  readonly after: string;
}

/** Two sides that the command line names, of which neither is the project that is open. */
function TwoSidesComparison({ before: from, after: to }: TwoSidesProps) {
  const { exit } = useApp();
  const { before, after, problem, reload } = useTwoSides(from, to);
  useEffect(() => {
    if (problem !== undefined) exit(problem);
  });
  return <DiffView config={from} before={before} now={after} nowName={to} onReload={reload} />;
}

function AskForSide({ side: { field, onField, choose, problem } }: { readonly side: AskedSide }) {
  const { back } = useScreen();
  const { columns } = useBodySize();
  return (
    <ScreenFrame screen="diff">
      <LineView line={[{ text: ' Compare this project with a git ref, a file, an OpenAPI document or a server.' }]} />
      <PromptLine
        label="As it was in"
        state={field}
        onState={onField}
        onEnter={choose}
        onCancel={back}
        columns={columns}
        placeholder="HEAD"
        note={
          problem === undefined
            ? {
                text: 'A branch, tag or commit, a URL, or a file from the folder where capix was started; leave it empty for the last commit',
                isProblem: false,
              }
            : { text: problem, isProblem: true }
        }
      />
    </ScreenFrame>
  );
}

interface ComparisonProps {
  readonly config: string;
  /** Called where there is nothing of that name. */
  readonly onProblem: (reason: Error) => void;
}

function Comparison({ config, onProblem }: ComparisonProps) {
  const { source, problem } = useSideSource(config);
  useEffect(() => {
    if (problem !== undefined) onProblem(problem);
  });
  if (source?.kind === 'ref') return <RefComparison source={source} onProblem={onProblem} />;
  if (source?.kind === 'config') return <WatchedComparison config={config} onProblem={onProblem} />;
  if (source !== undefined) return <DocumentComparison source={source} onProblem={onProblem} />;
  return <DiffView config={config} before={initialProjectState} />;
}

function WatchedComparison({ config, onProblem }: ComparisonProps) {
  const { state, problem } = useWatchedSide(config);
  useEffect(() => {
    if (problem !== undefined) onProblem(problem);
  });
  return <DiffView config={config} before={state} />;
}

interface RefComparisonProps extends Pick<ComparisonProps, 'onProblem'> {
  readonly source: Parameters<typeof useRefSide>[0];
}

function RefComparison({ source, onProblem }: RefComparisonProps) {
  const { state, problem } = useRefSide(source);
  useEffect(() => {
    if (problem !== undefined) onProblem(problem);
  });
  return <DiffView config={source.label} before={state} />;
}

interface DocumentComparisonProps extends Pick<ComparisonProps, 'onProblem'> {
  readonly source: DocumentSource;
}

function DocumentComparison({ source, onProblem }: DocumentComparisonProps) {
  const side = useDocumentSide(source);
  const { isDocument, state, problem, reload } = side;
  useEffect(() => {
    if (problem !== undefined) onProblem(problem);
  });
  if (isDocument) return <DescribedComparison label={source.label} side={side} onProblem={onProblem} />;
  return <DiffView config={source.label} before={state} onReload={reload} />;
}

interface DescribedComparisonProps extends Pick<ComparisonProps, 'onProblem'> {
  readonly label: string;
  readonly side: DocumentSide;
}

/** A document knows less than a project does: it is compared with the document of the project. */
function DescribedComparison({ label, side, onProblem }: DescribedComparisonProps) {
  const { before, after, problem } = useDescribedProject(side.state);
  useEffect(() => {
    if (problem !== undefined) onProblem(problem);
  });
  return <DiffView config={label} before={before} now={after} onReload={side.reload} />;
}
