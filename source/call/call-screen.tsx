import { Box } from 'ink';
import { useMemo } from 'react';
import type { PastCall } from '../files/past-call.ts';
import { toFormBindings } from '../kit/actions.ts';
import { FormView } from '../kit/form/form-view.tsx';
import { keyPriority } from '../kit/key-stack.ts';
import { fitLine, type Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import type { Row } from '../kit/row.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { signs, toMethodToken, toStatusToken } from '../kit/theme.ts';
import { useKeys } from '../kit/use-keys.ts';
import { useRows } from '../kit/use-rows.ts';
import { type Size, useBodySize } from '../kit/use-ui.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { toCapabilities } from '../manifest/listed.ts';
import { TwoPanes } from '../screens/master-detail.tsx';
import { Missing } from '../screens/missing.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { toClock } from '../screens/shell-status.ts';
import { useScreen } from '../screens/use-screen.ts';
import { AnswerView, QuestionPane } from './answer-view.tsx';
import { toTargetText, toTargetToken } from './run/call-target.ts';
import type { SavedCall } from './saved/read-saved-calls.ts';
import { type CallFormOptions, type CallFormUse, useCallForm } from './use-call-form.ts';
import { useKnownServers } from './use-target.ts';

/** `capix call`: fill in the input, call, read the answer. */
export default function CallScreen() {
  const { entry, project } = useScreen();
  const key = 'key' in entry.route ? entry.route.key : '';
  return (
    <ScreenFrame screen={['call', key]} isForm>
      {project.manifest === undefined ? <LoadingLine /> : <CallBody capabilityKey={key} manifest={project.manifest} />}
    </ScreenFrame>
  );
}

function CallBody({ capabilityKey, manifest }: Pick<CallFormOptions, 'manifest'> & { readonly capabilityKey: string }) {
  const servers = useKnownServers(manifest.project.root);
  if (toCapabilities(manifest).every(({ key }) => key !== capabilityKey))
    return <Missing capabilityKey={capabilityKey} manifest={manifest} />;
  if (servers === undefined) return <LoadingLine />;
  const capability = expectCapability(capabilityKey, toCapabilities(manifest));
  return <Call capability={capability} manifest={manifest} servers={servers} />;
}

/** The width from which on the answer stands beside the form, else below it. */
const WIDE = 100;

function Call(props: CallFormOptions) {
  const { columns, rows } = useBodySize();
  const { capability, manifest } = props;
  const use = useCallForm(props);
  const { formRows, pane, call } = use;
  if (pane === 'history') return <PastCalls capabilityKey={capability.key} use={use} />;
  const answerShare = call.question ? 0.7 : call.state.kind === 'none' ? 0.15 : pane === 'form' ? 0.5 : 0.7;
  return (
    <Box flexDirection="column">
      <LineView line={fitLine(useHeadLine(capability, use), columns)} />
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

function useHeadLine(
  { key, method, path }: CallFormOptions['capability'],
  { target, hasInput }: Pick<CallFormUse, 'target' | 'hasInput'>,
): Line {
  const { marks } = useScreen();
  return [
    { text: marks.has(key) ? signs.live : ' ', token: 'changed' },
    { text: method, token: toMethodToken(method) },
    { text: ` ${path}  ` },
    { text: toTargetText(target), token: toTargetToken(target) },
    { text: hasInput ? '' : '  It takes no input.', token: 'muted' },
  ];
}

function CallFormPane({ use, ...size }: Size & { readonly use: CallFormUse }) {
  const { state, formRows, change, complete, isTried, problems, pane, call } = use;
  return (
    <FormView
      {...size}
      formRows={formRows}
      state={state}
      onState={change}
      onComplete={complete}
      isTried={isTried}
      problems={problems}
      isFocused={pane === 'form' && call.question === undefined}
    />
  );
}

const pastBindings = toFormBindings(['go', 'back', 'history'], {
  go: { help: 'Fill the form with this call; of a saved one, after those that it needs', hint: 'fill in' },
  back: { help: 'Back to the form', hint: 'close' },
  history: { help: 'Back to the form', hint: undefined },
});

/** The saved and the last calls of a capability, to be made again; the saved ones first. */
function PastCalls({ capabilityKey, use }: { readonly capabilityKey: string; readonly use: CallFormUse }) {
  const { columns, rows } = useBodySize();
  const { call, saved, fill, setPane } = use;
  const all = useMemo(
    () => [...saved.calls, ...call.history.filter(({ key }) => key === capabilityKey)].map(toCallRow),
    [saved.calls, call.history, capabilityKey],
  );
  const list = useRows(all, 'history');
  useKeys({
    title: 'Last calls',
    bindings: pastBindings,
    priority: keyPriority.field,
    onAction: (action) => {
      const picked = list.selected?.call;
      if (action === 'go' && picked === undefined) return;
      if (action === 'go' && picked !== undefined) {
        if ('name' in picked) saved.pick(picked);
        else fill({ input: picked.input });
      }
      setPane('form');
    },
  });
  return <RowsView list={list} columns={columns} rows={rows} title="Last calls" empty="It was not called yet." />;
}

interface CallRow extends Row {
  readonly call: PastCall | SavedCall;
}

function toCallRow(call: PastCall | SavedCall): CallRow {
  const input = { text: JSON.stringify(call.input) ?? '' };
  if ('name' in call) return { id: `@${call.name}`, line: [{ text: `@${call.name}  `, token: 'accent' }, input], call };
  const line: Line = [
    { text: `${toClock(call.at)}  `, token: 'muted' },
    { text: `${call.status}  `, token: toStatusToken(call.status) },
    input,
  ];
  return { id: `${call.at} ${input.text}`, line, call };
}
