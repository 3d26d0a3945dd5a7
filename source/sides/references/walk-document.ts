import { mapKeywords, valueKeywords } from '../../document/to-published.ts';

/** An object of a parsed document. The code that walks through it owns it, and may change it. */
export type OpenObject = Record<string, unknown>;

export interface Visit {
  readonly object: OpenObject;
  /** The names from the top of the file to the object. Changes after the visit: `toPointer` keeps it. */
  readonly path: readonly string[];
}

/** Maps of OpenAPI, and those that the tool edits. */
const maps: ReadonlySet<string> = new Set([
  ...mapKeywords,
  ...`callbacks links mapping parameters pathItems requestBodies scopes variables webhooks`.split(
    ' ',
  ),
]);

/** Levels. Documents that people and generators write have at most some tens. */
const MAX_DEPTH = 500;

/** A document that is nested deeper than anybody reads. */
export class TooDeep extends Error {
  constructor() {
    super(`is nested deeper than ${MAX_DEPTH} levels`);
  }
}

/**
 * Visits every object of a document whose names are keywords, from the outside in: neither maps, in which any name
 * stands, nor values of the application, nor what others have added.
 *
 * @throws TooDeep
 */
export function walkDocument(document: unknown, visit: (visit: Visit) => void): void {
  const path: string[] = [];
  const walk = (part: object, isMap: boolean): void => {
    if (path.length > MAX_DEPTH) throw new TooDeep();
    const isList = Array.isArray(part);
    if (!isMap && !isList) visit({ object: part as OpenObject, path });
    const hasKeywords = !isMap && !isList;
    for (const [name, inner] of Object.entries(part)) {
      // Most of a document are texts.
      if (typeof inner !== 'object' || inner === null) continue;
      if (hasKeywords && isPassedOver(name)) continue;
      path.push(name);
      walk(inner, hasKeywords && maps.has(name));
      path.pop();
    }
  };
  if (typeof document === 'object' && document !== null) walk(document, false);
}

function isPassedOver(name: string): boolean {
  return valueKeywords.has(name) || (name.startsWith('x-') && !maps.has(name));
}

/** `['paths', '/pets']` gives `/paths/~1pets`. */
export function toPointer(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
