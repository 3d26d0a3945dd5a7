/** The parts of a thrown value that can be told. */
export interface ThrownFacts {
  readonly name: string;
  readonly message: string;
  /** Undefined where there is none, or where it cannot be read. */
  readonly stack: string | undefined;
}

const UNREADABLE = 'It cannot be printed.';

/**
 * Gives what can be told of whatever was thrown: a value that is not an error is its own message. Never throws, which
 * reading an error may: its properties can be getters of an application, and a proxy may refuse every question.
 */
export function readThrown(thrown: unknown): ThrownFacts {
  if (!isError(thrown))
    return { name: 'Error', message: readText(() => String(thrown)) ?? UNREADABLE, stack: undefined };
  return {
    name: readText(() => thrown.name) ?? 'Error',
    message: readText(() => thrown.message) ?? UNREADABLE,
    stack: readText(() => thrown.stack),
  };
}

/** `instanceof` that asks nothing of a value that does not want to be asked. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}

function readText(read: () => unknown): string | undefined {
  try {
    const text = read();
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
