/**
 * Groups of capabilities, nested to any depth: `{users: {getUser}, products: {variants: {list}}}`. A module namespace is a
 * group; its exports that are neither groups nor capabilities are passed over.
 */
export interface GroupTree {
  /** A capability, a group, or something else that is passed over. */
  readonly [name: string]: unknown;
}
