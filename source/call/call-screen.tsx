import { Box } from 'ink';
import { useEffect, useMemo } from 'react';
import { toCurl } from '../project/curl-text.ts';
import { findCapability } from '../project/find-capability.ts';
import type { Manifest, ManifestCapability } from '../project/manifest.ts';
import { type FormField, toFormFields } from '../ui/form-schema.ts';
import { emptyForm, toFilledForm, toFormInput, toFormRows } from '../ui/form-state.ts';
import { FormView } from '../ui/form-view.tsx';
import { keyPriority } from '../ui/key-stack.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { fitLine, type Line } from '../ui/line-segments.ts';
import { LineView } from '../ui/line-view.tsx';
import { findSelected } from '../ui/list-state.ts';
import { LoadingLine } from '../ui/loading-line.tsx';
import { Missing } from '../ui/missing.tsx';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { toMethodToken } from '../ui/theme.ts';
import { newTree, toTreeRows } from '../ui/tree-state.ts';
import { TreeView } from '../ui/tree-view.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { useBodySize, useUi } from '../ui/use-ui.ts';
import { toAnswerHead, toAnswerTree } from './answer-tree.ts';
import { PastCalls } from './past-calls.tsx';
import { useCall } from './use-call.ts';

type CallAction = 'send' | 'pane' | 'target' | 'json' | 'curl' | 'history' | 'clear';

const bindings: readonly KeyBinding<CallAction>[] = [
  { action: 'send', keys: ['enter', 'ctrl+s'], help: 'Call it', hint: 'send' },
  { action: 'pane', keys: ['tab', 'shift+tab'], help: 'Between form and answer', hint: 'pane' },
  { action: 'target', keys: ['ctrl+t'], help: 'In this process, or on the running server', hint: 'target' },
  { action: 'history', keys: ['ctrl+r'], help: 'The last calls', hint: 'history' },
  { action: 'curl', keys: ['ctrl+y'], help: 'Copy the call as curl', hint: 'curl' },
  { action: 'json', keys: ['ctrl+o'], help: 'Copy the input as JSON' },
  { action: 'clear', keys: ['ctrl+l'], help: 'Empty the form' },
];

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
  const { manifest, isOutline } = useScreen().project;
  if (manifest === undefined || isOutline) return <LoadingLine />;
  if (manifest.capabilities.every(({ key }) => key !== capabilityKey))
    return <Missing capabilityKey={capabilityKey} manifest={manifest} />;
  return <Call capability={findCapability(capabilityKey, manifest.capabilities)} manifest={manifest} />;
}

/** An input that is no object has one field, typed as JSON. */
const wholeInput: readonly FormField[] = [
  { name: '', kind: { kind: 'json' }, type: 'JSON', isRequired: false, note: '' },
];

interface CallProps {
  readonly capability: ManifestCapability;
  readonly manifest: Manifest;
}

function Call(props: CallProps) {
  const { columns, rows } = useBodySize();
  const { capability } = props;
  const { fields, form, setForm, pane, setPane, target, call } = useCallForm(props);
  if (pane === 'history') {
    return (
      <PastCalls
        calls={call.history.filter(({ key }) => key === capability.key)}
        onClose={() => setPane('form')}
        onPick={({ input }) => {
          setForm(toFilledForm(fields, fields === wholeInput ? { '': input } : input));
          setPane('form');
        }}
      />
    );
  }
  const formRows = toFormRows(fields, form);
  const isWide = columns >= WIDE;
  const width = isWide ? Math.floor(columns / 2) : columns;
  const height = isWide ? rows - 1 : Math.min(Math.max(1, formRows.length), Math.floor((rows - 2) / 2));
  return (
    <Box flexDirection="column">
      <Head capability={capability} target={target} columns={columns} />
      <Box flexDirection={isWide ? 'row' : 'column'}>
        <FormView
          formRows={formRows}
          state={form}
          onState={setForm}
          problems={call.problems}
          columns={width}
          rows={height}
          isFocused={pane === 'form'}
          empty="It takes no input."
        />
        <Answer
          state={call.state}
          columns={isWide ? columns - width : columns}
          rows={isWide ? rows - 1 : rows - 1 - height}
          isFocused={pane === 'answer'}
        />
      </Box>
    </Box>
  );
}

/** From this width on the answer stands beside the form, else below it. */
const WIDE = 100;

