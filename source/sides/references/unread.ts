/** A part of a document that no comparison looks at. */
export interface Unread {
  /** The first place, as a JSON Pointer: `/paths/~1pets/get`. In another file, the file stands before it. */
  readonly place: string;
  /** ``"`$ref: ../common.yaml`"`` or `callbacks`: what stands there. */
  readonly keyword: string;
  /** How often it stands in the document. */
  readonly count: number;
  /** Why it is not read, to follow a colon. */
  readonly reason: string;
}

/** Counts what is not read, by keyword and reason, in the order of the document. */
export class UnreadList {
  readonly #found = new Map<string, Unread>();

  add({ keyword, reason, place, count }: Unread): void {
    const key = `${keyword}\n${reason}`;
    const known = this.#found.get(key) ?? { place, keyword, count: 0, reason };
    this.#found.set(key, { ...known, count: known.count + count });
  }

  list(): readonly Unread[] {
    return [...this.#found.values()];
  }
}
