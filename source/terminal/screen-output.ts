/**
 * Stdout for what fills the whole window. It keeps the lines above the window, which are the user's: Ink erases them with the
 * window where it draws anew after a resize, and the alternate screen does not save them.
 */
export function screenOutput(): NodeJS.WriteStream {
  const { stdout } = process;
  const write = (part: unknown, ...rest: unknown[]): boolean =>
    Reflect.apply(stdout.write, stdout, [
      typeof part === 'string' ? part.replaceAll(eraseScrollback, '') : part,
      ...rest,
    ]);
  return new Proxy(stdout, {
    get: (target, name) => {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const eraseScrollback = '\u001B[3J';
