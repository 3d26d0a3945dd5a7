import type { Elicited } from '../../../server-runtime/capability/middleware/caller-tools.ts';
import type { FieldProblem } from '../../../server-runtime/schema/validator.ts';
import type { LoadFailure } from '../../load/load-failure.ts';
import type { SourcePlace } from '../../manifest/places/find-source-place.ts';
import type { Project } from '../../manifest/project.ts';
import type { Variables } from '../../system/read-variables.ts';
import type { CallInput } from './call-input.ts';
import type { AskedQuestion } from './question-rounds.ts';
import type { RequestHeaders } from './request-headers.ts';

/** Between the screen and the process that runs the project's code. The first question is `load`. */
export interface CallProtocol {
  /** The answer of the user to the question of that number. */
  readonly order: { readonly id: number; readonly answer: Elicited };
  readonly note: never;
  readonly questions: {
    readonly load: { readonly question: LoadCode; readonly progress: never; readonly answer: LoadFailure | undefined };
    readonly validate: {
      readonly question: CallQuestion;
      readonly progress: never;
      readonly answer: readonly FieldProblem[];
    };
    /** It is refused where the capability is not called. */
    readonly call: {
      readonly question: CallQuestion & {
        readonly headers: RequestHeaders;
        /** Whether somebody is there to answer what the capability asks. */
        readonly canAsk: boolean;
      };
      readonly progress: AskedQuestion & { readonly id: number };
      readonly answer: CallResult;
    };
  };
}

export interface LoadCode {
  readonly project: Project;
  /** Added to the environment. */
  readonly variables: Variables;
}

export interface CallQuestion {
  readonly key: string;
  readonly input: CallInput;
}

/** The end of a call. */
export interface CallResult {
  /** The HTTP status. */
  readonly status: number;
  readonly durationMs: number;
  /** The answer that a caller over HTTP gets. */
  readonly body: unknown;
  /** The place in the source that threw what nobody foresaw, with the lines around it. */
  readonly frame?: string | undefined;
  /** The same place, for an editor. */
  readonly place?: SourcePlace | undefined;
  /** The value that it threw, which a caller is not told. */
  readonly thrown?: string | undefined;
  /** A hint at what would have made another answer likely. */
  readonly hint?: string | undefined;
  /** The facts that only an answer over HTTP has. */
  readonly http?: HttpAnswer | undefined;
}

export interface HttpAnswer {
  /** In their order; one name may come more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body as it came. */
  readonly text: string;
  /** The size of the body as it came. */
  readonly bytes: number;
  /** The time from the call until its connection was open: the name was looked up, TLS agreed on. */
  readonly connectMs: number;
  /** The time from then until the head of the answer was there. */
  readonly waitMs: number;
  /** The time from then until its end was there. */
  readonly readMs: number;
}
