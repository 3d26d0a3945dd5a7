import { Box } from 'ink';
import type { PastCall } from '../files/past-call.ts';
import { FormView } from '../kit/form/form-view.tsx';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { signs, toMethodToken } from '../kit/theme/tokens.ts';
import { type Size, useBodySize } from '../kit/theme/use-ui.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { type Listed, toCapabilities } from '../manifest/listed.ts';
import { Missing } from '../screens/missing.tsx';
import { LoadingLine } from '../screens/shell/loading-line.tsx';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { TwoPanes } from '../screens/two-panes.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { AnswerView } from './answer/answer-view.tsx';
import { PastCalls } from './past-calls.tsx';
import { QuestionPane } from './question-pane.tsx';
import { type CallTarget, toTargetText, toTargetToken } from './target/call-target.ts';
import { useKnownServers } from './target/use-target.ts';
import { type CallFormOptions, type CallFormUse, useCallForm } from './use-call-form.ts';

/** `capix call`: fill in the input, call, read the answer. */
export default function CallScreen() {
  const { entry } = useScreen();
  const key = 'key' in entry.route ? entry.route.key : '';
  return (
    <ScreenFrame screen={['call', key]} isForm>
      <CallBody capabilityKey={key} />
    </ScreenFrame>
  );
}

function CallBody({ capabilityKey }: { readonly capabilityKey: string }) {
  const { manifest } = useScreen().project;
  if (manifest === undefined) return <LoadingLine />;
  if (toCapabilities(manifest).every(({ key }) => key !== capabilityKey))
    return <Missing capabilityKey={capabilityKey} manifest={manifest} />;
  return <CallOf capability={expectCapability(capabilityKey, toCapabilities(manifest))} manifest={manifest} />;
}

function CallOf(props: Omit<CallFormOptions, 'servers'>) {
  const servers = useKnownServers(props.manifest.project.root);
  return servers === undefined ? <LoadingLine /> : <Call {...props} servers={servers} />;
}

/** The width from which on the answer stands beside the form, else below it. */
const WIDE = 100;

function Call(props: CallFormOptions) {
  const { columns, rows } = useBodySize();
  const { capability, manifest } = props;
  const use = useCallForm(props);
  const { saved, hasInput, formRows, pane, setPane, target, call } = use;
  if (pane === 'history')
    return <CallHistory calls={call.history} capability={capability} {...use} setPane={setPane} />;
  const answerShare = call.question ? 0.7 : call.state.kind === 'none' ? 0.15 : pane === 'form' ? 0.5 : 0.7;
  return (
    <Box flexDirection="column">
      <Head capability={capability} target={target} hasInput={hasInput} columns={columns} />
      <TwoPanes
        columns={columns}
        rows={rows - 1}
        wideFrom={WIDE}
        secondColumns={(all) => Math.floor(all / 2)}
        secondRows={(all) => Math.max(2, all - formRows.length - 3, Math.floor(all * answerShare))}
        hasRule={false}
        first={(size) => <CallFormPane {...size} use={use} />}
        second={(size) =>
          call.question ? (
            <QuestionPane key={call.question.number} {...size} question={call.question} />
          ) : (
            <AnswerView
              {...size}
              state={call.state}
              live={call.live}
              judged={saved.judged}
              filled={use.filled}
              project={manifest.project}
              source={capability.facts.source}
              isFocused={pane === 'answer'}
            />
          )
        }
      />
    </Box>
  );
}

function CallFormPane({ use, ...size }: Size & { readonly use: CallFormUse }) {
  const { form, formRows, change, complete, isTried, problems, pane, call } = use;
  return (
    <FormView
      {...size}
      formRows={formRows}
      state={form.state}
      onState={change}
      onComplete={complete}
      isTried={isTried}
      problems={problems}
      isFocused={pane === 'form' && call.question === undefined}
    />
  );
}

interface CallHistoryProps extends Pick<CallFormUse, 'fill' | 'saved' | 'setPane'> {
  readonly calls: readonly PastCall[];
  readonly capability: Listed;
}

function CallHistory({ calls, capability, saved, fill, setPane }: CallHistoryProps) {
  return (
    <PastCalls
      calls={calls.filter(({ key }) => key === capability.key)}
      onClose={() => setPane('form')}
      saved={saved.calls}
      onPickSaved={(call) => {
        saved.pick(call);
        setPane('form');
      }}
      onPick={({ input }) => {
        fill({ input });
        saved.forget();
        setPane('form');
      }}
    />
  );
}

interface HeadProps {
  readonly capability: Listed;
  readonly target: CallTarget;
  readonly hasInput: boolean;
  readonly columns: number;
}

function Head({ capability, target, hasInput, columns }: HeadProps) {
  const { marks } = useScreen();
  const { key, method, path } = capability;
  const line: Line = [
    { text: marks.has(key) ? signs.live : ' ', token: 'changed' },
    { text: method, token: toMethodToken(method) },
    { text: ` ${path}  ` },
    { text: toTargetText(target), token: toTargetToken(target) },
    { text: hasInput ? '' : '  It takes no input.', token: 'muted' },
  ];
  return <LineView line={fitLine(line, columns)} />;
}
