/** The numbers from which modules count what they declare, which stay while modules come and go. */
export interface DeclarationPositions {
  /** The numbers by the ids of the modules. `ids`: in the order in which they run. */
  readonly assign: (ids: readonly string[]) => ReadonlyMap<string, number>;
}

/** A module declares fewer capabilities than that. */
const DECLARATIONS = 100_000;
const GAP = 1_024;

/**
 * Capabilities are listed in the order in which they were declared, although modules that did not change may have run ahead of those that did:
 * each module counts from a number of its own.
 */
export function createDeclarationPositions(): DeclarationPositions {
  let known: ReadonlyMap<string, number> = new Map();
  return {
    assign: (ids) => {
      known = keepKnown(ids, known) ?? new Map(ids.map((id, index) => [id, (index + 1) * GAP]));
      return new Map([...known].map(([id, position]) => [id, position * DECLARATIONS]));
    },
  };
}

/** Undefined where the order is another, or there is no number left between two. */
function keepKnown(ids: readonly string[], known: ReadonlyMap<string, number>): Map<string, number> | undefined {
  const result = new Map<string, number>();
  let last = 0;
  for (const [index, id] of ids.entries()) {
    const position = known.get(id) ?? Math.floor((last + (findNext(ids, index, known) ?? last + 2 * GAP)) / 2);
    if (position <= last) return undefined;
    result.set(id, position);
    last = position;
  }
  return result;
}

function findNext(ids: readonly string[], index: number, known: ReadonlyMap<string, number>): number | undefined {
  for (let at = index + 1; at < ids.length; at++) {
    const position = known.get(ids[at] ?? '');
    if (position !== undefined) return position;
  }
  return undefined;
}
