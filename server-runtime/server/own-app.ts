import { type SendMessage, sendResult, toMessageData } from './answer-call.ts';
import type { Application } from './application.ts';
import { openCall } from './call.ts';
import type { CallsUnderWay, UnderWay } from './calls-under-way.ts';
import type { Guests } from './guests.ts';
import {
  type InvokedCall,
  type InvokeOptions,
  invokeOperation,
  toLowerNames,
} from './invoke-operation.ts';
import { ParentCall } from './parent-call.ts';
import type { App, TextCall, TransportCall } from './transport.ts';

interface OwnParts {
  /** The name of the transport. */
  readonly transport: string;
  readonly guests: Guests;
  /** The calls of the transport. */
  readonly underWay: CallsUnderWay;
}

/** The application as one transport sees it. Those of this package take the rest of it by `applicationOf`. */
export function createApp(application: Application, parts: OwnParts): App {
  const { transport, guests, underWay } = parts;

  function invoke({ parent, remoteAddress, ...sent }: TransportCall, more: InvokeOptions) {
    // It comes from outside, whatever its type says. None is refused.
    const capability = typeof sent.capability === 'string' ? sent.capability : '';
    const invocation = { ...sent, capability };
    // Only `begin` makes one.
    const own = parent as ParentCall | undefined;
    return invokeOperation(application, invocation, {
      ...more,
      transport,
      parent: own,
      remoteAddress: own === undefined ? remoteAddress : own.remoteAddress,
      owner: own === undefined ? underWay : own.children,
    });
  }

  async function answerCall(call: TransportCall, send: SendMessage): Promise<void> {
    // The call may have ended while its answer is still being sent.
    const sending: UnderWay = { cancel: () => {} };
    underWay.add(sending);
    let own: InvokedCall | undefined;
    const finish: InvokeOptions['finish'] = (value, running) => {
      own = running;
      return toMessageData(value, running.signal, running);
    };
    const result = await invoke(call, { finish });
    const isCancelled = (): boolean => own?.hasLeft === true;
    await sendResult(application, result, { send, signal: call.signal, isCancelled });
    underWay.delete(sending);
  }

  function answerText({ text, ...facts }: TextCall, send: SendMessage): Promise<void> {
    const { id, capability, input } = parseFields(text);
    const call = { ...facts, capability: capability as string, input };
    return answerCall(call, (message) => send({ id, ...message }));
  }

  const own: Pick<App, 'call' | 'answer' | 'begin' | 'drain'> = {
    call: (call) => invoke(call, {}),
    answer: (call, send) => ('text' in call ? answerText(call, send) : answerCall(call, send)),
    begin: ({ headers = {}, remoteAddress, signal } = {}) => {
      const parent = new ParentCall(application, {
        transport,
        headers: toLowerNames(headers),
        remoteAddress,
        signal,
        owner: underWay,
      });
      openCall(parent);
      return parent;
    },
    drain: ({ graceMs }) => underWay.drain(graceMs),
  };
  return { ...application, ...own, guests } as App;
}

/** The fields of a JSON object. A text that is none has no fields, so it names no capability and is refused. */
function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
