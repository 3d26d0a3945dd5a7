/** Counts the capabilities declared in this process, by every copy of the package. */
const COUNT: unique symbol = Symbol.for('capix.declarationCount') as never;

/** The place of the next capability among all that were declared, from 1. A module namespace loses the order of its exports; this keeps it. */
export function nextDeclaration(): number {
  const counter = globalThis as { [COUNT]?: number };
  counter[COUNT] = (counter[COUNT] ?? 0) + 1;
  return counter[COUNT];
}
