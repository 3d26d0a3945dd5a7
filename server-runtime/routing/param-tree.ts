/**
 * A place in a radix tree of paths: `text` leads here from the parent, and from here on goes the child whose text
 * begins with the next character, or else `param`, which takes the path up to the next slash.
 */
export interface ParamTree<V> {
  readonly text: string;
  /** The children by the character code that their text begins with. */
  readonly children: (ParamTree<V> | undefined)[];
  param: ParamTree<V> | undefined;
  /** The value of all paths that go on from here. */
  rest: V | undefined;
  /** The value of the path that ends here. */
  value: V | undefined;
}

export type TreePart = string | undefined | null;

export function createParamTree<V>(text = ''): ParamTree<V> {
  return { text, children: [], param: undefined, rest: undefined, value: undefined };
}

/**
 * Stores a value under a path whose parameters are undefined in the list: `['/users/', undefined, '/follow']`; null at its end takes the rest of
 * the path. The first value of a path stays.
 */
export function addToTree<V>(tree: ParamTree<V>, parts: readonly TreePart[], value: V): void {
  let place = tree;
  for (const part of parts) {
    if (part === null) {
      place.rest ??= value;
      return;
    }
    if (part === undefined) place = place.param ??= createParamTree();
    else place = descend(place, part);
  }
  place.value ??= value;
}

/**
 * Finds the value of the rest of a path that begins at `from`, static text before parameters at every segment, and
 * appends the raw parameter values to `captured` (none when nothing is found). No place is tried twice.
 */
// oxlint-disable-next-line max-params -- runs for every segment of every request: an object for each would be its largest cost
export function findInTree<V>(tree: ParamTree<V>, path: string, from: number, captured: string[]): V | undefined {
  if (from === path.length) return tree.value;
  const child = tree.children[path.charCodeAt(from)];
  if (child !== undefined && continuesWith(path, child.text, from)) {
    const found = findInTree(child, path, from + child.text.length, captured);
    if (found !== undefined) return found;
  }
  if (tree.param === undefined) return findRest(tree, path, from, captured);
  const slash = path.indexOf('/', from);
  const end = slash === -1 ? path.length : slash;
  if (end === from) return findRest(tree, path, from, captured);
  captured.push(path.slice(from, end));
  const found = findInTree(tree.param, path, end, captured);
  if (found !== undefined) return found;
  captured.pop();
  return findRest(tree, path, from, captured);
}

// oxlint-disable-next-line max-params -- runs where a path has no other place, for each segment on the way back: an object for each would be its largest cost
function findRest<V>({ rest }: ParamTree<V>, path: string, from: number, captured: string[]): V | undefined {
  // A path with odd slashes is tried again in its canonical spelling.
  if (rest === undefined || path.endsWith('/') || path.includes('//', from - 1)) return undefined;
  captured.push(path.slice(from));
  return rest;
}

/** `startsWith` in half its time on texts this short; the first character is the key that the child was found by. */
function continuesWith(path: string, text: string, from: number): boolean {
  for (let i = 1; i < text.length; i++) {
    if (path.charCodeAt(from + i) !== text.charCodeAt(i)) return false;
  }
  return true;
}

/** The place that `text` leads to, made where it is missing; a child that shares only a beginning is split there. */
function descend<V>(tree: ParamTree<V>, text: string): ParamTree<V> {
  if (text === '') return tree;
  const first = text.charCodeAt(0);
  const child = tree.children[first];
  if (child === undefined) {
    const added = createParamTree<V>(text);
    tree.children[first] = added;
    return added;
  }
  const shared = countShared(child.text, text);
  if (shared === child.text.length) return descend(child, text.slice(shared));
  const upper = createParamTree<V>(text.slice(0, shared));
  const lower = { ...child, text: child.text.slice(shared) };
  upper.children[lower.text.charCodeAt(0)] = lower;
  tree.children[first] = upper;
  return descend(upper, text.slice(shared));
}

function countShared(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}
