/** The number of texts that are remembered, at least: a few frames. */
const LEAST = 500;

/** Gives a function that works as `work` does, and remembers what it gave for the last texts. `rest`: for the same text always the same. */
export function remember<Result, Rest extends readonly unknown[]>(
  work: (text: string, ...rest: Rest) => Result,
): (text: string, ...rest: Rest) => Result {
  let recent = new Map<string, Result>();
  let older = new Map<string, Result>();
  return (text, ...rest) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const result = older.get(text) ?? work(text, ...rest);
    if (recent.size >= LEAST) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, result);
    return result;
  };
}
