/**
 * A value as JSON; undefined where JSON has nothing for it. A bigint, which JSON has no word for, is the text of its digits. The usual value pays
 * nothing for that: it is looked for only in what JSON refuses.
 *
 * @throws TypeError for what JSON cannot hold
 */
export function toJsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
  }
}
