// oxlint-disable typescript/no-explicit-any -- these types look at one side, and only `any` admits the others
import type { AnyCapability, CAPABILITY, Capability, MadeBy, RawInput } from './capability.ts';

/** Groups of capabilities, nested to any depth: `{users: {getUser}}`. A module namespace is a group. */
export interface GroupTree {
  /** A capability or a group. */
  readonly [name: string]: AnyCapability | GroupTree;
}

/** The keys of all capabilities: `'users.getUser'`; `string` where the groups are not known to the compiler. */
export type KeyOf<Tree> = string extends keyof Tree
  ? string
  : {
      [Name in keyof Tree & string]: typeof CAPABILITY extends keyof Tree[Name] ? Name : `${Name}.${KeyOf<Tree[Name]>}`;
    }[keyof Tree & string];

/** The capability of a key; one that answers with anything where the groups are not known to the compiler. */
export type CapabilityAt<Tree, Key extends string> = string extends keyof Tree
  ? Capability<any, unknown, any, any, any>
  : Key extends keyof Tree
    ? Tree[Key]
    : Key extends `${infer Group}.${infer Rest}`
      ? Group extends keyof Tree
        ? CapabilityAt<Tree[Group], Rest>
        : never
      : never;

/** The input that a caller sends to a capability: `InputTo<typeof getUser>`. */
export type InputTo<One> = [One] extends [Capability<infer S, any, any, any, any>] ? RawInput<S> : unknown;

/** The data that a caller gets of a capability: `OutputFrom<typeof getUser>`. */
export type OutputFrom<One> = [One] extends [Capability<any, infer Output, any, any, infer Declared>]
  ? MadeBy<Output, Declared>
  : unknown;

/** The context that a server of these groups must have: of all their capabilities together. */
export type NeedsOf<Tree> = [ContextTakers<Tree>] extends [never]
  ? unknown
  : ContextTakers<Tree> extends (ctx: infer Needs) => void
    ? Needs
    : unknown;

/** A function for each context that is needed: the compiler infers the intersection of what they take. */
export type ContextTakers<Tree> = string extends keyof Tree
  ? never
  : {
      [Name in keyof Tree]: Tree[Name] extends Capability<any, any, any, infer Needs, any>
        ? (ctx: Needs) => void
        : ContextTakers<Tree[Name]>;
    }[keyof Tree];

/** The parts of its capabilities' declarations: errors, and the keys of those that replace them. */
export type DeclaredIn<Tree> = string extends keyof Tree
  ? never
  : {
      [Name in keyof Tree]: Tree[Name] extends Capability<any, any, any, any, infer Declared>
        ? Declared
        : DeclaredIn<Tree[Name]>;
    }[keyof Tree];
