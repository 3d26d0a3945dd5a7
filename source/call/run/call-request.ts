import type { FieldProblem } from '../../../server-runtime/schema/validator.ts';
import type { LoadFailure } from '../../load/load-failure.ts';
import type { Project } from '../../manifest/project.ts';
import type { Variables } from '../../system/read-variables.ts';
import type { CallInput } from './call-input.ts';
import type { RequestHeaders } from './request-headers.ts';

/** To the process that runs the project's code. The first one is `load`. */
export type CallRequest =
  | { readonly kind: 'load'; readonly project: Project; readonly variables: Variables }
  | { readonly kind: 'validate'; readonly id: number; readonly key: string; readonly input: CallInput }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly key: string;
      readonly input: CallInput;
      readonly headers: RequestHeaders;
    };

/** From it. */
export type CallAnswer =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'failed'; readonly failure: LoadFailure }
  | { readonly kind: 'validated'; readonly id: number; readonly fields: readonly FieldProblem[] }
  | { readonly kind: 'answered'; readonly id: number; readonly result: CallResult }
  /** The capability was not called. */
  | { readonly kind: 'refused'; readonly id: number; readonly message: string };

/** How a call ended. */
export interface CallResult {
  /** The HTTP status. */
  readonly status: number;
  readonly durationMs: number;
  /** What a caller over HTTP gets. */
  readonly body: unknown;
  /** The place in the source that threw what nobody foresaw, with the lines around it. */
  readonly frame?: string | undefined;
  /** What it threw, which a caller is not told. */
  readonly thrown?: string | undefined;
  /** What would have made another answer likely. */
  readonly hint?: string | undefined;
}
