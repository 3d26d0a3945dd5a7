import type { UnreadPart } from './load-compared.ts';

/** The most parts that have a line each. */
const MAX_TEXTS = 20;

/** ``"new.json: `callbacks` at /paths/~1a/post, 3 times, is not compared: …"``, the first ones of many. */
export function toUnreadTexts(unread: readonly UnreadPart[]): readonly string[] {
  const texts = unread.slice(0, MAX_TEXTS).map(({ side, place, keyword, count, reason }) => {
    const others = count === 1 ? '' : ` and ${count - 1} more`;
    return `not compared in ${side}: \`${keyword}\` at ${place || '/'}${others} (${reason})`;
  });
  const rest = unread.length - texts.length;
  return rest > 0 ? [...texts, `not compared: ${rest} more, which --json lists`] : texts;
}
