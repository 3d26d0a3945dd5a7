import { useCallback, useMemo } from 'react';
import type { PastCall } from '../files/past-call.ts';
import { FormView } from '../form/form-view.tsx';
import type { CallTarget, KnownServers } from '../invoke/call-target.ts';
import type { SavedCall } from '../invoke/saved/read-saved-calls.ts';
import { Keys } from '../kit/keys.tsx';
import { fitLine, type Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { emptyList } from '../kit/list-state.ts';
import type { Row } from '../kit/row.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { signs, toMethodToken, toStatusToken } from '../kit/theme.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize, useLatest } from '../kit/use-ui.ts';
import { type Manifest, toCapabilities } from '../manifest/manifest.ts';
import { TwoPanes } from '../screens/master-detail.tsx';
import { Missing } from '../screens/missing.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useNavigation, useProject, useServices } from '../screens/use-screen.ts';
import { canConnect } from '../system/can-connect.ts';
import { toClock } from '../values/duration.ts';
import { AnswerView, Question } from './answer-view.tsx';
import type { CallStore } from './call-store.ts';
import { findServers } from './target-choice.ts';
import { type CallFormOptions, type CallFormUse, useCallForm } from './use-call-form.ts';

/** `capix call`: fill in the input, call, read the answer. */
export default function CallScreen() {
  const { entry } = useNavigation();
  const { project } = useProject();
  const key = 'key' in entry.route ? entry.route.key : '';
  return (
    <ScreenFrame screen={['call', key]} isForm>
      {project.manifest === undefined ? (
        <LoadingLine />
      ) : (
        <CallBody capabilityKey={key} manifest={project.manifest} />
      )}
    </ScreenFrame>
  );
}

function CallBody({
  capabilityKey,
  manifest,
}: {
  readonly capabilityKey: string;
  readonly manifest: Manifest;
}) {
  const { root } = manifest.project;
  const { terminal } = useServices();
  const look = useCallback(() => findServers(root, terminal), [root, terminal]);
  const servers = useLatest<KnownServers | undefined>(look, undefined);
  const capability = toCapabilities(manifest).find(({ key }) => key === capabilityKey);
  if (capability === undefined)
    return <Missing capabilityKey={capabilityKey} manifest={manifest} />;
  return servers === undefined ? <LoadingLine /> : <Call {...{ capability, manifest, servers }} />;
}

/** The width from which on the answer stands beside the form, else below it. */
const WIDE = 100;

function Call(props: CallFormOptions) {
  const { columns, rows } = useBodySize();
  const { marks } = useProject();
  const { manifest, capability } = props;
  const { root } = manifest.project;
  const use = useCallForm(props);
  const { store, form, pane, runningMs } = use;
  const { state, target } = store;
  const { filled, inputRows } = store.typed;
  const { question, output: live } = store.live;
  if (pane === 'targets') return <TargetsView store={store} onClose={() => use.setPane('form')} />;
  if (pane === 'history') return <PastCalls capabilityKey={capability.key} use={use} />;
  if (question !== undefined)
    return <Question key={JSON.stringify(question.question)} question={question} />;
  const openShare = pane === 'form' ? 0.5 : 0.7;
  const answerShare = state.kind === 'none' ? 0.15 : openShare;
  const targetToken = target.url === undefined ? 'muted' : 'accent';
  const head: Line = [
    { text: marks.has(capability.key) ? signs.live : ' ', token: 'changed' },
    { text: capability.method, token: toMethodToken(capability.method) },
    { text: ` ${capability.path}  ` },
    {
      text: target.text,
      token: target.asksFirst ? 'warning' : targetToken,
    },
    { text: inputRows.length > 0 ? '' : '  It takes no input.', token: 'muted' },
  ];
  const { onKeep } = use;
  const { source } = capability.facts;
  const answer = { state, live, runningMs, filled, root, source, onKeep };
  return (
    <Keys isForm actions={use.actions}>
      <LineView line={fitLine(head, columns)} />
      <TwoPanes
        columns={columns}
        rows={rows - 1}
        wideFrom={WIDE}
        secondColumns={(all) => Math.floor(all / 2)}
        secondRows={(all) =>
          Math.max(2, all - form.formRows.length - 3, Math.floor(all * answerShare))
        }
        hasRule={false}
        first={(size) => <FormView {...size} {...form} isFocused={pane === 'form'} />}
        second={(size) => <AnswerView {...size} {...answer} isFocused={pane === 'answer'} />}
      />
    </Keys>
  );
}