/** What the screen keeps, and what its keys do to it. */
function useCallForm({ capability, manifest }: CallProps) {
  const { terminal, entry, copy } = useScreen();
  const fields = useMemo(() => toFields(capability), [capability]);
  const [form, setForm] = useKept('form', () => toFilledForm(fields, readStart(entry.route)));
  const [pane, setPane] = useKept<'form' | 'answer' | 'history'>('pane', 'form');
  const [isOnServer, setIsOnServer] = useKept('isOnServer', false);
  const baseUrl = `http://localhost:${Number(terminal.environment['PORT']) || 3000}`;
  const filled = toFormInput(fields, form);
  const input = fields === wholeInput ? filled[''] : filled;
  const call = useCall({ capability, manifest, input, baseUrl: isOnServer ? baseUrl : undefined });
  useSendAtStart(call.send);
  useKeys<CallAction>({
    title: 'Call',
    bindings,
    priority: keyPriority.field + 1,
    isActive: pane !== 'history',
    onAction: (action) => {
      if (action === 'send') call.send();
      else if (action === 'pane') setPane(pane === 'form' ? 'answer' : 'form');
      else if (action === 'target') setIsOnServer(!isOnServer);
      else if (action === 'history') setPane('history');
      else if (action === 'clear') setForm(emptyForm);
      else if (action === 'json') copy(JSON.stringify(input, undefined, 2), 'the input');
      else copy(toCurl(capability, { baseUrl, input }), 'as curl');
    },
  });
  return { fields, form, setForm, pane, setPane, target: isOnServer ? baseUrl : 'in this process', call };
}

/** Who gave the input on the command line has asked for the call. */
function useSendAtStart(send: () => void): void {
  const { entry } = useScreen();
  const [isSent, setIsSent] = useKept('isSent', false);
  useEffect(() => {
    // A past call, that a screen leads to, is only filled in.
    if (isSent || entry.id > 0 || !('input' in entry.route) || entry.route.input === undefined) return;
    setIsSent(true);
    send();
  });
}

function toFields({ input }: ManifestCapability): readonly FormField[] {
  return toFormFields(input?.json) ?? (input === undefined ? [] : wholeInput);
}

function readStart(route: { readonly screen: string; readonly input?: string | undefined }): unknown {
  try {
    return JSON.parse(route.input ?? '{}') as unknown;
  } catch {
    return {};
  }
}

function Head({
  capability,
  target,
  columns,
}: {
  readonly capability: ManifestCapability;
  readonly target: string;
  readonly columns: number;
}) {
  const { symbols } = useUi();
  const { method, path } = capability;
  const line: Line = [
    { text: ' ' },
    { text: method, token: toMethodToken(method) },
    { text: ` ${path}  ` },
    { text: target, token: 'muted' },
  ];
  return <LineView line={fitLine(line, columns, symbols.ellipsis)} />;
}

interface AnswerProps {
  readonly state: ReturnType<typeof useCall>['state'];
  readonly columns: number;
  readonly rows: number;
  readonly isFocused: boolean;
}

const answerBindings: readonly KeyBinding<'copy' | 'copyAll'>[] = [
  { action: 'copy', keys: ['y'], help: 'Copy what is selected, as JSON', hint: 'copy' },
  { action: 'copyAll', keys: ['Y'], help: 'Copy the whole answer' },
];

function Answer({ state, columns, rows, isFocused }: AnswerProps) {
  const { copy } = useScreen();
  const { symbols } = useUi();
  const [tree, setTree] = useKept('answer', newTree);
  const nodes = useMemo(() => toAnswerTree(state), [state]);
  useKeys({
    title: 'Answer',
    bindings: answerBindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && state.kind === 'answered',
    onAction: (action) => {
      const selected = findSelected(toTreeRows(nodes, tree.toggled), tree.list, ({ node }) => node.id);
      const text = action === 'copyAll' ? nodes[0]?.copied : selected?.node.copied;
      if (text !== undefined) copy(text, 'the answer');
    },
  });
  const rule = `${symbols.line.repeat(2)} `;
  const head: Line = [
    { text: rule, token: 'muted' },
    ...toAnswerHead(state),
    { text: ` ${symbols.line.repeat(columns)}`, token: 'muted' },
  ];
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <LineView line={fitLine(head, columns, symbols.line)} />
      <TreeView
        nodes={nodes}
        state={tree}
        onState={setTree}
        columns={columns}
        rows={rows - 1}
        title="Answer"
        isFocused={isFocused}
        empty=""
      />
    </Box>
  );
}
