/**
 * Divides a text into the characters that a person counts, as `new Intl.Segmenter()` does. The engine takes 10 ms to make its first one, so none
 * is made before there is a text in which characters may be joined. The bundle gives it to what Ink uses, too (`scripts/later-objects.mjs`).
 */
export const segmenter: Pick<Intl.Segmenter, 'segment'> = {
  segment: (text) => (unjoined.test(text) ? toSingleSegments(text) : (whole ??= new Intl.Segmenter()).segment(text)),
};

let whole: Intl.Segmenter | undefined;

/** Whether each code unit of a text is a character of its own. Letters of many scripts that are never joined with their neighbours are among them. */
export function isUnjoined(text: string): boolean {
  return unjoined.test(text);
}

/** A line feed may end a CRLF, which has its other half outside. */
const unjoined =
  /^[\0-\f\u000E-\u00AC\u00AE-\u02FF\u0370-\u0482\u048A-\u058F\u2010-\u2027\u2030-\u205E\u2190-\u2BFF\u3000-\u3029\u3041-\u3096\u30A1-\u30FF\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF9D]*$/;

function toSingleSegments(text: string): Intl.Segments {
  const at = (index: number): Intl.SegmentData => ({ segment: text.charAt(index), index, input: text });
  return {
    containing: (index = 0) => (index >= 0 && index < text.length ? at(Math.trunc(index)) : undefined) as never,
    *[Symbol.iterator]() {
      for (let index = 0; index < text.length; index++) yield at(index);
      return undefined;
    },
  };
}