/** The saved and the last calls of a capability, to be made again; the saved ones first. */
function PastCalls({
  capabilityKey,
  use,
}: {
  readonly capabilityKey: string;
  readonly use: CallFormUse;
}) {
  const { store, setPane } = use;
  const { saved, history } = store;
  const all = useMemo(
    () => [...saved, ...history.filter(({ key }) => key === capabilityKey)].map(toCallRow),
    [saved, history, capabilityKey],
  );
  const list = useRows(all, 'history');
  const close = (): void => setPane('form');
  const fillIn = (): void => {
    const picked = list.selected?.call;
    if (picked === undefined) return;
    if ('name' in picked) void store.pick(picked);
    else store.fill({ input: picked.input });
    close();
  };
  return (
    <RowsView
      {...useBodySize()}
      list={list}
      actions={{
        go: {
          help: 'Fill the form with this call; of a saved one, after those that it needs',
          hint: 'fill in',
          run: fillIn,
        },
        back: { help: 'Back to the form', hint: 'close', run: close },
        history: { help: 'Back to the form', hint: undefined, run: close },
      }}
      empty="It was not called yet."
    />
  );
}

interface CallRow extends Row {
  readonly call: PastCall | SavedCall;
}

function toCallRow(call: PastCall | SavedCall): CallRow {
  const input = { text: JSON.stringify(call.input) ?? '' };
  if ('name' in call)
    return {
      id: `@${call.name}`,
      line: [{ text: `@${call.name}  `, token: 'accent' }, input],
      call,
    };
  const line: Line = [
    { text: `${toClock(call.at)}  `, token: 'muted' },
    { text: `${call.status}  `, token: toStatusToken(call.status) },
    input,
  ];
  return { id: `${call.at} ${input.text}`, line, call };
}

interface TargetsViewProps {
  readonly store: CallStore;
  readonly onClose: () => void;
}

/** Where the call can go, with a dot for what answers now. The target behind that of the form is selected. */
function TargetsView({ store, onClose }: TargetsViewProps) {
  const { targets, target } = store;
  const load = useCallback(
    () => Promise.all(targets.map(async ({ url }) => url === undefined || canConnect(url))),
    [targets],
  );
  const answers = useLatest<readonly boolean[]>(load, []);
  const all = useMemo(
    () => targets.map((each, index) => toTargetRow(each, answers[index])),
    [targets, answers],
  );
  const at = targets.findIndex(({ id }) => id === target.id);
  const list = useRows(all, `targets after ${target.id}`, {
    ...emptyList,
    index: (at + 1) % Math.max(1, targets.length),
  });
  const toNext = (): void =>
    list.onState({ ...emptyList, index: (list.state.index + 1) % Math.max(1, targets.length) });
  const choose = (): void => {
    if (list.selected !== undefined) store.choose(list.selected.target);
    onClose();
  };
  return (
    <RowsView
      {...useBodySize()}
      list={list}
      actions={{
        go: { help: 'Call it there', hint: 'choose', run: choose },
        target: { help: 'Select the next one', hint: 'next', run: toNext },
        back: { help: 'Leave the target as it is', hint: 'close', run: onClose },
      }}
    />
  );
}

interface TargetRow extends Row {
  readonly target: CallTarget;
}

function toTargetRow(target: CallTarget, answers: boolean | undefined): TargetRow {
  const { id, text, asksFirst } = target;
  const sign = answers === false ? signs.cross : signs.live;
  const known = answers === undefined ? ' ' : sign;
  return {
    id,
    target,
    line: [
      { text: `${known} `, token: answers === false ? 'muted' : 'success' },
      { text },
      { text: answers === false ? '  nothing answers' : '', token: 'muted' },
      { text: asksFirst ? '  asks before it changes data' : '', token: 'warning' },
    ],
  };
}
