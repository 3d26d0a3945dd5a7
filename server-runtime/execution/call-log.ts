import type { CallLog, CallLogDetails } from '../capability/context.ts';
import { toTraceId } from '../capability/trace-parent.ts';

/** What each line of a call has. */
export interface CallFacts {
  readonly requestId: string;
  readonly capability?: string | undefined;
  /** The id of the trace that the caller has begun, or the tracer of the application. */
  readonly traceId?: string | undefined;
}

/** Makes a logger whose lines have these facts. */
export interface ParentLog {
  child(facts: CallFacts): CallLog;
}

interface LoggedCall extends Pick<CallFacts, 'requestId' | 'capability'> {
  readonly traceparent?: string | undefined;
}

/** The log of one call. It costs nothing until the first line, which may be before the capability is known. */
export class LogOfCall implements CallLog {
  readonly #parent: ParentLog;
  readonly #call: LoggedCall;
  #child: CallLog | undefined = undefined;
  #capability: string | undefined = undefined;
  #traceparent: string | undefined = undefined;

  constructor(parent: ParentLog, call: LoggedCall) {
    this.#parent = parent;
    this.#call = call;
  }

  debug(message: string, details?: CallLogDetails): void {
    this.#own().debug(message, toDetails(details));
  }
  info(message: string, details?: CallLogDetails): void {
    this.#own().info(message, toDetails(details));
  }
  warn(message: string, details?: CallLogDetails): void {
    this.#own().warn(message, toDetails(details));
  }
  error(message: string, details?: CallLogDetails): void {
    this.#own().error(message, toDetails(details));
  }

  /** The logger with what is known of the call by now. */
  #own(): CallLog {
    const { requestId, capability, traceparent } = this.#call;
    const isSame = capability === this.#capability && traceparent === this.#traceparent;
    if (this.#child !== undefined && isSame) return this.#child;
    this.#capability = capability;
    this.#traceparent = traceparent;
    this.#child = this.#parent.child({
      requestId,
      ...(capability !== undefined && { capability }),
      ...(traceparent !== undefined && { traceId: toTraceId(traceparent) }),
    });
    return this.#child;
  }
}

/** An error in place of fields is one of them. */
function toDetails(details: CallLogDetails | undefined): CallLogDetails | undefined {
  return details instanceof Error ? { error: details } : details;
}
