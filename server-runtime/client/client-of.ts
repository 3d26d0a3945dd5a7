import type { CAPABILITY } from '../capability/capability.ts';
import type { InputTo, OutputFrom } from '../capability/group-tree.ts';
import type { Mistake } from '../errors/mistake.ts';
import type { StreamedFile, UploadedFile } from '../input/uploaded-file.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { HeaderFields } from './create-client.ts';
import type { ErrorsOf, Result } from './result.ts';
import type { Sent } from './sent.ts';

/** The options of one call. */
export interface CallOptions {
  /** Ends the call when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Sent with this call, in place of those of the client. */
  readonly headers?: HeaderFields | undefined;
  /** Sent as `Idempotency-Key`: a capability with `withIdempotency` runs once for each key. @default none, or with `retry` a new one for each call */
  readonly idempotencyKey?: string | undefined;
}

/** The calls of these groups. A call is a property of its own group, so that the editor leads from it to the capability. */
export type ClientOf<Tree> = {
  readonly [Name in keyof Tree]: Name extends NotKey
    ? Mistake<`A client cannot reach '${Name}', which means something else there. Rename it.`>
    : typeof CAPABILITY extends keyof Tree[Name]
      ? CallOf<Tree[Name]>
      : ClientOf<Tree[Name]>;
};

/** Names that a client has a use of its own for, or that JavaScript has. */
export type NotKey = 'safe' | 'then' | 'toJSON' | 'toString' | 'valueOf' | 'constructor';

/** One operation. Throws `ApiError` where the API refuses; `.safe` gives it back instead. Both throw what fetch throws. */
// Function types and not call signatures: an editor would offer those as a second definition of each call.
export type CallOf<One> = ((...args: CallArguments<FilesAsBlobs<InputTo<One>>>) => Promise<Sent<OutputFrom<One>>>) & {
  /** Calls it, and gives the answer or the error. */
  readonly safe: (
    ...args: CallArguments<FilesAsBlobs<InputTo<One>>>
  ) => Promise<Result<Sent<OutputFrom<One>>, ErrorsOf<One>>>;
};

/** The arguments of a call; the input may be left out where `{}` is one. */
export type CallArguments<Input> = [Record<never, never>] extends [Input]
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

/** An input whose files are what a caller has of them. */
// The condition always holds: behind it, an editor shows the fields in place of this name.
export type FilesAsBlobs<Input> = Input extends unknown ? { [Field in keyof Input]: Sendable<Input[Field]> } : never;

/** A file, a list of files, or anything else as it is. */
export type Sendable<Value> = [Extract<Value, UploadedFile | StreamedFile | readonly UploadedFile[]>] extends [never]
  ? Value
  : Value extends UploadedFile | StreamedFile
    ? Blob
    : Value extends readonly UploadedFile[]
      ? readonly Blob[]
      : Value;

/** The groups of a server, or what is given, which are groups then. */
export type TreeOf<Api> = Api extends { readonly registry: CompiledRegistry<infer Tree> } ? Tree : Api;
