import { unflatten } from 'devalue';
import type { CAPABILITY, Capability } from '../capability/capability.ts';
import type { ByteSource, DataIn } from '../capability/content.ts';
import type { DeclaredOf, InputTo } from '../capability/group-tree.ts';
import type { ServerSentEvent, Unreply } from '../capability/reply.ts';
import type { defaultErrors, ErrorFactory } from '../errors/define-error.ts';
import type { Mistake } from '../errors/mistake.ts';
import type { StreamedFile, UploadedFile } from '../input/uploaded-file.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { ApiError, Call, ClientOptions, ErrorFacts, SocketClientOptions } from './call.ts';
import { claimConnection, createCall } from './create-client-of.ts';

// oxlint-disable typescript/no-explicit-any -- these types look at one side, and only `any` admits the others

/**
 * Makes a client whose types are those of the capabilities, without generating anything: `Api` is the type of a server,
 * or of groups of capabilities. The server must take calls by key: `restTransport({calls: true})`, or
 * `webSocketTransport()` for a client with a `transport`.
 */
export function createClient<Api extends object>(
  options: ClientOptions | SocketClientOptions,
): ClientOf<TreeOf<Api>> {
  claimConnection(options, true);
  return toNode(options, '') as never;
}

/** The names that a client uses itself, or that JavaScript reads of a value that is awaited or printed. */
const notKeys = ['safe', 'then', 'toJSON', 'toString', 'valueOf', 'constructor'] as const;

/** The value at a key: a group and a call in one, since only the types know which it is. */
function toNode(options: ClientOptions | SocketClientOptions, key: string): object {
  const route = ['POST', `/_call/${key}`, { isByKey: true }] as const;
  const inside = Object.create(null) as Record<string, object>;
  return new Proxy(createCall(key, { options, route, dataField: 'data', revive: parseValue }), {
    get: (call, name) => {
      if (typeof name === 'symbol' || (notKeys as readonly string[]).includes(name))
        return Reflect.get(call, name) as unknown;
      inside[name] ??= toNode(options, key === '' ? name : `${key}.${name}`);
      return inside[name];
    },
  });
}

/** The value that the JSON of a response stands for. A response of something else than the server stays as it is. */
function parseValue(json: unknown): unknown {
  // Devalue writes a negative number for `undefined` and `NaN`.
  return Array.isArray(json) || Number(json) < 0
    ? (unflatten(json as unknown[] | number) ?? null)
    : json;
}

/** The calls of these groups. A call is a property of its group, so that the editor leads to the capability. */
export type ClientOf<Tree> = {
  readonly [Name in keyof Tree]: Name extends (typeof notKeys)[number]
    ? Mistake<`A client cannot reach '${Name}', which means something else there. Rename it.`>
    : typeof CAPABILITY extends keyof Tree[Name]
      ? CallOf<Tree[Name]>
      : ClientOf<Tree[Name]>;
};

export type CallOf<One> = Call<FilesAsBlobs<InputTo<One>>, DataOf<One>, ErrorsOf<One>>;

/** The data that a caller gets of a capability, by status; of any where it declares no answer. */
export type DataOf<One> = [One] extends [Capability<any, infer Output, any, any, infer Declared>]
  ? [DataIn<Declared>] extends [never]
    ? { readonly [status: number]: Sent<Unreply<Output>> }
    : { readonly [Status in keyof DataIn<Declared>]: Sent<DataIn<Declared>[Status]> }
  : { readonly [status: number]: unknown };

/** The errors of a capability for its callers: of itself, its guards and its enhancers, and of the framework. */
export type ErrorsOf<One, Errors extends ErrorFactory = Extract<DeclaredOf<One>, ErrorFactory>> =
  | (Errors extends ErrorFactory<infer Name, infer Status, infer Meta>
      ? ApiError<
          Name,
          Sent<Exclude<Meta, undefined>> | (undefined extends Meta ? undefined : never),
          Status
        >
      : never)
  | {
      [Name in keyof typeof defaultErrors]: ApiError<
        Name,
        ErrorFacts,
        (typeof defaultErrors)[Name]['status']
      >;
    }[Exclude<keyof typeof defaultErrors, Errors['errorName']>];

/** The same input, in which a caller may give files in any form that it has. */
// The condition always holds: behind it, an editor shows the fields in place of this name.
export type FilesAsBlobs<Input> = Input extends unknown
  ? { [Field in keyof Input]: Sendable<Input[Field]> }
  : never;

export type Sendable<Value> = Value extends UploadedFile | StreamedFile
  ? Blob
  : Value extends readonly UploadedFile[]
    ? readonly Blob[]
    : Value;

export type TreeOf<Api> = Api extends { readonly registry: CompiledRegistry<infer Tree> }
  ? Tree
  : Api;

/** A value as a caller gets it: of nothing `null`, of bytes a `Blob`, of a whole `Response` anything. */
export type Sent<Value> = unknown extends Value
  ? unknown
  : [ByteSource] extends [Value]
    ? Blob
    : SentAlone<Value>;

/** The type of a whole value, and of an item of a stream: of `sse(…)` its data. */
export type SentAlone<Value> = Value extends void
  ? null
  : Value extends Bytes
    ? Blob
    : Value extends ServerSentEvent<infer Data>
      ? SentAlone<Data>
      : Value extends AsyncIterable<infer Item>
        ? AsyncIterable<SentAlone<Item>>
        : SentPart<Value>;

/** Bytes, and the streams of Node and of the web, whose items are bytes. */
export type Bytes = Uint8Array | { readonly pipe: unknown } | { readonly getReader: unknown };

/** The type of a field or an item for a caller. One that may be undefined may be missing. */
export type SentPart<Value> = unknown extends Value
  ? unknown
  : Value extends Date | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
    ? Value
    : Value extends { toJSON(): infer Json }
      ? SentPart<Json>
      : Value extends
            | AsyncIterable<unknown>
            | ArrayBuffer
            | ArrayBufferView
            | { readonly arrayBuffer: unknown }
        ? unknown
        : Value extends (...args: never) => unknown
          ? undefined
          : { [Field in keyof Value]: SentPart<Value[Field]> };
