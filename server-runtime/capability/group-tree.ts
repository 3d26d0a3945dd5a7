// oxlint-disable typescript/no-explicit-any -- these types look at one side, and only `any` admits the others
import type {
  ANSWER,
  AnyCapability,
  CAPABILITY,
  Capability,
  DECLARED,
  MadeBy,
  RawInput,
} from './capability.ts';
import type { DataIn } from './content.ts';
import type { Reply } from './reply.ts';

/** Groups of capabilities, nested to any depth: `{users: {getUser}}`. A module namespace is a group. */
export interface GroupTree {
  /** A capability or a group. */
  readonly [name: string]: AnyCapability | GroupTree;
}

/** The keys of all capabilities: `'users.getUser'`; `string` where the groups are not known to the compiler. */
export type KeyOf<Tree> = string extends keyof Tree
  ? string
  : {
      [Name in keyof Tree & string]: typeof CAPABILITY extends keyof Tree[Name]
        ? Name
        : `${Name}.${KeyOf<Tree[Name]>}`;
    }[keyof Tree & string];

/** The capability of a key; one that answers with anything where the groups are not known to the compiler. */
export type CapabilityAt<Tree, Key extends string> = string extends keyof Tree
  ? Capability<any, unknown, any, any, any>
  : Key extends keyof Tree
    ? Tree[Key]
    : Key extends `${infer Group extends keyof Tree & string}.${infer Rest}`
      ? CapabilityAt<Tree[Group], Rest>
      : never;

/** The input that a caller sends to a capability: `InputTo<typeof getUser>`. */
export type InputTo<One> = [One] extends [Capability<infer S, any, any, any, any>]
  ? RawInput<S>
  : unknown;

/** The data that a caller gets of a capability: `OutputFrom<typeof getUser>`. */
export type OutputFrom<One> = [One] extends [
  Capability<any, infer Output, any, any, infer Declared>,
]
  ? MadeBy<Output, Declared>
  : unknown;

/** The capabilities of groups; none where the groups are not known to the compiler. */
export type CapabilitiesIn<Tree> = string extends keyof Tree
  ? never
  : {
      [Name in keyof Tree]: Tree[Name] extends AnyCapability
        ? Tree[Name]
        : CapabilitiesIn<Tree[Name]>;
    }[keyof Tree];

/** The context that a server of these groups must have: of all their capabilities together. */
export type NeedsOf<Tree> = [CapabilitiesIn<Tree>] extends [
  Capability<any, any, any, infer Needs, any>,
]
  ? Needs
  : unknown;

/** The errors that capabilities declare, and the keys of those that replace them. */
export type DeclaredOf<One> = One[typeof DECLARED & keyof One];

/** The statuses of which handlers reply, and of which no answer is declared beside those that are. */
export type UndeclaredOf<One> = One extends {
  readonly [ANSWER]: infer Output;
  readonly [DECLARED]: infer Declared;
}
  ? Output extends Reply<unknown, infer Status extends number>
    ? Exclude<[DataIn<Declared>] extends [never] ? never : Status, keyof DataIn<Declared>>
    : never
  : never;

/** A link from answers to a capability: what it reads of an answer, and the input that it makes of that. */
export interface LinkEnds<
  out Key extends string = string,
  out Reads = (value: never) => void,
  out Sends = unknown,
> {
  readonly calls: Key;
  readonly reads: Reads;
  readonly sends: Sends;
}

/** The links that groups can have: from any object in an answer of theirs, to any capability. */
export type LinksIn<Tree> = string extends keyof Tree
  ? any
  : {
      [Key in KeyOf<Tree>]: LinkEnds<
        Key,
        ReaderOf<ObjectsIn<AnswersOf<CapabilitiesIn<Tree>>>>,
        InputTo<CapabilityAt<Tree, Key>>
      >;
    }[KeyOf<Tree>];

/**
 * The same as a member, which the compiler looks at only where a transport has links: to find them, it goes through the
 * answers of all capabilities.
 */
export interface LinkTargets<Tree> {
  readonly links: LinksIn<Tree>;
}

type AnswersOf<One> = One extends unknown ? OutputFrom<One> : never;
type ReaderOf<Value> = Value extends unknown ? (value: Value) => void : never;

/** The objects in a value, at most five levels deep. */
type ObjectsIn<Value, Level extends readonly unknown[] = []> = Level['length'] extends 5
  ? never
  : Value extends readonly (infer Item)[] | AsyncIterable<infer Item>
    ? ObjectsIn<Item, [...Level, 0]>
    : Value extends object
      ? Value | { [Name in keyof Value]: ObjectsIn<Value[Name], [...Level, 0]> }[keyof Value]
      : never;
