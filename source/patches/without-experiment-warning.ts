/** Runs something that uses a feature of Node which it calls experimental: the user's code did not choose it. */
export function withoutExperimentWarning<Result>(run: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = (...parameters: unknown[]) => {
    if (parameters[1] !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, parameters);
  };
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}
