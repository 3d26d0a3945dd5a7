import { useEffect, useEffectEvent, useMemo } from 'react';
import { type FormState, toFilledForm, toFormInput, toFormRows } from '../kit/form/form-state.ts';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import { toCapabilityCurl } from '../record/capability-curl.ts';
import { useScreen } from '../screens/use-screen.ts';
import { type FormField, toFormFields } from '../shape/form-fields.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { toCallInput } from './run/call-input.ts';
import { recallHeaders, rememberHeaders } from './run/remember-headers.ts';
import {
  findHeaderProblems,
  headerPrefix,
  toHeaderFields,
  toRequestHeaders,
  withHeaders,
} from './run/request-headers.ts';
import { useCall } from './use-call.ts';

export interface CallFormOptions {
  readonly capability: ManifestCapability;
  readonly manifest: Manifest;
}

type CallAction = 'send' | 'pane' | 'target' | 'json' | 'curl' | 'history' | 'clear';

const bindings: readonly KeyBinding<CallAction>[] = [
  { action: 'send', keys: ['enter', 'ctrl+s'], help: 'Call it', hint: 'send' },
  { action: 'pane', keys: ['tab', 'shift+tab'], help: 'Between form and answer', hint: 'pane' },
  { action: 'target', keys: ['ctrl+t'], help: 'In this process, or on the running server', hint: 'target' },
  { action: 'history', keys: ['ctrl+r'], help: 'The last calls', hint: 'history' },
  { action: 'curl', keys: ['ctrl+y'], help: 'Copy the call as curl', hint: 'curl' },
  { action: 'json', keys: ['ctrl+o'], help: 'Copy the input as JSON' },
  { action: 'clear', keys: ['ctrl+l'], help: 'Clear the form, but keep the headers' },
];

const cancelBindings: readonly KeyBinding<'cancel'>[] = [
  { action: 'cancel', keys: ['esc'], help: 'Cancel the call', hint: 'cancel' },
];

/** An input that is not an object has one field, typed as JSON. */
const wholeInput: readonly FormField[] = [
  { name: '', kind: { kind: 'json' }, type: 'JSON', isRequired: false, note: '' },
];

/** What the screen of a call keeps, and what its keys do to it. */
export function useCallForm({ capability, manifest }: CallFormOptions) {
  const { terminal, copy } = useScreen();
  const [pane, setPane] = useKept<'form' | 'answer' | 'history'>('pane', 'form');
  const [isOnServer, setIsOnServer] = useKept('isOnServer', false);
  const { fields, headerFields, form, setForm, fill } = useForm(capability);
  const baseUrl = `http://localhost:${Number(terminal.environment['PORT']) || 3000}`;
  const filled = fields === wholeInput ? toFormInput(fields, form)[''] : toFormInput(fields, form);
  const input = toCallInput(fields, filled, terminal.workingDirectory());
  const headers = toRequestHeaders(headerFields, form);
  const call = useCall({ capability, manifest, filled, input, headers, baseUrl: isOnServer ? baseUrl : undefined });
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
      else if (action === 'clear') fill(undefined);
      else if (action === 'json') copy(JSON.stringify(filled, undefined, 2), 'the input');
      else
        copy(
          toCapabilityCurl(capability, { baseUrl, input: input.json, files: input.files, headers }),
          'the call as curl',
        );
    },
  });
  useKeys({
    title: 'Call',
    bindings: cancelBindings,
    priority: keyPriority.field + 2,
    isActive: call.state.kind === 'running',
    onAction: call.cancel,
  });
  return {
    inputRows: toFormRows(fields, form),
    headerRows: toFormRows(headerFields, form, headerPrefix),
    form,
    setForm,
    fill,
    pane,
    setPane,
    target: isOnServer ? baseUrl : 'in this process',
    call,
    problems: new Map([...call.problems, ...findHeaderProblems(form)]),
  };
}

/** The input, and the headers that were filled in for any call before. */
function useForm(capability: ManifestCapability) {
  const { terminal, entry } = useScreen();
  const fields = useMemo(() => toFields(capability), [capability]);
  const headerFields = useMemo(() => toHeaderFields(capability), [capability]);
  const toForm = (input: unknown): FormState =>
    withHeaders(
      headerFields,
      toFilledForm(fields, fields === wholeInput ? { '': input } : input),
      recallHeaders(terminal),
    );
  const [form, setForm] = useKept('form', () => toForm(parseStart(entry.route)));
  // Who comes back may have changed the headers elsewhere.
  const refresh = useEffectEvent(() => setForm(withHeaders(headerFields, form, recallHeaders(terminal))));
  useEffect(() => refresh(), []);
  return {
    fields,
    headerFields,
    form,
    setForm: (next: FormState): void => {
      rememberHeaders(terminal, toRequestHeaders(headerFields, next));
      setForm(next);
    },
    /** Takes what an input says in place of what is filled in. */
    fill: (input: unknown): void => setForm(toForm(input)),
  };
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
  return input === undefined ? [] : (toFormFields(toShape(input.json)) ?? wholeInput);
}

function parseStart(route: { readonly screen: string; readonly input?: string | undefined }): unknown {
  try {
    return JSON.parse(route.input ?? '') as unknown;
  } catch {
    return undefined;
  }
}
