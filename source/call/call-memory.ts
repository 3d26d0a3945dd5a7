import { addStep, type FormHistory, toFormHistory } from '../form/form-state.ts';
import type { CallSession } from '../invoke/call-session.ts';
import type { RequestHeaders } from '../invoke/perform-call.ts';
import { type CallField, toCallForm } from '../invoke/request-headers.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { StartedCall } from './typed-call.ts';

/** What calls leave for the next one until the application ends, in whichever screen: it is written nowhere. */
export class CallMemory {
  target: string | undefined;
  /** The headers that were filled in last, which each call begins with. */
  lastHeaders: RequestHeaders = {};
  /** The forms of capabilities, now and before, by key. */
  readonly forms = new Map<string, FormHistory>();
  #known: { readonly manifest: Manifest; readonly session: CallSession } | undefined;

  /** The form of a capability as it was left, with what the command line or another screen has filled in. */
  formOf(key: string, field: CallField, start: StartedCall): FormHistory {
    const headers = start.headers ?? this.lastHeaders;
    const known = this.forms.get(key);
    const started = toCallForm(field, { input: start.input, headers });
    if (known === undefined) return toFormHistory(started);
    if (start.input !== undefined) return addStep(known, started);
    // The headers may have been changed for another capability.
    return { ...known, present: toCallForm(field, { draft: known.present, headers }) };
  }

  /** One process for all calls: what a call has created in memory, the next one finds. Other code has another one. */
  sessionOf(manifest: Manifest, open: () => CallSession): CallSession {
    if (this.#known?.manifest !== manifest) {
      this.#known?.session.end();
      this.#known = { manifest, session: open() };
    }
    return this.#known.session;
  }
}

export function createCallMemory(): CallMemory {
  return new CallMemory();
}
