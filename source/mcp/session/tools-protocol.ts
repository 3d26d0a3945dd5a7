import type { OfferPrints } from '../../../server-runtime/mcp/offers/to-offers.ts';
import type { CliErrorOptions } from '../../cli/errors/cli-error.ts';
import type { BundledUserCode } from '../../load/bundle/bundle-user-code.ts';
import type { Project } from '../../manifest/project.ts';
import type { ToolsRequest } from '../../manifest/tools/tool-meter.ts';
import type { Variables } from '../../system/read-variables.ts';

/** Between the process that speaks with the client and one that runs the project's code. The first question is `load`; then it may be sent messages. */
export interface ToolsProtocol {
  readonly order:
    | { readonly kind: 'message'; readonly text: string }
    /** Nothing more comes: it ends by itself when everything is answered. */
    | { readonly kind: 'end' };
  /** A message for the client. */
  readonly note: string;
  readonly questions: {
    readonly load: { readonly question: LoadTools; readonly progress: never; readonly answer: ToolsAnswer };
  };
}

export interface LoadTools {
  readonly project: Project;
  readonly bundle: BundledUserCode;
  /** Added to the environment. */
  readonly variables: Variables;
  readonly options: ToolsOptions;
  /** Signs what the client holds between a question to its user and the answer, which may come to the process after this one. */
  readonly secret: string;
  /** Whether it serves over HTTP, at a port that the system chooses, in place of messages. */
  readonly overHttp: boolean;
}

/** The words of the command line that say which tools are served, and to whom. */
export interface ToolsOptions extends ToolsRequest {
  readonly name: string;
  readonly apiVersion: string;
  /** `name: value` */
  readonly header: readonly string[];
  /** JSON. */
  readonly context?: string | undefined;
}

export type ToolsAnswer =
  /** `url` is empty where it speaks by messages. */
  | { readonly kind: 'loaded'; readonly offers: OfferPrints; readonly url: string }
  | { readonly kind: 'failed'; readonly error: Omit<CliErrorOptions, 'cause'> };
