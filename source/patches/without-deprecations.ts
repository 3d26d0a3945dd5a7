/** Runs a function without the warnings of deprecated use that it would print, where these belong to somebody else. */
export function withoutDeprecations<Result>(run: () => Result): Result {
  const { noDeprecation = false } = process;
  process.noDeprecation = true;
  try {
    return run();
  } finally {
    process.noDeprecation = noDeprecation;
  }
}
